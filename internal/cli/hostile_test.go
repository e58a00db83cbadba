package cli

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/alter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// runEach runs every command on a file in memory, in both forms: each must end
// with nothing worse than an error of one line that names the file.
func runEach(t *testing.T, data []byte) {
	const name = "dir/hostile.parquet"
	check := func(command string, err error) {
		if err == nil {
			return
		}
		var line bytes.Buffer
		fault.Print(&line, err.Error())
		text := strings.TrimSuffix(line.String(), "\n")
		if strings.ContainsAny(text, "\n\r\x1b") || utf8.RuneCountInString(text) > 600 || !strings.HasPrefix(text, name+": ") {
			t.Errorf("%s: %q", command, text)
		}
	}
	src := fetch.FromBytes(data)
	f, err := scanner.OpenSource(t.Context(), name, src)
	if err != nil {
		check("open", err)
		return
	}
	for _, cmd := range scan().commands().Rows {
		if cmd.Run == nil {
			continue // serve has tests of its own
		}
		for _, format := range []string{"table", "json"} {
			var out bytes.Buffer
			r := output.NewReport(&out, output.FormatNamed(output.Formats(), format), table.Screen{Width: 100})
			o := &command.Options{Limit: 200, RowGroup: -1, Page: -1, Analyze: true}
			if leaves := f.Schema().Leaves(); len(leaves) > 0 {
				o.Column = schema.FormatPath(leaves[0].Path())
				if format == "json" {
					o.Where.Expr = filter.Col(o.Column).IsNotNull()
					o.Picture = os.DevNull
				}
			}
			if cmd.Name == "dump" {
				if len(f.Schema().Leaves()) == 0 || len(f.Footer().RowGroups) == 0 {
					continue
				}
				if err := o.Columns.Set(f.Schema().Leaves()[0].String()); err != nil {
					t.Fatal(err)
				}
			}
			task, err := cmd.Run(t.Context(), o, input.Find(t.Context(), input.Opener{}, []string{name}, cmd.Takes&command.TakesWhere != 0), r)
			if err == nil {
				err = fault.InFile(name, task.File(t.Context(), &input.File{File: f}))
			}
			if err == nil && task.Finish != nil {
				err = task.Finish()
			}
			if _, usage := err.(*fault.UsageError); !usage {
				check(cmd.Name, err)
			}
			if err := r.Finish(); err != nil {
				t.Error(err)
			}
			if format == "json" && !json.Valid(out.Bytes()) {
				t.Errorf("%s: no JSON: %.300s", cmd.Name, out.String())
			}
			if format == "table" && strings.ContainsAny(out.String(), "\x1b\r\t") {
				t.Errorf("%s: a control character in %.300q", cmd.Name, out.String())
			}
		}
	}
}

// hostileSeeds are small files of many kinds.
func hostileSeeds(t testing.TB) [][]byte {
	found, err := filepath.Glob("../../testdata/*/*.parquet")
	if err != nil || len(found) < 50 {
		t.Fatalf("%d sample files, %v", len(found), err)
	}
	var seeds [][]byte
	for _, name := range found {
		if info, err := os.Stat(name); err != nil || info.Size() > 16<<10 {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, b)
	}
	return seeds
}

func TestCommandsOnMutatedFiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 4))
	seeds := hostileSeeds(t)
	each := dtest.Rounds(t, 2)
	for _, seed := range seeds {
		runEach(t, seed)
		for range each {
			data, _ := alter.Field(rng, seed)
			if data == nil || rng.IntN(3) > 0 {
				data = mutate(rng, seed, seeds)
			}
			start := time.Now()
			runEach(t, data)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		}
	}
}

// mutate changes a few bytes, mostly of those that commands read: near the end.
func mutate(rng *rand.Rand, seed []byte, seeds [][]byte) []byte {
	data := bytes.Clone(seed)
	for range 1 + rng.IntN(4) {
		if len(data) < 20 {
			break
		}
		at := len(data) - 9 - rng.IntN(min(len(data)-9, 600))
		if rng.IntN(3) == 0 {
			at = rng.IntN(len(data))
		}
		switch rng.IntN(4) {
		case 0:
			data[at] ^= 1 << rng.IntN(8)
		case 1:
			data[at] = byte(rng.Uint32())
		case 2:
			data[at] = 0xff
		case 3:
			copy(data[at:], seeds[rng.IntN(len(seeds))][:10])
		}
	}
	return data
}

func FuzzCommands(f *testing.F) {
	for _, seed := range hostileSeeds(f) {
		if len(seed) < 2000 {
			f.Add(seed)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1<<16 {
			runEach(t, data)
		}
	})
}
