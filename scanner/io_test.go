package scanner

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/feed"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// sampleOfNesting has every state of a list of lists.
func sampleOfNesting(t *testing.T) *File {
	item := gen.Optional("item", gen.Group, gen.Repeated("list", gen.Group, gen.Optional("item", gen.Int32))).As(gen.ListType())
	list := gen.Optional("array_col", gen.Group, gen.Repeated("list", gen.Group, item)).As(gen.ListType())
	return fileOf(t, gen.File{Schema: []*gen.Node{gen.Required("id", gen.Int64), list}},
		gen.Record{"id": 0},
		gen.Record{"id": 1, "array_col": []any{}},
		gen.Record{"id": 2, "array_col": []any{nil}},
		gen.Record{"id": 3, "array_col": []any{[]any{}}},
		gen.Record{"id": 4, "array_col": []any{[]any{nil}}},
		gen.Record{"id": 5, "array_col": []any{[]any{1, nil}, []any{2}}},
		gen.Record{"id": 6, "array_col": []any{[]any{3}}})
}

// reader hides that a file is in memory.
type reader struct{ *bytes.Reader }

// recorded opens a file whose reads are written down. The reads of the footer are not.
func recorded(t *testing.T, b []byte) (*File, *record.Recorder) {
	t.Helper()
	rec := record.Of(fetch.FromReaderAt(reader{bytes.NewReader(b)}, int64(len(b))))
	f, err := OpenSource(t.Context(), "f.parquet", rec)
	if err != nil {
		t.Fatal(err)
	}
	rec.Take()
	return f, rec
}

// paged is a file of two columns with pages of 10 rows, 10 pages each: a in
// dictionary encoding, b not.
func paged(t *testing.T, index gen.Index) []byte {
	rows := make([]any, 100)
	for i := range rows {
		rows[i] = gen.Record{"a": strings.Repeat(string(rune('a'+i/20)), 100), "b": strings.Repeat("x", i)}
	}
	f := gen.File{
		Schema: []*gen.Node{gen.Required("a", gen.ByteArray), gen.Required("b", gen.ByteArray)},
		RowGroups: []gen.RowGroup{{Rows: rows, Columns: []gen.Column{
			{Shape: gen.Shape{Encoding: gen.Dictionary}}, {},
		}}},
		All: gen.Column{PageRows: []int{10}, Index: index}, KeyValues: beyondTail,
	}
	return scannertest.Write(t, f)
}

