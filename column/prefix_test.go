package column

import (
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/page/codec/zstd"
)

// prefixFile has two pages of 20,000 numbers, or of strings of which the last
// tenth of a page is ten times as long.
func prefixFile(tb testing.TB, t gen.Type, nulls bool, version int, codec gen.Codec, crc gen.CRC) *file {
	tb.Helper()
	rows := make([]any, 40_000)
	for i := range rows {
		switch {
		case nulls && i%3 == 0:
			rows[i] = gen.Record{}
		case t == gen.ByteArray:
			rows[i] = gen.Record{"a": prefixText(i)}
		default:
			rows[i] = gen.Record{"a": i}
		}
	}
	col := gen.Column{Shape: gen.Shape{Version: version, CRC: crc}, Codec: codec, Index: gen.FullIndex, PageRows: []int{20_000}}
	node := gen.Required("a", t)
	if nulls {
		node = gen.Optional("a", t)
	}
	f := gen.File{Schema: []*gen.Node{node}, RowGroups: []gen.RowGroup{{Rows: rows, Columns: []gen.Column{col}}}}
	return must[*file](tb)(openFile(must[[]byte](tb)(f.Write())))
}

func prefixText(i int) string {
	s := strconv.Itoa(i)
	if i%20_000 >= 18_000 {
		s += strings.Repeat("-", 50)
	}
	return s
}

// TestPrefix reads rows at the front of pages, and counts how much of them is
// decompressed.
func TestPrefix(t *testing.T) {
	codecs := map[string]gen.Codec{"gzip": gen.Gzip}
	if zstd.HasKernels() { // without, a library decodes all but short prefixes whole
		codecs["zstd"] = gen.Zstd
	}
	for name, codec := range codecs {
		for _, typ := range []gen.Type{gen.Int64, gen.ByteArray} {
			for _, nulls := range []bool{false, true} {
				for version := 1; version <= 2; version++ {
					t.Run(name+"/"+strconv.Itoa(int(typ))+"/v"+strconv.Itoa(version)+"/"+strconv.FormatBool(nulls), func(t *testing.T) {
						src, raw, err := prefixFile(t, typ, nulls, version, codec, gen.RightCRC).source(0, 0, true)
						if err != nil {
							t.Fatal(err)
						}
						testPrefix(t, src, raw, nulls)
					})
				}
			}
		}
	}
}

func testPrefix(t *testing.T, src Source, raw []byte, nulls bool) {
	var chunk Chunk
	var cur Cursor
	if err := chunk.Reset(src); err != nil {
		t.Fatal(err)
	}
	read := func(sel *Selection, rows ...int) {
		t.Helper()
		var dst vector.Vector
		build.Reset(&dst, src.Leaf.Type)
		if err := cur.Read(sel, &dst); err != nil {
			t.Fatal(err)
		}
		if dst.Len != len(rows) {
			t.Fatalf("%d rows, want %d", dst.Len, len(rows))
		}
		for i, row := range rows {
			switch want := nulls && row%3 == 0; {
			case dst.IsNull(i) != want:
				t.Errorf("row %d: NULL is %v", row, !want)
			case want:
			case dst.Views != nil && string(dst.Bytes(i)) != prefixText(row), dst.Views == nil && dst.Int64s[i] != int64(row):
				t.Errorf("row %d is wrong", row)
			}
		}
	}
	choose := func(n int, rows ...int) *Selection {
		sel := new(Selection)
		sel.Clear(n)
		for _, i := range rows {
			sel.SetRange(i, i+1)
		}
		return sel
	}
	inflated := func() (bytes, again int64) { n := cur.Counters(); return n.Inflated, n.Redecompressed }

	// The front of page 0, the end of page 1.
	cur.Open(&chunk, &memory{chunk: raw, spoil: true}, Options{})
	cur.Window(40_000)
	read(choose(40_000, 1, 3, 7), 1, 3, 7)
	front, _ := inflated()
	read(choose(40_000, 39_999), 39_999)
	both, again := inflated()
	if page := both - front; front*2 > page || again != 0 {
		t.Errorf("%d bytes for the front of a page, %d for another, %d once more", front, page, again)
	}
	// What is after the front makes the page be decompressed again, once.
	read(choose(40_000, 5, 19_999), 5, 19_999)
	read(choose(40_000, 0, 19_998), 0, 19_998)
	if all, again := inflated(); again != 1 || all <= both {
		t.Errorf("%d bytes after %d, %d once more", all, both, again)
	}

	// Pieces of a window, of which it is known what is wanted.
	for _, told := range []bool{false, true} {
		cur.Open(&chunk, &memory{chunk: raw, spoil: true}, Options{})
		cur.Window(20_000)
		if told {
			cur.Expect(choose(20_000, 10, 4000), 0)
		}
		cur.Window(1000)
		read(choose(1000, 10), 10)
		cur.Advance(4000)
		cur.Window(5000)
		read(choose(1000, 0), 4000)
		cur.Close()
		if all, again := inflated(); (all*2 < both-front) != told || again != 0 {
			t.Errorf("expected %v: %d bytes, %d once more", told, all, again)
		}
	}
}

