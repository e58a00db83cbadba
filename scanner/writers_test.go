package scanner

import (
	"fmt"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// wrongFile is a file of rows {id, x} whose metadata of x are made wrong.
type wrongFile struct {
	node *gen.Node
	x    []any // nil: NULL
	gen.Column
}

// open makes a writer's file of it.
func (w *wrongFile) open(t *testing.T, createdBy string) *File {
	t.Helper()
	var rows []any
	for i, v := range w.x {
		r := gen.Record{"id": i}
		if v != nil {
			r["x"] = v
		}
		rows = append(rows, r)
	}
	f := gen.File{Schema: []*gen.Node{gen.Required("id", gen.Int64), w.node}, CreatedBy: createdBy}
	f.RowGroups = []gen.RowGroup{{Rows: rows, Columns: []gen.Column{{}, w.Column}}}
	return fileOf(t, f)
}

// statistics changes those of a chunk.
func statistics(change func(*wire.Statistics)) func(*wire.ColumnChunk) {
	return func(c *wire.ColumnChunk) { change(c.MetaData.Statistics) }
}

func nullCount(n int64) func(*wire.ColumnChunk) {
	return statistics(func(s *wire.Statistics) { s.NullCount = &n })
}

func greatestOf(v string) func(*wire.ColumnChunk) {
	exact := true
	return statistics(func(s *wire.Statistics) { s.MaxValue, s.IsMaxValueExact = []byte(v), &exact })
}

// Writers that are known to be wrong are not believed, and all rows come; of the same
// file by a writer that is right, the rows show that the metadata are wrong indeed.
func TestWritersThatAreWrong(t *testing.T) {
	text := func() *gen.Node { return gen.Optional("x", gen.ByteArray).As(gen.StringType()) }
	inDictionary := gen.Shape{Encoding: gen.Dictionary}
	texts := []any{"a", nil, "b", "z", nil, "c"}
	of := func(node *gen.Node, x []any, c gen.Column) wrongFile { return wrongFile{node, x, c} }
	halfCounted := of(text(), texts, gen.Column{Shape: inDictionary, Index: gen.NoIndex, Meta: nullCount(0)})
	allNull := of(text(), texts, gen.Column{Shape: inDictionary, Index: gen.NoIndex, Stats: gen.NullCount, Meta: nullCount(6)})
	firstBatch := of(text(), texts, gen.Column{Shape: inDictionary, Index: gen.NoIndex, Meta: greatestOf("b")})
	pageOfBatch := of(text(), texts, gen.Column{Shape: inDictionary, PageRows: []int{3}, ColumnIndex: func(x *wire.ColumnIndex) {
		x.MaxValues[1] = []byte("c")
	}})
	nullsOfBatch := of(text(), texts, gen.Column{Shape: inDictionary, PageRows: []int{3}, Meta: func(c *wire.ColumnChunk) {
		c.MetaData.Statistics = nil
	}, ColumnIndex: func(x *wire.ColumnIndex) { x.NullCounts[1] = 0 }})
	byLength := of(text(), []any{"andover", "reading", "bedford", "tewsbury", "lexington"}, gen.Column{Index: gen.NoIndex, Meta: greatestOf("lexington")})
	reused := of(text(), texts, gen.Column{Index: gen.NoIndex, Meta: greatestOf("c")})
	signedBytes := of(gen.Optional("x", gen.FixedLenByteArray).Len(2).As(gen.DecimalType(4, 0)), []any{"\x00\x00", "\x01\x01", "\x01\x80"},
		gen.Column{Index: gen.NoIndex, Meta: greatestOf("\x01\x01")})
	asText := of(gen.Optional("x", gen.ByteArray).As(gen.DecimalType(4, 0)), []any{"\x00", "\x02", "\x01\x00"},
		gen.Column{Index: gen.NoIndex, Meta: greatestOf("\x02")})
	inStruct := of(gen.Optional("x", gen.Group, gen.Optional("y", gen.Int32)), []any{gen.Record{"y": 1}, nil, gen.Record{}},
		gen.Column{Index: gen.NoIndex, Meta: nullCount(0)})

	for _, test := range []struct {
		file         wrongFile
		wrong, right string // writers
		where        string
		want, lost   []int // rows, and those by a writer that is believed
	}{
		{halfCounted, "parquet-cpp-arrow version 5.0.0", "parquet-cpp-arrow version 11.0.0", "x IS NOT NULL", []int{0, 2, 3, 5}, []int{0, 1, 2, 3, 4, 5}},
		{halfCounted, "parquet-cpp-arrow version 5.0.0", "parquet-cpp-arrow version 11.0.0", "x IS NULL", []int{1, 4}, nil},
		{halfCounted, "parquet-cpp-arrow version 5.0.0", "parquet-cpp-arrow version 11.0.0", "x >= 'a'", []int{0, 2, 3, 5}, []int{0, 1, 2, 3, 4, 5}},
		{halfCounted, "parquet-cpp version 1.5.1-SNAPSHOT", "parquet-cpp-arrow version 12.0.0", "x IS NULL", []int{1, 4}, nil},
		{firstBatch, "parquet-cpp-arrow version 10.0.1", "parquet-cpp-arrow version 11.0.0", "x = 'z'", []int{3}, nil},
		{firstBatch, "parquet-cpp-arrow version 6.0.0", "parquet-cpp-arrow version 5.0.0", "x > 'b'", []int{3, 5}, nil},
		{halfCounted, "parquet-cpp-arrow version 10.0.1", "parquet-cpp-arrow version 11.0.0", "x IS NULL", []int{1, 4}, nil},
		{pageOfBatch, "parquet-cpp-arrow version 11.0.0", "parquet-cpp-arrow version 12.0.0", "x = 'z'", []int{3}, nil},
		{nullsOfBatch, "parquet-cpp-arrow version 11.0.0", "parquet-cpp-arrow version 12.0.0", "x IS NULL", []int{1, 4}, []int{1}},
		{halfCounted, "Arrow2 - Native Rust implementation of Arrow", "winnow", "x IS NOT NULL", []int{0, 2, 3, 5}, []int{0, 1, 2, 3, 4, 5}},
		{allNull, "Polars", "Polars (python) version 2.1.0 (build abc)", "x IS NOT NULL", []int{0, 2, 3, 5}, nil},
		{allNull, "Polars", "Polars (python) version 2.1.0 (build abc)", "x = 'z'", []int{3}, nil},
		{inStruct, "Polars", "Polars (python) version 2.1.0 (build abc)", "x.y IS NULL", []int{1, 2}, nil},
		{inStruct, "Polars", "Polars (python) version 2.1.0 (build abc)", "x IS NULL", []int{1}, nil},
		{byLength, "parquet-rs version 5.1.0", "parquet-rs version 5.2.0", "x = 'tewsbury'", []int{3}, nil},
		{signedBytes, "parquet-cpp version 1.5.1-SNAPSHOT", "parquet-cpp-arrow version 4.0.0", "x = 384", []int{2}, nil},
		{asText, "parquet-rs version 56.0.0", "parquet-mr version 1.15.0 (build abc)", "x = 256", []int{2}, nil},
		{asText, "github.com/parquet-go/parquet-go version 0.32.0(build )", "github.com/parquet-go/parquet-go version 0.33.0(build )", "x > 2", []int{2}, nil},
		{reused, "parquet-mr version 1.7.0 (build abc)", "parquet-mr version 1.8.0 (build abc)", "x = 'z'", []int{3}, nil},
	} {
		for writer, want := range map[string][]int{test.wrong: test.want, test.right: test.lost} {
			o := Options{Filter: scannertest.Parsed(t, test.where), Select: []string{"id"}}
			// Not by the dictionary: it would find what the statistics hide.
			o.knobs.NoDictionaries = true
			var rows []string
			for _, id := range want {
				rows = append(rows, fmt.Sprintf(`{"id":%d}`, id))
			}
			if got := lines(t, test.file.open(t, writer), o); !slices.Equal(got, rows) {
				t.Errorf("%s by %s: %v, want %v", test.where, writer, got, rows)
			}
		}
	}
}

// Bounds that are not believed are not the answer either.
func TestExtremesOfWrongWriters(t *testing.T) {
	node := gen.Optional("x", gen.ByteArray).As(gen.StringType())
	w := wrongFile{node, []any{"a", nil, "b", "z", nil, "c"}, gen.Column{Shape: gen.Shape{Encoding: gen.Dictionary}, PageRows: []int{3},
		Meta: greatestOf("b"), ColumnIndex: func(x *wire.ColumnIndex) { x.MaxValues[1] = []byte("a") }}}
	for writer, want := range map[string][2]string{
		"parquet-cpp-arrow version 10.0.1": {`"z"`, `{"id":3}`},
		"parquet-cpp-arrow version 12.0.0": {`"b"`, `{"id":2}`},
	} {
		f := w.open(t, writer)
		v, err := f.Max(t.Context(), "x", Options{})
		if got := scannertest.Shown(t, v, err); got != want[0] {
			t.Errorf("by %s: the greatest is %s, want %s", writer, got, want[0])
		}
		var top []string
		for b, err := range f.Top(t.Context(), Order{By: "x", Descending: true}, Options{Limit: 1, Select: []string{"id"}}) {
			if err != nil {
				t.Fatal(err)
			}
			top = append(top, scannertest.Lines(t, b)...)
		}
		if !slices.Equal(top, []string{want[1]}) {
			t.Errorf("by %s: the first row is %v, want %s", writer, top, want[1])
		}
	}
}

// Impala packed levels from the lowest bit on. Where they could be either, its name
// tells; where they could not, what makes sense does.
func TestLevelsOfImpala(t *testing.T) {
	for _, test := range []struct {
		createdBy string
		levels    gen.Levels
		x         []any
	}{
		{"impala version 1.3.0-INTERNAL (build abc)", gen.BitPackedLSB, []any{1, 2, 3, 4, nil, nil, nil, nil}},
		{"impala version 1.3.0-INTERNAL (build abc)", gen.BitPackedLSB, []any{1, nil, 3, nil, 5, nil, 7, nil}},
		{"impala version 1.3.0-INTERNAL (build abc)", gen.BitPacked, []any{1, 2, 3, nil, nil}},
		{"parquet-mr version 1.8.0 (build abc)", gen.BitPacked, []any{1, 2, 3, 4, nil, nil, nil, nil}},
		{"parquet-mr version 1.8.0 (build abc)", gen.BitPackedLSB, []any{1, 2, 3, nil, nil}},
	} {
		w := wrongFile{gen.Optional("x", gen.Int32), test.x, gen.Column{Shape: gen.Shape{Levels: test.levels}}}
		var want, nulls []string
		for i, v := range test.x {
			if v == nil {
				nulls = append(nulls, fmt.Sprintf(`{"id":%d}`, i))
				want = append(want, `{"x":null}`)
			} else {
				want = append(want, fmt.Sprintf(`{"x":%d}`, v))
			}
		}
		f := w.open(t, test.createdBy)
		if got := lines(t, f, Options{Select: []string{"x"}}); !slices.Equal(got, want) {
			t.Errorf("by %s: %v, want %v", test.createdBy, got, want)
		}
		if got := lines(t, f, Options{Select: []string{"id"}, Filter: scannertest.Parsed(t, "x IS NULL")}); !slices.Equal(got, nulls) {
			t.Errorf("by %s: NULL are %v, want %v", test.createdBy, got, nulls)
		}
	}
}

// A Bloom filter of another size than the footer tells, or than there is room for,
// proves nothing: keys that are there would be looked up in the wrong blocks.
func TestBloomOfWrongSize(t *testing.T) {
	const half = "\x15\x80\x20" // numBytes: 2048
	for _, noLength := range []bool{false, true} {
		for _, header := range []string{"", half} {
			var groups []gen.RowGroup
			for g := range 2 {
				var rows []any
				for i := range 100 {
					rows = append(rows, gen.Record{"x": 1000*g + 2*i, "y": i})
				}
				groups = append(groups, gen.RowGroup{Rows: rows})
			}
			b := scannertest.Write(t, gen.File{Schema: []*gen.Node{gen.Required("x", gen.Int64), gen.Required("y", gen.Int64)}, RowGroups: groups,
				All: gen.Column{Bloom: 4096, BloomNoLength: noLength, Index: gen.NoIndex}})
			f, err := OpenSource(t.Context(), "f.parquet", fetch.FromBytes(b))
			if err != nil {
				t.Fatal(err)
			}
			for g := range 2 {
				c, err := f.Chunk(g, 0)
				if err != nil {
					t.Fatal(err)
				}
				copy(b[c.Meta.BloomFilterOffset:], header)
			}
			for key := range int64(200) {
				n, err := f.Count(t.Context(), Options{Filter: scannertest.Parsed(t, fmt.Sprint("x = ", key))})
				if err != nil || n != (key+1)%2 {
					t.Fatalf("no length %v, header %x: %d rows of %d, %v", noLength, header, n, key, err)
				}
			}
			p, err := f.Plan(t.Context(), Options{Filter: scannertest.Parsed(t, "x = 101")})
			if err != nil {
				t.Fatal(err)
			}
			var invalid []string
			bloom := int64(0)
			for _, g := range p.Groups {
				bloom += g.ByBloom
				for _, x := range g.Invalid {
					invalid = append(invalid, x.Part)
				}
			}
			if wrong := header != ""; wrong != slices.Equal(invalid, []string{"Bloom filter header"}) || wrong != (bloom == 0) {
				t.Errorf("no length %v, header %x: %d rows pruned, invalid: %v", noLength, header, bloom, invalid)
			}
		}
	}
}