func chunkRange(t *testing.T, f *File, leaf int) fetch.Range {
	t.Helper()
	c, err := f.Chunk(0, leaf)
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := c.Range()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is read of a file, and no byte else.
func TestReads(t *testing.T) {
	f, rec := recorded(t, paged(t, gen.FullIndex))
	a, b := chunkRange(t, f, 0), chunkRange(t, f, 1)
	index := func(leaf int) (fetch.Range, []fetch.Range) {
		c, err := f.Chunk(0, leaf)
		if err != nil {
			t.Fatal(err)
		}
		x := offsetIndex(t, c)
		if len(x.Pages) != 10 {
			t.Fatal(x)
		}
		var pages []fetch.Range
		for _, p := range x.Pages {
			pages = append(pages, fetch.Range{Off: p.Offset, Len: int64(p.CompressedSize)})
		}
		return fetch.Range{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)}, pages
	}
	indexA, pagesA := index(0)
	indexB, pagesB := index(1)
	rec.Take()
	dictionary := fetch.Range{Off: a.Off, Len: pagesA[0].Off - a.Off}
	join := func(pages ...fetch.Range) fetch.Range {
		return fetch.Range{Off: pages[0].Off, Len: pages[len(pages)-1].End() - pages[0].Off}
	}
	for _, tc := range []struct {
		name string
		o    Options
		want []fetch.Range
	}{
		{"all", Options{}, []fetch.Range{a, b}},
		{"all, in another order", Options{Select: []string{"b", "a"}}, []fetch.Range{b, a}},
		{"one column", Options{Select: []string{"b"}}, []fetch.Range{b}},
		{"the same twice", Options{Select: []string{"b", "b"}}, []fetch.Range{b}},
		{"no column", Options{Select: []string{}}, nil},
		{"an absent column", Options{Want: []Want{leafWant("z", vector.Type{})}}, nil},
		{"limit within the first page", Options{Select: []string{"b"}, Limit: 3}, []fetch.Range{indexB, pagesB[0]}},
		{"offset", Options{Select: []string{"b"}, Offset: 85}, []fetch.Range{indexB, join(pagesB[8], pagesB[9])}},
		{"offset and limit on a page's borders", Options{Select: []string{"b"}, Offset: 50, Limit: 10}, []fetch.Range{indexB, pagesB[5]}},
		{"offset behind the end", Options{Offset: 100}, nil},
		{"two places", Options{Select: []string{"b"}, Rows: vector.RowSet{{{From: 15, To: 16}, {From: 61, To: 75}}}}, []fetch.Range{indexB, pagesB[1], join(pagesB[6], pagesB[7])}},
		{"a dictionary", Options{Select: []string{"a"}, Offset: 95}, []fetch.Range{indexA, pagesA[9], dictionary}},
		{"both columns", Options{Offset: 90}, []fetch.Range{{Off: indexA.Off, Len: indexA.Len + indexB.Len}, pagesA[9], dictionary, pagesB[9]}},
	} {
		tc.o.BatchRows = 7
		lines(t, f, tc.o)
		got := slices.Concat(rec.Take()...)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: read %v, want %v", tc.name, got, tc.want)
		}
	}
}