// TestPrefixIsChecked reads the front of a page whose checksum is wrong.
func TestPrefixIsChecked(t *testing.T) {
	src, raw, err := prefixFile(t, gen.Int64, false, 1, gen.Zstd, gen.WrongCRC).source(0, 0, true)
	if err != nil {
		t.Fatal(err)
	}
	var chunk Chunk
	var cur Cursor
	if err := chunk.Reset(src); err != nil {
		t.Fatal(err)
	}
	cur.Open(&chunk, &memory{chunk: raw}, Options{})
	cur.Window(20_000)
	var sel Selection
	sel.Clear(20_000)
	sel.SetRange(0, 1)
	var dst vector.Vector
	build.Reset(&dst, src.Leaf.Type)
	if err := cur.Read(&sel, &dst); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Error(err)
	}
}

// TestNoValues reads the levels of pages without making their values, and
// filters by values all the same.
func TestNoValues(t *testing.T) {
	for version := 1; version <= 2; version++ {
		for _, typ := range []gen.Type{gen.Int64, gen.ByteArray} {
			src, raw, err := prefixFile(t, typ, true, version, gen.Zstd, gen.RightCRC).source(0, 0, true)
			if err != nil {
				t.Fatal(err)
			}
			var chunk Chunk
			var cur Cursor
			var l Levels
			if err := chunk.Reset(src); err != nil {
				t.Fatal(err)
			}
			cur.Open(&chunk, &memory{chunk: raw, spoil: true}, Options{NoValues: true})
			cur.Window(20_000)
			l.Reset(src.Leaf.Type)
			if err := cur.ReadLevels(nil, &l); err != nil || len(l.Def) != 20_000 || l.Values.Len != 0 {
				t.Fatal(err, len(l.Def), l.Values.Len)
			}
			for i, d := range l.Def {
				if (d == 0) != (i%3 == 0) {
					t.Fatalf("row %d has level %d", i, d)
				}
			}
			if n := cur.Counters(); n.Inflated > 40_000 {
				t.Errorf("version %d: %d bytes for levels", version, n.Inflated)
			}
			var sel Selection
			sel.Fill(20_000)
			test := pred.Ints(100, 199)
			if typ == gen.ByteArray {
				test = pred.Text(pred.Prefix, []byte("7777"))
			}
			want := 0
			for i := range 20_000 {
				if i%3 != 0 && (typ == gen.Int64 && 100 <= i && i <= 199 || typ == gen.ByteArray && strings.HasPrefix(prefixText(i), "7777")) {
					want++
				}
			}
			if err := cur.Filter(&sel, test); err != nil || sel.Count() != want {
				t.Error(err, sel.Count(), want)
			}
			cur.Close()
			if n := cur.Counters(); n.Redecompressed != 1 || n.Pages != [Fates]int64{Unread: 1, Decoded: 1} {
				t.Errorf("version %d: %+v", version, n)
			}
		}
	}
}
