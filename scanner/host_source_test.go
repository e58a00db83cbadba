package scanner

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// careless is a host's source that from some call on does what it must not.
type careless struct {
	fetch.Source
	calls, bad int
	spoil      func(got [][]byte) [][]byte
}

func (c *careless) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	got, err := c.Source.ReadRanges(ctx, ranges, alloc)
	if c.calls++; c.calls > c.bad && err == nil {
		got = c.spoil(append([][]byte{}, got...))
	}
	return got, err
}

func scanCareless(ctx context.Context, t *testing.T, c *careless) (err error) {
	b, err := os.ReadFile("../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	c.Source = fetch.FromBytes(b)
	f, err := OpenSource(ctx, "f.parquet", c)
	if err != nil {
		return err
	}
	for batch, err := range f.Scan(ctx, Options{}) {
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
	for bad := range 8 {
		for want, spoil := range map[string]func([][]byte) [][]byte{
			" slices for ": func(got [][]byte) [][]byte { return got[1:] },
			" bytes for range ": func(got [][]byte) [][]byte {
				got[0] = got[0][:len(got[0])/2]
				return got
			},
		} {
			var e *Error
			err := scanCareless(t.Context(), t, &careless{bad: bad, spoil: spoil})
			if !errors.As(err, &e) || !strings.Contains(err.Error(), want) || errors.Is(err, ErrCorrupt) {
				t.Errorf("after %d calls: %v, want one of %q", bad, err, want)
			}
		}
	}
}

// A host's source may be read in a goroutine of the scan's, but its panics are
// the host's to recover.
func TestPanicsOfSources(t *testing.T) {
	stoppable, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, ctx := range []context.Context{context.Background(), stoppable} {
		for bad := range 4 {
			func() {
				defer func() {
					if got := recover(); got != "the host's" {
						t.Errorf("after %d calls: recovered %v", bad, got)
					}
				}()
				err := scanCareless(ctx, t, &careless{bad: bad, spoil: func([][]byte) [][]byte { panic("the host's") }})
				t.Errorf("after %d calls: no panic, but %v", bad, err)
			}()
		}
	}
}