// Without an index, pages that are passed over are read as far as it takes to find the next.
func TestReadsWithoutIndex(t *testing.T) {
	rows := make([]any, 40)
	for i := range rows {
		rows[i] = gen.Record{"a": strings.Repeat("x", 10_000)}
	}
	f, rec := recorded(t, scannertest.Write(t, gen.File{
		Schema: []*gen.Node{gen.Required("a", gen.ByteArray)}, RowGroups: []gen.RowGroup{{Rows: rows}},
		All: gen.Column{PageRows: []int{10}, Index: gen.NoIndex, Stats: gen.NoStats},
	}))
	s, err := f.newScan(t.Context(), Options{Offset: 35, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	l := s.leaves[0]
	if err := s.run.start(unit{group: 0}, s.rows[0]); err != nil {
		t.Fatal(err)
	}
	if err := s.run.moveTo(l, 35, 36); err != nil {
		t.Fatal(err)
	}
	l.feed.Ahead = 64 << 10
	v := &vector.Vector{Type: l.node.Type}
	if err := l.cursor.Read(nil, v); err != nil || string(v.Bytes(0)) != strings.Repeat("x", 10_000) {
		t.Fatal(err)
	}
	chunk := chunkRange(t, f, 0)
	n := int64(0)
	for _, r := range slices.Concat(rec.Take()...) {
		n += r.Len
	}
	// The first 64 KiB, twice a header's worth, and the last page.
	if most := 64<<10 + 2*feed.HeaderBytes + chunk.Len/4 + 1000; n > int64(most) {
		t.Errorf("read %d bytes of %d", n, chunk.Len)
	}
	l.close()
}

func TestStats(t *testing.T) {
	b := paged(t, gen.FullIndex)
	f, _ := recorded(t, b)
	var s Stats
	lines(t, f, Options{Rows: vector.RowSet{{{From: 15, To: 16}, {From: 65, To: 71}}}, BatchRows: 4, Stats: &s})
	if s.Rows != 7 || s.Batches != 2 || len(s.Columns) != 2 {
		t.Errorf("%+v", &s)
	}
	for i, c := range s.Columns {
		chunk := chunkRange(t, f, i)
		sum := c.DictionaryBytes
		for _, n := range c.Bytes {
			sum += n
		}
		if c.Leaf != f.Schema().Leaves()[i] || c.Pages != [Fates]int64{Unread: 7, Decoded: 3} || sum != chunk.Len || c.DictionaryPages != int64(1-i) {
			t.Errorf("column %d: %+v, %d bytes of %d", i, c, sum, chunk.Len)
		}
		if read := c.Bytes[Decoded] + c.DictionaryBytes; c.Fetched != read {
			t.Errorf("column %d: fetched %d, counted %d", i, c.Fetched, read)
		}
	}
}

// An index that is not to be believed is not used.
func TestBadIndex(t *testing.T) {
	rows := make([]any, 30)
	for i := range rows {
		rows[i] = gen.Record{"a": i}
	}
	for name, spoil := range map[string]func(*wire.OffsetIndex){
		"rows fall":    func(x *wire.OffsetIndex) { x.PageLocations[1].FirstRowIndex = 25 },
		"outside":      func(x *wire.OffsetIndex) { x.PageLocations[2].Offset = 1 << 40 },
		"in front":     func(x *wire.OffsetIndex) { x.PageLocations[0].Offset = 5 },
		"behind chunk": func(x *wire.OffsetIndex) { x.PageLocations[2].Offset += 40 },
		"no pages":     func(x *wire.OffsetIndex) { x.PageLocations = nil },
		"empty page":   func(x *wire.OffsetIndex) { x.PageLocations[1].CompressedPageSize = 0 },
	} {
		f := fileOf(t, gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int32)}, All: gen.Column{PageRows: []int{10}, OffsetIndex: spoil}}, rows...)
		var s Stats
		got, err := tryLines(t, f, Options{Offset: 22, Limit: 2, Stats: &s})
		if name == "in front" { // which only the page can tell
			if err == nil && scannertest.Same(got, []string{`{"a":22}`, `{"a":23}`}) != nil {
				t.Errorf("%s: %v", name, got)
			}
			continue
		}
		if err != nil || scannertest.Same(got, []string{`{"a":22}`, `{"a":23}`}) != nil || s.Columns[0].BadIndexes != 1 {
			t.Errorf("%s: %v, %v, %+v", name, got, err, &s)
		}
	}
}

func TestErrors(t *testing.T) {
	rows := make([]any, 30)
	for i := range rows {
		rows[i] = gen.Record{"a": i}
	}
	schema := []*gen.Node{gen.Required("a", gen.Int32)}
	for _, tc := range []struct {
		name string
		f    gen.File
		rows int // that come before the error
		want []string
	}{
		{"rows of the footer", gen.File{RowGroups: []gen.RowGroup{{Rows: rows, Meta: func(g *wire.RowGroup) { g.NumRows = 31 }}}}, 0, []string{"30 values", "31 rows"}},
		{"fewer rows in the footer", gen.File{RowGroups: []gen.RowGroup{{Rows: rows, Meta: func(g *wire.RowGroup) { g.NumRows = 29 }}}}, 0, []string{"29"}},
		{"rows of the file", gen.File{RowGroups: []gen.RowGroup{{Rows: rows}}, Footer: func(m *wire.FileMetaData) { m.NumRows = 7 }}, 30, nil},
		{"checksum", gen.File{
			RowGroups: []gen.RowGroup{{Rows: rows, Columns: []gen.Column{{PageRows: []int{10}, PageShapes: []gen.Shape{{}, {}, {CRC: gen.WrongCRC}}}}}},
		}, 20, []string{`row group 0, column "a", page 2, offset `, "checksum"}},
		{"codec", gen.File{RowGroups: []gen.RowGroup{{Rows: rows, Columns: []gen.Column{{Meta: func(c *wire.ColumnChunk) { c.MetaData.Codec = 3 }}}}}}, 0, []string{`column "a": `, "LZO"}},
	} {
		tc.f.Schema = schema
		f := fileOf(t, tc.f)
		got, err := tryLines(t, f, Options{BatchRows: 10})
		if tc.want == nil {
			if err != nil || len(got) != tc.rows {
				t.Errorf("%s: %d rows, %v", tc.name, len(got), err)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		for _, w := range tc.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v, want %q", tc.name, err, w)
			}
		}
		if len(got) < tc.rows {
			t.Errorf("%s: %d rows before the error, want %d", tc.name, len(got), tc.rows)
		}
	}
}

