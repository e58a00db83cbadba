package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func testBytes(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// sources returns the same bytes as every kind of source.
func sources(t testing.TB, data []byte) map[string]Source {
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return map[string]Source{
		"bytes":    FromBytes(data),
		"readerat": FromReaderAt(bytes.NewReader(data), int64(len(data))),
		"file":     file,
		"parts":    inParts{FromBytes(data), 100, 5000},
		"joined":   inParts{file, math.MaxInt64, 1 << 40},
	}
}

// inParts is a source that has Parts read a file in memory.
type inParts struct {
	Source
	gap, longest int64
}

func (s inParts) ReadRanges(ctx context.Context, ranges []Range, alloc Alloc) ([][]byte, error) {
	if err := errors.Join(Ended(ctx), Check(ranges, s.Size())); err != nil {
		return nil, err
	}
	return Parts{s.gap, s.longest, func(ctx context.Context, off int64, dst []byte) error {
		b, err := ReadRange(ctx, s.Source, Range{off, int64(len(dst))}, nil)
		copy(dst, b)
		return err
	}}.ReadRanges(ctx, ranges, alloc)
}

func TestEverySourceReturnsRequestedRanges(t *testing.T) {
	data := testBytes(3*readStep + 17)
	for name, src := range sources(t, data) {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 4))
			size := src.Size()
			if size != int64(len(data)) {
				t.Fatalf("size %d, want %d", size, len(data))
			}
			for range 30 {
				ranges := []Range{{0, size}, {size, 0}}
				for range rng.IntN(20) {
					off := rng.Int64N(size)
					ranges = append(ranges, Range{off, rng.Int64N(min(size-off, 9000) + 1)})
				}
				if rng.IntN(2) == 0 {
					ranges = ranges[2:]
				}
				got, err := src.ReadRanges(t.Context(), ranges, nil)
				if err != nil || len(got) != len(ranges) {
					t.Fatalf("%d slices, %v", len(got), err)
				}
				for i, r := range ranges {
					if !bytes.Equal(got[i], data[r.Off:r.Off+r.Len]) {
						t.Fatalf("range %v of %v: wrong bytes", r, ranges)
					}
				}
			}
		})
	}
}

func TestRangesOutsideAreRefused(t *testing.T) {
	for name, src := range sources(t, testBytes(100)) {
		for _, r := range []Range{{-1, 1}, {0, 101}, {101, 0}, {100, 1}, {5, -1},
			{math.MaxInt64, math.MaxInt64}, {50, math.MaxInt64}, {math.MinInt64, math.MinInt64}} {
			alloc := func(n int) []byte { t.Errorf("%s, %v: %d bytes allocated", name, r, n); return make([]byte, n) }
			if _, err := src.ReadRanges(t.Context(), []Range{r}, alloc); err == nil {
				t.Errorf("%s: range %v: no error", name, r)
			}
		}
	}
}

func TestAlloc(t *testing.T) {
	data := testBytes(1000)
	var asked []int
	alloc := func(n int) []byte {
		asked = append(asked, n)
		return make([]byte, n, n+64)
	}
	src := FromReaderAt(bytes.NewReader(data), 1000)
	got, err := src.ReadRanges(t.Context(), []Range{{1, 10}, {990, 10}}, alloc)
	if err != nil || len(asked) != 2 || cap(got[1]) != 74 {
		t.Errorf("asked for %v, capacity %d, error %v", asked, cap(got[1]), err)
	}

	b, err := ReadRange(t.Context(), FromBytes(data), Range{3, 4}, alloc)
	if err != nil || len(asked) != 2 || &b[0] != &data[3] {
		t.Errorf("bytes in memory were copied (%v)", err)
	}
}

// cancels is a ReaderAt whose n-th read cancels.
type cancels struct {
	io.ReaderAt
	n      int
	cancel func()
}

func (c *cancels) ReadAt(b []byte, off int64) (int, error) {
	if c.n--; c.n == 0 {
		c.cancel()
	}
	return c.ReaderAt.ReadAt(b, off)
}

func TestCancellation(t *testing.T) {
	data := testBytes(10 * readStep)
	for name, src := range sources(t, data[:100]) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := src.ReadRanges(ctx, []Range{{0, 10}}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled before: %v", name, err)
		}
	}
	for _, ranges := range [][]Range{{{0, int64(len(data))}}, {{0, 1}, {1, 1}, {2, 1}, {3, 1}}} {
		ctx, cancel := context.WithCancel(t.Context())
		r := &cancels{bytes.NewReader(data), 3, cancel}
		_, err := FromReaderAt(r, int64(len(data))).ReadRanges(ctx, ranges, nil)
		if !errors.Is(err, context.Canceled) || r.n != 0 {
			t.Errorf("%v: %v, reads after the cancelling one: %d", ranges, err, -r.n)
		}
	}
}

// stingy returns at most most bytes, without an error.
type stingy struct{ most int }

func (s stingy) ReadAt(b []byte, _ int64) (int, error) { return min(s.most, len(b)), nil }

func TestShortReads(t *testing.T) {
	// The source says 1000 bytes, but there are 500.
	src := FromReaderAt(bytes.NewReader(testBytes(500)), 1000)
	_, err := ReadRange(t.Context(), src, Range{490, 20}, nil)
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "490+20") {
		t.Errorf("file cut short: %v", err)
	}
	if _, err := ReadRange(t.Context(), FromReaderAt(stingy{9}, 1000), Range{0, 10}, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("reader that returns too little: %v", err)
	}
	if _, err := ReadRange(t.Context(), src, Range{490, 10}, nil); err != nil {
		t.Errorf("read up to the end: %v", err)
	}
}

func TestOpenRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
