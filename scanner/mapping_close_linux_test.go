//go:build amd64 || arm64

package scanner

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// numbers is a stored column with many pages.
func numbers() *stored {
	return &stored{
		name: "numbers", node: gen.Required("s", gen.Int64), rows: 20_000, ordered: true,
		value: func(r *rand.Rand) any { return int64(r.Uint64()) },
	}
}

// A file may be closed while it is scanned: the scan ends with an error, or had
// all it needs, and then nothing of the file is left.
func TestCloseDuringAScan(t *testing.T) {
	b, _ := numbers().write(t)
	for _, tc := range []struct {
		threads int
		where   string
		mapped  bool
	}{{1, "s <> 1", true}, {1, "", false}, {3, "s <> 1", false}, {3, "", false}} {
		threads := tc.threads
		path, f := mappedFile(t, b)
		o := Options{BatchRows: 500, Threads: threads}
		if tc.where != "" {
			var err error
			if o.Filter, err = filter.Parse(tc.where); err != nil {
				t.Fatal(err)
			}
		}
		want := lines(t, f, Options{})
		var got []string
		var fault error
		for batch, err := range f.Scan(t.Context(), o) {
			if fault = err; err != nil {
				break
			}
			if got == nil {
				f.Close()
			}
			got = append(got, scannertest.Lines(t, batch)...)
			if maps, err := os.ReadFile("/proc/self/maps"); tc.mapped && (err != nil || !bytes.Contains(maps, []byte(path))) {
				t.Fatalf("%v, or not mapped any more", err)
			}
		}
		var e *Error
		if fault != nil && (!errors.As(fault, &e) || e.File != path || !errors.Is(fault, os.ErrClosed)) || fault == nil && len(got) < len(want) {
			t.Errorf("%d threads: %d rows, %v", threads, len(got), fault)
		}
		if err := scannertest.Same(got, want[:min(len(got), len(want))]); err != nil {
			t.Errorf("%d threads: %v", threads, err)
		}
		if maps, err := os.ReadFile("/proc/self/maps"); err != nil || bytes.Contains(maps, []byte(path)) {
			t.Errorf("%d threads: %v, or still mapped", threads, err)
		}
	}
}

// Panics of others go on as they are, and code of the host's that is no part of
// a filter runs as if there were no mapping.
func TestOtherPanicsGoOn(t *testing.T) {
	b, _ := numbers().write(t)
	path, f := mappedFile(t, b)
	col := filter.Col("s")
	mine := errors.New("mine")
	var none *vector.Vector
	for name, tc := range map[string]struct {
		do   func()
		want string
	}{
		"a panic":       {func() { panic(mine) }, "mine"},
		"a nil pointer": {func() { none.Len++ }, "nil pointer dereference"},
		"an index":      {func() { _ = make([]int, 1)[len(path)] }, "index out of range"},
	} {
		func() {
			defer func() {
				cause := recover()
				if err, ok := cause.(error); !ok || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("%s: recovered %v", name, cause)
				}
				if debug.SetPanicOnFault(false) {
					t.Errorf("%s: faults were panics still", name)
				}
			}()
			o := Options{Filter: filter.Func("f", func([]*vector.Vector, []uint64) error { tc.do(); return nil }, col)}
			for range f.Scan(t.Context(), o) {
			}
		}()
	}
	for _, err := range f.Scan(t.Context(), Options{}) {
		if err != nil || debug.SetPanicOnFault(false) {
			t.Fatalf("%v, or faults are panics in a loop over batches", err)
		}
	}
	f.Close()
	if maps, err := os.ReadFile("/proc/self/maps"); err != nil || bytes.Contains(maps, []byte(path)) {
		t.Errorf("%v, or still mapped after panics", err)
	}
}

// A fault in a function of a filter that looks at its vectors is an error, too.
func TestFaultInAFunction(t *testing.T) {
	tellsFaults(t)
	b, chunks := numbers().write(t)
	path, f := mappedFile(t, b)
	col := filter.Col("s")
	if err := os.Truncate(path, (chunks[0].Start+chunks[0].End)/2&^4095); err != nil {
		t.Fatal(err)
	}
	seen := 0
	o := Options{Filter: filter.Func("f", func(columns []*vector.Vector, sel []uint64) error { seen += columns[0].Len; return nil }, col)}
	n, err := f.Count(t.Context(), o)
	faults(t, path, err, n, seen)
}

