//go:build amd64 || arm64

package scanner

import (
	"math/rand/v2"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/validate"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// A file that is written to while it is scanned in a mapping gives other rows,
// or an error: bytes that were checked and changed then never make a panic, nor
// a batch that is none.
func TestFileIsWrittenWhileItIsMapped(t *testing.T) {
	good, bad := 0, 0
	columns := storedColumns(t)
	// On a busy machine the writer may not get to run in a whole round: others follow then.
	for i := 0; i < len(columns) || (good == 0 || bad == 0) && i < 20*len(columns); i++ {
		c := columns[i%len(columns)]
		c.rows = min(c.rows, 8000)
		b, chunks := c.write(t)
		path, f := changingFile(t, b)
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		written, err := syscall.Mmap(int(file.Fd()), 0, len(b), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(i), 5))
		places := make([]int64, 1+r.IntN(40)) // of bytes that come and go
		for k := range places {
			chunk := chunks[r.IntN(len(chunks))]
			size := chunk.End - chunk.Body
			if k%3 == 0 {
				size = min(size, 64) // lengths and levels
			}
			places[k] = chunk.Body + r.Int64N(size)
		}
		var over atomic.Bool
		left := make(chan bool)
		go func() {
			defer close(left)
			r := rand.New(rand.NewPCG(uint64(i), 6))
			for !over.Load() {
				for _, at := range places {
					switch written[at] = b[at]; r.IntN(4) {
					case 0:
						written[at] ^= 1 << r.IntN(8)
					case 1:
						written[at] = byte(r.Uint32())
					}
				}
			}
		}()
		wheres := append([]string{""}, c.filters...)
		for until := time.Now().Add(dtest.Moment(t, 25*time.Millisecond)); time.Now().Before(until); {
			o := Options{IgnoreCRC: true, Dictionaries: allLeaves(vector.DictionaryUse(r.IntN(3))), BatchRows: 100 << r.IntN(7)}
			if where := wheres[r.IntN(len(wheres))]; where != "" {
				if o.Filter, err = filter.Parse(where); err != nil {
					t.Fatal(err)
				}
			}
			if r.IntN(3) == 0 {
				o.Rows = every(1+r.IntN(30), c.rows)
			}
			fault := error(nil)
			for batch, err := range f.Scan(t.Context(), o) {
				if fault = err; err != nil {
					break
				}
				if err := validate.Batch(batch); err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
				batch.Release()
			}
			if good++; fault != nil {
				good--
				bad++
			}
		}
		over.Store(true)
		<-left
		syscall.Munmap(written)
		file.Close()
		f.Close()
	}
	if good == 0 || bad == 0 {
		t.Errorf("%d scans ended well, %d with an error: nothing was shown", good, bad)
	}
}

// A file that shrinks in the middle of a scan ends it with an error, whatever
// threads share: rows that came are right.
func TestFileShrinksDuringAScan(t *testing.T) {
	tellsFaults(t)
	c := numbers()
	c.column.Index, c.column.PageRows = gen.FullIndex, []int{500}
	b, chunks := c.write(t)
	for _, threads := range []int{1, 2, 8} {
		for _, where := range []string{"", "s > 0"} {
			o := Options{Threads: threads, BatchRows: 500, Resources: &Resources{Bytes: 1 << 20}, RowNumber: "n", IgnoreCRC: true}
			if where != "" {
				var err error
				if o.Filter, err = filter.Parse(where); err != nil {
					t.Fatal(err)
				}
			}
			path, f := mappedFile(t, b)
			want := lines(t, f, o)
			var got []string
			var fault error
			for batch, err := range f.Scan(t.Context(), o) {
				if fault = err; err != nil {
					break
				}
				if got == nil {
					if err := os.Truncate(path, chunks[0].Start+1000); err != nil {
						t.Fatal(err)
					}
				}
				got = append(got, scannertest.Lines(t, batch)...)
			}
			if fault != nil {
				faults(t, path, fault, threads, where)
			} else if len(got) < len(want) {
				t.Errorf("%d threads, %q: %d rows of %d, and no error", threads, where, len(got), len(want))
			}
			if err := scannertest.Same(got, want[:min(len(got), len(want))]); err != nil {
				t.Errorf("%d threads, %q: %v", threads, where, err)
			}
		}
	}
}
