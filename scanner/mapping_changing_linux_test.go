//go:build (amd64 || arm64) && !race

package scanner

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/validate"
)

// Strings of a file of which nothing is compressed, few of which are wanted, while the length
// of one changes in the mapping: rows or an error come, no panic and no batch that is none.
func TestLengthsOfStringsChangeWhileTheyAreMapped(t *testing.T) {
	const rows = 20_000
	r := rand.New(rand.NewPCG(7, 7))
	var all []any
	for i := range rows {
		all = append(all, gen.Record{"k": int32(i % 50), "s": strings.Repeat("text ", 10)[:r.IntN(30)]})
	}
	plain := gen.Column{Index: gen.NoIndex, Stats: gen.NoStats, PageRows: []int{rows}}
	f := gen.File{
		Schema:    []*gen.Node{gen.Required("k", gen.Int32), gen.Required("s", gen.ByteArray).As(gen.StringType())},
		RowGroups: []gen.RowGroup{{Rows: all, Columns: []gen.Column{plain, plain}}},
	}
	w, err := f.Build()
	if err != nil {
		t.Fatal(err)
	}
	var lengths []int // where those of wanted values are
	at := int(w.Pages[0][1][0].Body)
	for i, row := range all {
		if i%50 < 3 && i > 1000 {
			lengths = append(lengths, at)
		}
		at += 4 + len(row.(gen.Record)["s"].(string))
	}
	path, mapped := changingFile(t, w.Bytes)
	defer mapped.Close()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	written, err := syscall.Mmap(int(file.Fd()), 0, len(w.Bytes), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(written)
	o := Options{IgnoreCRC: true, BatchRows: rows}
	if o.Filter, err = filter.Parse("k < 3"); err != nil {
		t.Fatal(err)
	}
	good, bad := 0, 0
	scans := func(n int) {
		defer dtest.Change(r.Uint64(), written, w.Bytes, []int{lengths[r.IntN(len(lengths))] + r.IntN(4)})()
		for range n {
			fault := error(nil)
			for batch, err := range mapped.Scan(t.Context(), o) {
				if fault = err; err != nil {
					break
				}
				if err := validate.Batch(batch); err != nil {
					t.Error(err)
				}
				batch.Release()
			}
			if good++; fault != nil {
				good--
				if bad++; !errors.Is(fault, ErrCorrupt) {
					t.Error(fault)
				}
			}
		}
	}
	// On a busy machine who changes the bytes may not come to it for long.
	start, moment := time.Now(), dtest.Moment(t, 500*time.Millisecond)
	for took := time.Duration(0); took < moment || (good == 0 || bad == 0) && took < moment+30*time.Second; took = time.Since(start) {
		scans(20)
	}
	if good == 0 || bad == 0 {
		t.Errorf("%d scans ended well, %d with an error: nothing was shown", good, bad)
	}
}