// Where chunks are not compressed, the mapping is what is looked at, unless it
// is not wanted, the source is no Viewer, or all of what lies as it does in vectors
// is wanted for the first time, in pages that are large or few and not small chunks of many row
// groups, or little is wanted; compressed chunks are read.
func TestWhatIsMapped(t *testing.T) {
	all, err := filter.Parse("s <> 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		codec    gen.Codec
		encoding gen.Encoding
		pageRows int
		groups   int // 0: 3 of 20,000 rows, or else of one page
		o        Options
		mapped   bool // by the first scan
		again    bool // by the second
	}{
		{gen.Uncompressed, gen.Plain, 20_000, 0, Options{}, false, true},
		{gen.Uncompressed, gen.Plain, 2_048, 0, Options{}, false, true},
		{gen.Uncompressed, gen.Plain, 1_250, 0, Options{}, false, true}, // 16 pages
		{gen.Uncompressed, gen.Plain, 1_000, 0, Options{}, true, true},
		{gen.Uncompressed, gen.Plain, 20_000, 0, Options{Filter: all}, true, true},
		{gen.Uncompressed, gen.ByteStreamSplit, 20_000, 0, Options{}, true, true},
		{gen.Uncompressed, gen.ByteStreamSplit, 1_000, 0, Options{}, false, true}, // 24 KB together
		{gen.Uncompressed, gen.Plain, 20_000, 0, Options{Filter: all, knobs: knobs.Knobs{NoMapping: true}}, false, false},
		{gen.Uncompressed, gen.Dictionary, 20_000, 0, Options{}, false, true},
		{gen.Uncompressed, gen.Plain, 5_000, 16, Options{}, false, true},
		{gen.Uncompressed, gen.Plain, 5_000, 17, Options{}, true, true},   // chunks of 40 KB
		{gen.Uncompressed, gen.Plain, 18_000, 17, Options{}, false, true}, // of 144 KB
		{gen.Snappy, gen.Plain, 20_000, 0, Options{Filter: all}, false, false},
	} {
		c := numbers()
		c.column.Codec, c.column.Encoding, c.column.PageRows = tc.codec, tc.encoding, []int{tc.pageRows}
		if c.groups = tc.groups; c.groups > 0 || tc.encoding == gen.ByteStreamSplit {
			c.rows = tc.pageRows
		}
		b, _ := c.write(t)
		path := filepath.Join(t.TempDir(), "s.parquet")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		f := open(t, path)
		for i, want := range []bool{tc.mapped, tc.again} {
			if got := lines(t, f, tc.o); len(got) != max(c.groups, 3)*c.rows {
				t.Errorf("%v: %d rows", tc, len(got))
			}
			maps, err := os.ReadFile("/proc/self/maps")
			if mapped := bytes.Contains(maps, []byte(path)); err != nil || mapped != want {
				t.Errorf("%v, scan %d: %v, mapped %v", tc, i, err, mapped)
			}
		}
	}
	b, _ := numbers().write(t)
	f, rec := recorded(t, b)
	c := chunkRange(t, f, 0)
	lines(t, f, Options{Rows: vector.RowSet{vector.All(20_000), nil, nil}})
	if got := rec.Text(); !strings.HasPrefix(got, "read "+c.String()[:strings.Index(c.String(), "+")]) {
		t.Errorf("recorded %q", got)
	}
}

// A feed of a mapping hands out what is there, with spare bytes after it even
// at the file's end, counts it, and copies nothing in front of that.
func TestFeedOfAMapping(t *testing.T) {
	data := noise(8, 200_000)
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	src, err := fetch.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	views := src.Views()
	if views == nil {
		t.Skip("files cannot be mapped here")
	}
	defer views.Close()
	chunk := fetch.Range{Off: 1000, Len: int64(len(data)) - 1000}
	var f feed.Feed
	f.Open(feed.Options{Ctx: t.Context(), Source: fetch.FromReaderAt(strings.NewReader(""), 0), Mapped: views, Chunk: chunk, Ahead: 50_000, Pool: new(column.Bodies)})
	for at := int64(0); at < chunk.Len; at += 7_000 {
		to := min(at+7_000, chunk.Len)
		b, err := f.Read(at, to)
		if err != nil || !bytes.Equal(b, data[chunk.Off+at:chunk.Off+to]) || cap(b)-len(b) < encoding.Padding {
			t.Fatalf("[%d, %d): %d bytes, %d spare, %v", at, to, len(b), cap(b)-len(b), err)
		}
		whole, err := views.View(fetch.Range{Len: int64(len(data))})
		if err != nil {
			t.Fatal(err)
		}
		if shown := &b[0] == &whole[chunk.Off+at]; !shown && to < chunk.Len-50_000 {
			t.Errorf("[%d, %d) was copied", at, to)
		}
		f.Done(to)
	}
	if f.BytesRead() < chunk.Len {
		t.Errorf("%d bytes counted of %d", f.BytesRead(), chunk.Len)
	}
	if _, err := f.Read(0, chunk.Len+1); err == nil || errors.Is(err, io.EOF) {
		t.Error("beyond the end:", err)
	}
	f.Close()
}
