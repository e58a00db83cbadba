package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// gate is a scheme whose files open once a number of them are being opened at the same time.
type gate struct {
	files memoryFiles
	least int

	mu     sync.Mutex
	opened []string
	wide   chan struct{} // closed then
}

func (g *gate) Open(ctx context.Context, name string) (fetch.Source, error) {
	g.mu.Lock()
	if g.opened = append(g.opened, name); len(g.opened) == g.least {
		close(g.wide)
	}
	g.mu.Unlock()
	select {
	case <-g.wide:
		return g.files.Open(ctx, name)
	case <-time.After(10 * time.Second):
		return nil, errors.New("the other files are not opened meanwhile")
	}
}

// Commands open files of schemes before their turn, but for those that folders exclude or a limit may
// leave unread. What they print stays in the files' order, and so do errors.
func TestFarFilesAreOpenedAhead(t *testing.T) {
	orders, err := os.ReadFile("../../testdata/orders.parquet")
	if err != nil {
		t.Fatal(err)
	}
	data := map[string][]byte{}
	var names []string
	for i := range 5 {
		names = append(names, fmt.Sprintf("mem://a/year=%d/x.parquet", 2020+i))
		data[names[i]] = orders
	}
	for _, tc := range []struct {
		args    string
		least   int // files that are opened at the same time
		opened  int // in all; 0: five
		missing int // this file; 0: none
	}{
		{args: "schema", least: 5},
		{args: "size", least: 5},
		{args: "meta", least: 5},
		{args: "count", least: 5},
		{args: "count -w year>2021", least: 3, opened: 3},
		{args: "describe", least: 5},
		{args: "min order_id", least: 5},
		{args: "head -n 2 -c order_id", least: 5},
		{args: "tail -n 1 -c order_id", least: 5},
		{args: "cat -c order_id", least: 5},
		{args: "cat -c order_id", least: 5, missing: 2},
		{args: "cat -c order_id -n 7", least: 1},
		{args: "cat -n 7 --union -c order_id", least: 5, opened: 10},
		{args: "sample 3 --seed 1 -c order_id", least: 5, opened: 10},
		{args: "count", least: 5, missing: 4},
	} {
		run := func(least int) (g *gate, stdout, stderr string, code int) {
			g = &gate{files: memoryFiles{data: map[string][]byte{}}, least: least, wide: make(chan struct{})}
			for i, name := range names {
				if tc.missing == 0 || i != tc.missing {
					g.files.data[name] = data[name]
				}
			}
			p := &Program{Name: "scan", Schemes: []input.Scheme{{Name: "mem", Open: g.Open}}}
			stdout, stderr, code = runProgram(t, t.Context(), p, os.Stdin, append(strings.Fields(tc.args), names...)...)
			return g, stdout, stderr, code
		}
		g, stdout, stderr, code := run(tc.least)
		want := ""
		if tc.missing > 0 {
			want = names[tc.missing] + ": not in memory\n"
		}
		if stderr != want || (code == exitOK) != (want == "") || stdout == "" {
			t.Errorf("%s: exit code %d, %s", tc.args, code, stderr)
		}
		if len(g.opened) != cmp.Or(tc.opened, 5) || g.files.open != 0 {
			t.Errorf("%s: %d files opened, %d of them not closed", tc.args, len(g.opened), g.files.open)
		}
		if _, again, _, _ := run(1); again != stdout {
			t.Errorf("%s: other output if files open at once", tc.args)
		}
		last := -1
		for i, name := range names {
			if at := strings.Index(stdout, name); at >= 0 && at < last {
				t.Errorf("%s: file %d comes too early", tc.args, i)
			} else if at >= 0 {
				last = at
			}
		}
	}
}
