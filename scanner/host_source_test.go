package scanner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// careless is a host's source that from some call on does what it must not.
type careless struct {
	fetch.Source
	calls atomic.Int32
	bad   int32
	spoil func(got [][]byte) [][]byte
}

func (c *careless) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	got, err := c.Source.ReadRanges(ctx, ranges, alloc)
	if c.calls.Add(1) > c.bad && err == nil {
		got = c.spoil(append([][]byte{}, got...))
	}
	return got, err
}

func scanCareless(ctx context.Context, t *testing.T, c *careless, o Options) (err error) {
	b, err := os.ReadFile("../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	c.Source = fetch.FromBytes(b)
	f, err := OpenSource(ctx, "f.parquet", c)
	if err != nil {
		return err
	}
	for batch, err := range f.Scan(ctx, o) {
		if err != nil {
			return err
		}
		batch.Release()
	}
	return nil
}

// A source that does not return what it was asked for is what an error names,
// not the file, and it does not stop the program.
func TestCarelessSources(t *testing.T) {
	for bad := range int32(8) {
		for want, spoil := range map[string]func([][]byte) [][]byte{
			" slices for ": func(got [][]byte) [][]byte { return got[1:] },
			" bytes for range ": func(got [][]byte) [][]byte {
				got[0] = got[0][:len(got[0])/2]
				return got
			},
		} {
			var e *Error
			err := scanCareless(t.Context(), t, &careless{bad: bad, spoil: spoil}, Options{})
			if !errors.As(err, &e) || !strings.Contains(err.Error(), want) || errors.Is(err, ErrCorrupt) {
				t.Errorf("after %d calls: %v, want one of %q", bad, err, want)
			}
		}
	}
}

// A host's code may run in a goroutine of the scan's, but its panics are
// the host's to recover.
func TestPanicsOfHosts(t *testing.T) {
	stoppable, cancel := context.WithCancel(t.Context())
	defer cancel()
	fails := filter.Func("fails", func([]*vector.Vector, []uint64) error { panic("the host's") }, filter.Col("order_key"))
	for _, ctx := range []context.Context{context.Background(), stoppable} {
		for _, o := range []Options{{}, {Threads: 3}, {ReadAhead: 1 << 18}, {Threads: 2, ReadAhead: 1 << 18}} {
			for bad := range int32(4) {
				mustPanic(t, fmt.Sprintf("a source after %d calls, %+v", bad, o), func() {
					scanCareless(ctx, t, &careless{bad: bad, spoil: func([][]byte) [][]byte { panic("the host's") }}, o)
				})
			}
			f, err := Open(ctx, "../testdata/lineitems.parquet")
			if err != nil {
				t.Fatal(err)
			}
			o.Filter = fails
			mustPanic(t, fmt.Sprintf("a function, %+v", o), func() {
				for range f.Scan(ctx, o) {
				}
			})
			mustPanic(t, fmt.Sprintf("a function, counted, %+v", o), func() { f.Count(ctx, o) })
			f.Close()
		}
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if got := recover(); got != "the host's" {
			t.Errorf("%s: recovered %v", what, got)
		}
	}()
	f()
}