// No goroutine is left behind: there is no end of the bubble before theirs.
func TestCancelAndBreak(t *testing.T) { synctest.Test(t, testCancelAndBreak) }

func testCancelAndBreak(t *testing.T) {
	f, rec := recorded(t, paged(t, gen.FullIndex))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for b, err := range f.Scan(ctx, Options{BatchRows: 10}) {
		if n++; n == 1 {
			if err != nil || b.Len != 10 {
				t.Fatal(b, err)
			}
			cancel()
			continue
		}
		if !errors.Is(err, context.Canceled) || b != nil {
			t.Errorf("after cancel: %v, %v", b, err)
		}
	}
	if n != 2 {
		t.Errorf("%d steps", n)
	}
	var s Stats
	for range f.Scan(t.Context(), Options{BatchRows: 10, Stats: &s}) {
		break
	}
	if s.Batches != 1 || s.Columns[0].Pages[Decoded] != 1 {
		t.Errorf("after break: %+v", &s)
	}
	// What a scan does not ask for is not read, and it can be run again.
	rec.Take()
	seq := f.Scan(t.Context(), Options{Select: []string{"b"}})
	if calls := rec.Take(); len(calls) != 0 {
		t.Errorf("read before it started: %v", calls)
	}
	for range 2 {
		rows := 0
		for b, err := range seq {
			if err != nil {
				t.Fatal(err)
			}
			rows += b.Len
		}
		if rows != 100 {
			t.Errorf("%d rows", rows)
		}
	}
}

// cancelling cancels a context when it is read for the n-th time.
type cancelling struct {
	fetch.Source
	n      int
	cancel func()
}

func (c *cancelling) ReadRanges(ctx context.Context, r []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if c.n--; c.n == 0 {
		c.cancel()
	}
	return c.Source.ReadRanges(ctx, r, alloc)
}

func TestCancelWithinAWindow(t *testing.T) {
	b := paged(t, gen.FullIndex)
	for n := 1; ; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		src := &cancelling{fetch.FromReaderAt(reader{bytes.NewReader(b)}, int64(len(b))), 0, cancel}
		f, err := OpenSource(ctx, "f", src)
		if err != nil {
			t.Fatal(err)
		}
		src.n = n // reads of the footer do not count
		for _, err = range f.Scan(ctx, Options{Offset: 5}) {
		}
		if src.n > 0 {
			break // it was never cancelled
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at read %d: %v", n, err)
		}
		if n > 50 {
			t.Fatal("no end")
		}
	}
}

// A batch stays what it is while the next ones are read, and after the file is closed.
func TestBatchesKeepTheirMemory(t *testing.T) {
	for _, path := range shapes(t) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []Options{{BatchRows: 2}, {BatchRows: 3, Dictionaries: allLeaves(vector.DictionaryWherePossible)}} {
			f, err := OpenSource(t.Context(), path, fetch.FromReaderAt(reader{bytes.NewReader(b)}, int64(len(b))))
			if err != nil {
				t.Fatal(err)
			}
			var batches []*vector.Batch
			for batch, err := range f.Scan(t.Context(), o) {
				if err != nil {
					t.Fatal(path, err)
				}
				batches = append(batches, batch)
			}
			var got []string
			for _, batch := range batches {
				got = append(got, scannertest.Lines(t, batch)...)
			}
			if err := scannertest.Same(got, wantLines(t, path)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}
