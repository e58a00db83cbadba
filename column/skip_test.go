package column

import (
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// skipFile has ten pages of ten rows. Row i holds i, or the list [i, i, i].
func skipFile(tb testing.TB, list bool, version int, index gen.Index, perPage ...int) *file {
	tb.Helper()
	f := gen.File{Schema: []*gen.Node{gen.Required("a", gen.Int64)}}
	if list {
		f.Schema = []*gen.Node{gen.List("a", gen.Required("element", gen.Int64))}
	}
	rows := make([]any, 100)
	for i := range rows {
		rows[i] = gen.Record{"a": i}
		if list {
			rows[i] = gen.Record{"a": []any{i, i, i}}
		}
	}
	col := gen.Column{Shape: gen.Shape{Version: version}, Codec: gen.Snappy, Index: index}
	if list && perPage != nil {
		col.PageSlots = perPage
	} else {
		col.PageRows = []int{10}
	}
	f.RowGroups = []gen.RowGroup{{Rows: rows, Columns: []gen.Column{col}}}
	return must[*file](tb)(openFile(must[[]byte](tb)(f.Write())))
}

// boastingFile is skipFile of lists in v2 pages, as some writers make them:
// num_rows is the number of values.
func boastingFile(tb testing.TB, index gen.Index) *file {
	tb.Helper()
	f := gen.File{Schema: []*gen.Node{gen.List("a", gen.Required("element", gen.Int64))}}
	pages := make([]gen.Page, 10)
	for i := range pages {
		var d gen.Data
		var elements []int64
		for row := i * 10; row < i*10+10; row++ {
			d.Rep = append(d.Rep, 0, 1, 1)
			d.Def = append(d.Def, 2, 2, 2)
			elements = append(elements, int64(row), int64(row), int64(row))
		}
		d.Values = elements
		pages[i] = gen.Page{Shape: gen.Shape{Version: 2}, Data: d, Header: func(h *wire.PageHeader) {
			h.DataPageHeaderV2.NumRows = h.DataPageHeaderV2.NumValues
		}}
	}
	f.RowGroups = []gen.RowGroup{{Columns: []gen.Column{{Codec: gen.Snappy, Index: index, Pages: pages}}}}
	return must[*file](tb)(openFile(must[[]byte](tb)(f.Write())))
}

// TestSkip counts what becomes of pages whose rows are not wanted.
func TestSkip(t *testing.T) {
	type counts = [Fates]int64
	for _, c := range []struct {
		name    string
		file    *file
		indexed bool
		want    counts // unread, undecompressed, by statistics, by dictionary, undecoded, decoded
	}{
		// Rows 55 to 58 and 80, of pages 5 and 8.
		{"flat v1", skipFile(t, false, 1, gen.NoIndex), false, counts{0, 7, 0, 0, 0, 2}},
		{"flat v2", skipFile(t, false, 2, gen.NoIndex), false, counts{0, 7, 0, 0, 0, 2}},
		{"flat, offset index", skipFile(t, false, 1, gen.FullIndex), true, counts{8, 0, 0, 0, 0, 2}},
		{"list v2", skipFile(t, true, 2, gen.NoIndex), false, counts{0, 7, 0, 0, 0, 2}},
		{"list v1, offset index", skipFile(t, true, 1, gen.FullIndex), true, counts{8, 0, 0, 0, 0, 2}},
		{"list v2, offset index", skipFile(t, true, 2, gen.FullIndex), true, counts{8, 0, 0, 0, 0, 2}},
		{"list v2, rows that are values", boastingFile(t, gen.NoIndex), false, counts{0, 7, 0, 0, 0, 2}},
		{"list v2, rows that are values, offset index", boastingFile(t, gen.FullIndex), true, counts{8, 0, 0, 0, 0, 2}},
		{"list v1", skipFile(t, true, 1, gen.NoIndex), false, counts{0, 0, 0, 0, 7, 2}},
		// 20 slots a page: rows 55 to 58 are slots 165 to 176 of page 8, row 80 slots 240 to 242 of page 12.
		{"list v1, rows across pages", skipFile(t, true, 1, gen.NoIndex, 20), false, counts{0, 0, 0, 0, 11, 2}},
		// Row 80 is now slots 240 to 242 of pages 10 and 11, cut in its middle.
		{"list v1, row on two pages", skipFile(t, true, 1, gen.NoIndex, 22), false, counts{0, 0, 0, 0, 8, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			src, raw, err := c.file.source(0, 0, c.indexed)
			if err != nil {
				t.Fatal(err)
			}
			var chunk Chunk
			var cur Cursor
			if err := chunk.Reset(src); err != nil {
				t.Fatal(err)
			}
			feed := &memory{chunk: raw, spoil: true}
			cur.Open(&chunk, feed, Options{})
			var l Levels
			for _, rows := range [][2]int64{{55, 59}, {80, 81}} {
				cur.Advance(rows[0])
				cur.Window(rows[1])
				l.Reset(src.Leaf.Type)
				if err := cur.ReadLevels(nil, &l); err != nil {
					t.Fatal(err)
				}
				each := 1
				if src.repeated() {
					each = 3
				}
				for i, x := range l.Values.Int64s[:l.Values.Len] {
					if want := rows[0] + int64(i/each); x != want {
						t.Errorf("value %d of rows %v is %d, want %d", i, rows, x, want)
					}
				}
				if want := int(rows[1]-rows[0]) * each; l.Values.Len != want {
					t.Errorf("%d values of rows %v, want %d", l.Values.Len, rows, want)
				}
				cur.Advance(rows[1])
			}
			// After the last read nothing is looked at, and nothing costs.
			reads := len(feed.reads)
			cur.Window(100)
			sel := new(Selection)
			sel.Clear(19)
			if err := cur.ReadLevels(sel, &l); err != nil {
				t.Fatal(err)
			}
			if err := cur.Filter(sel, pred.Ints(0, 1)); err != nil {
				t.Fatal(err)
			}
			cur.Advance(100)
			if len(feed.reads) != reads {
				t.Errorf("%d reads for nothing", len(feed.reads)-reads)
			}
			cur.Close()
			n := cur.Counters()
			if n.Pages != c.want {
				t.Errorf("pages %v, want %v", n.Pages, c.want)
			}
			sum := n.DictionaryBytes
			for _, b := range n.Bytes {
				sum += b
			}
			if sum != src.Pages.Length {
				t.Errorf("%d bytes are accounted for, the chunk has %d", sum, src.Pages.Length)
			}
		})
	}
}

// TestBorder skips to the end of a page, which must not read the next one's header.
func TestBorder(t *testing.T) {
	f := skipFile(t, false, 1, gen.NoIndex)
	src, raw, err := f.source(0, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	var chunk Chunk
	var cur Cursor
	var dst vector.Vector
	if err := chunk.Reset(src); err != nil {
		t.Fatal(err)
	}
	feed := &memory{chunk: raw, spoil: true}
	cur.Open(&chunk, feed, Options{})
	read := func(from, to int64) {
		t.Helper()
		cur.Advance(from)
		cur.Window(to)
		build.Reset(&dst, src.Leaf.Type)
		if err := cur.Read(nil, &dst); err != nil || dst.Int64s[0] != from {
			t.Fatal(err, dst.Int64s)
		}
		cur.Advance(to)
	}
	for _, c := range []struct{ from, to, pages int64 }{{0, 10, 1}, {10, 20, 2}, {25, 30, 3}, {30, 30, 3}, {30, 31, 4}, {38, 40, 4}, {60, 61, 7}} {
		if c.from < c.to {
			read(c.from, c.to)
		}
		if got := int64(cur.nextPage); got != c.pages {
			t.Errorf("rows %d to %d: %d pages are known, want %d", c.from, c.to, got, c.pages)
		}
	}
}

// TestRowsOfPage has two v2 pages of a list whose headers tell wrong numbers of
// rows that are right in sum.
func TestRowsOfPage(t *testing.T) {
	data := gen.Data{Rep: []uint32{0, 1, 0, 1}, Def: []uint32{2, 2, 2, 2}, Values: []int64{1, 2, 3, 4}}
	for _, wrong := range []int32{0, 1} {
		f := gen.File{
			Schema: []*gen.Node{gen.List("a", gen.Required("element", gen.Int64))},
			RowGroups: []gen.RowGroup{{Columns: []gen.Column{{Index: gen.NoIndex, Pages: []gen.Page{
				{Shape: gen.Shape{Version: 2}, Data: data, Header: func(h *wire.PageHeader) { h.DataPageHeaderV2.NumRows += wrong }},
				{Shape: gen.Shape{Version: 2}, Data: data, Header: func(h *wire.PageHeader) { h.DataPageHeaderV2.NumRows -= wrong }},
			}}}}},
		}
		opened := must[*file](t)(openFile(must[[]byte](t)(f.Write())))
		if _, err := readAll(opened, false, 100); (err != nil) != (wrong != 0) {
			t.Errorf("%d rows too many: %v", wrong, err)
		}
	}
}
