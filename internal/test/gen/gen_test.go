package gen

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// everyType is a schema with each physical type, nested and not.
func everyType() []*Node {
	return []*Node{
		Optional("b", Boolean), Required("i", Int32), Optional("l", Int64), Optional("t", Int96),
		Optional("f", Float), Optional("d", Double), Optional("s", ByteArray).As(StringType()),
		Optional("x", FixedLenByteArray).Len(3),
		List("tags", Optional("element", ByteArray)),
		Map("attrs", Required("key", ByteArray).As(StringType()), Optional("value", Int32)),
		Repeated("rep", Int64),
	}
}

func someRows(n int) []any {
	var rows []any
	for i := range n {
		r := Record{"i": i * 7 % 13}
		if i%5 != 0 {
			r["b"], r["l"], r["t"] = i%3 == 0, int64(i)<<40-5, [12]byte{byte(i), 11: 0}
			r["f"], r["d"] = float32(i)/3, -float64(i)/7
			r["s"], r["x"] = fmt.Sprintf("text %d", i/2), fmt.Sprintf("%03d", i)
		}
		switch i % 4 {
		case 1:
			r["tags"], r["attrs"] = []any{}, []KV{}
		case 2:
			r["tags"], r["attrs"] = []any{nil}, []KV{{"k", nil}}
			r["rep"] = []any{i, i + 1, i + 2}
		case 3:
			r["tags"], r["attrs"] = []any{"x", nil, "y"}, []KV{{"k", i}, {"l", nil}}
		}
		rows = append(rows, r)
	}
	return rows
}

// check reads f back and compares what each column holds.
func check(t *testing.T, f *File) [][]readPage {
	t.Helper()
	w, err := f.Build()
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.Write()
	if err != nil || !bytes.Equal(again, w.Bytes) {
		t.Fatal("the same File gave other bytes")
	}
	m := readFooter(t, w.Bytes)
	if !reflect.DeepEqual(m, w.Footer) {
		t.Error("the footer reads other than it was written")
	}
	var all [][]readPage
	for g, rg := range f.RowGroups {
		want, err := Shred(f.Schema, rg.Rows)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range Leaves(f.Schema) {
			chunk := m.RowGroups[g].Columns[i]
			pages := readChunk(t, w.Bytes, l, chunk.MetaData)
			got := Data{Values: noValues(l.Type)}
			for _, p := range pages {
				got.Rep, got.Def = append(got.Rep, p.Rep...), append(got.Def, p.Def...)
				got.Values = joinValues(got.Values, p.Values)
			}
			if !slices.Equal(got.Rep, want[i].Rep) || !slices.Equal(got.Def, want[i].Def) ||
				fmt.Sprint(got.Values) != fmt.Sprint(want[i].Values) {
				t.Errorf("row group %d, %v:\n got %v\nwant %v", g, l.Path, got, want[i])
			}
			if int(chunk.MetaData.NumValues) != want[i].Slots() {
				t.Errorf("%v: num_values is %d of %d", l.Path, chunk.MetaData.NumValues, want[i].Slots())
			}
			all = append(all, pages)
		}
	}
	return all
}

func TestCodecsAndVersionsReadBack(t *testing.T) {
	for version := 1; version <= 2; version++ {
		for c := Uncompressed; c <= LZ4Frame; c++ {
			t.Run(fmt.Sprintf("version=%d/codec=%d", version, c), func(t *testing.T) {
				check(t, &File{
					Schema:    everyType(),
					RowGroups: []RowGroup{{Rows: someRows(40)}, {Rows: someRows(1)}, {Rows: []any{}}},
					All:       Column{Codec: c, PageRows: []int{7, 0, 11}, Shape: Shape{Version: version}},
				})
			})
		}
	}
}

func TestEncodingsReadBack(t *testing.T) {
	for e := Plain; e < encodingsEnd; e++ {
		types := TypesOf(e)
		if e == Dictionary || e == PlainDictionary {
			types = append(TypesOf(Dictionary), Boolean) // which no reader is asked for
		}
		if len(types) == 0 {
			t.Errorf("%v: EncodingsOf has no type for it", e.Wire())
		}
		for runs := CommonRuns; runs <= CutRuns; runs++ {
			for version := 1; version <= 2; version++ {
				f := &File{Schema: everyType(), RowGroups: []RowGroup{{Rows: someRows(50)}}}
				f.All = Column{PageRows: []int{20}, Shape: Shape{Version: version, Runs: runs}}
				for _, l := range Leaves(f.Schema) {
					c := Column{}
					if slices.Contains(types, l.Type) {
						c.Encoding = e
					}
					f.RowGroups[0].Columns = append(f.RowGroups[0].Columns, c)
				}
				check(t, f)
			}
		}
	}
}

// EncodingsOf has what can be written, and no more.
func TestEncodingsTakeTheirTypes(t *testing.T) {
	for typ := Boolean; typ <= FixedLenByteArray; typ++ {
		l := Leaf{Node: Required("x", typ).Len(3)}
		for e := Plain; e < encodingsEnd; e++ {
			if e == Dictionary || e == PlainDictionary {
				continue // of any type
			}
			_, err := (&chunk{leaf: l}).values(&Page{Shape: Shape{Encoding: e}, Data: Data{Values: noValues(typ)}})
			if has := slices.Contains(EncodingsOf(typ), e); has != (err == nil) {
				t.Errorf("%v in %v: EncodingsOf has it: %v; writing it: %v", typ.thrift(), e.Wire(), has, err)
			}
		}
	}
}

func TestDictionaryFallsBackToPlain(t *testing.T) {
	f := &File{
		Schema:    []*Node{Optional("s", ByteArray)},
		RowGroups: []RowGroup{{Rows: []any{Record{"s": "a"}, Record{}, Record{"s": "b"}, Record{"s": "c"}}}},
		All: Column{
			PageRows: []int{2}, PageShapes: []Shape{{Encoding: Dictionary}, {Encoding: Plain}},
			IndexWidth: 9,
		},
	}
	pages := check(t, f)[0]
	if e := pages[1].header.DataPageHeader.Encoding; e != wire.Encoding_PLAIN || len(pages) != 2 {
		t.Errorf("second of %d pages is %v", len(pages), e)
	}
}

func TestPagesMayStartInMidRow(t *testing.T) {
	f := &File{
		Schema:    []*Node{List("a", Required("element", Int32))},
		RowGroups: []RowGroup{{Rows: []any{Record{"a": []any{1, 2, 3, 4}}, Record{"a": []any{5}}}}},
		All:       Column{PageSlots: []int{2}, Index: NoIndex},
	}
	pages := check(t, f)[0]
	if pages[1].Rep[0] != 1 {
		t.Errorf("second page starts with repetition level %d", pages[1].Rep[0])
	}
	f.All.Index = 0
	if _, err := f.Write(); err == nil || !strings.Contains(err.Error(), "mid-row") {
		t.Errorf("an offset index for mid-row pages: %v", err)
	}
}

func TestBitPackedLevels(t *testing.T) {
	f := &File{Schema: everyType(), RowGroups: []RowGroup{{Rows: someRows(30)}}}
	f.All.Shape.Levels = BitPacked
	check(t, f)

	// LSB first: definition levels 1 0 1 1 of one bit, with no prefix, then the values.
	f = &File{Schema: []*Node{Optional("b", ByteArray)}, RowGroups: []RowGroup{{Rows: []any{
		Record{"b": "x"}, Record{}, Record{"b": "y"}, Record{"b": "z"},
	}}}, All: Column{Shape: Shape{Levels: BitPackedLSB}}}
	w, err := f.Build()
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Bytes[w.Pages[0][0][0].Body]; got != 0b1101 {
		t.Errorf("levels are %04b", got)
	}
}

// The example of the Dremel paper, as the format's documents carry it.
func TestShredsTheDremelExample(t *testing.T) {
	schema := []*Node{
		Required("DocId", Int64),
		Optional("Links", Group, Repeated("Backward", Int64), Repeated("Forward", Int64)),
		Repeated("Name", Group,
			Repeated("Language", Group, Required("Code", ByteArray), Optional("Country", ByteArray)),
			Optional("Url", ByteArray)),
	}
	rows := []any{
		Record{"DocId": 10, "Links": Record{"Forward": []any{20, 40, 60}}, "Name": []any{
			Record{"Language": []any{Record{"Code": "en-us", "Country": "us"}, Record{"Code": "en"}}, "Url": "http://A"},
			Record{"Url": "http://B"},
			Record{"Language": []any{Record{"Code": "en-gb", "Country": "gb"}}},
		}},
		Record{"DocId": 20, "Links": Record{"Backward": []any{10, 30}, "Forward": []any{80}}, "Name": []any{Record{"Url": "http://C"}}},
	}
	got, err := Shred(schema, rows)
	if err != nil {
		t.Fatal(err)
	}
	want := []Data{
		{nil, nil, []int64{10, 20}},
		{[]uint32{0, 0, 1}, []uint32{1, 2, 2}, []int64{10, 30}},
		{[]uint32{0, 1, 1, 0}, []uint32{2, 2, 2, 2}, []int64{20, 40, 60, 80}},
		{[]uint32{0, 2, 1, 1, 0}, []uint32{2, 2, 1, 2, 1}, []string{"en-us", "en", "en-gb"}},
		{[]uint32{0, 2, 1, 1, 0}, []uint32{3, 2, 1, 3, 1}, []string{"us", "gb"}},
		{[]uint32{0, 1, 1, 0}, []uint32{2, 2, 1, 2}, []string{"http://A", "http://B", "http://C"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestListsOfNothing(t *testing.T) {
	schema := []*Node{List("a", Optional("element", Int32))}
	rows := []any{Record{}, Record{"a": []any{}}, Record{"a": []any{nil}}, Record{"a": []any{1, nil}}}
	got, err := Shred(schema, rows)
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint32{0, 1, 2, 3, 2}; !slices.Equal(got[0].Def, want) {
		t.Errorf("definition levels %v, want %v", got[0].Def, want)
	}
	f := File{Schema: schema, RowGroups: []RowGroup{{Rows: rows}}}
	lines, err := f.JSONLines()
	if want := "{\"a\":null}\n{\"a\":[]}\n{\"a\":[null]}\n{\"a\":[1,null]}\n"; string(lines) != want || err != nil {
		t.Errorf("got %s, %v", lines, err)
	}
}

func TestWrongRowsAreRefused(t *testing.T) {
	schema := []*Node{Required("a", Int32), Optional("x", FixedLenByteArray).Len(2)}
	for _, row := range []any{Record{}, Record{"a": "1"}, Record{"a": 1, "b": 2}, Record{"a": 1, "x": "abc"}, 7} {
		if _, err := Shred(schema, []any{row}); err == nil {
			t.Errorf("%v passed", row)
		}
	}
}

// corpus opens a file of the shared corpus.
func corpus(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../../../shared/corpus", name))
	if err != nil && os.Getenv("WINNOW_CORPUS_REQUIRED") != "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A filter that another writer made of the same words has the same bits.
func TestBloomFilterOfAnotherWriter(t *testing.T) {
	theirs := corpus(t, "parquet-testing/data/bloom_filter.xxhash.bin")
	f := &File{
		Schema: []*Node{Required("w", ByteArray)},
		RowGroups: []RowGroup{{Rows: []any{
			Record{"w": "hello"}, Record{"w": "parquet"}, Record{"w": "bloom"}, Record{"w": "filter"},
		}}},
		All: Column{Bloom: 1024},
	}
	b, err := f.Write()
	if err != nil {
		t.Fatal(err)
	}
	m := readFooter(t, b).RowGroups[0].Columns[0].MetaData
	at := *m.BloomFilterOffset
	h := wire.NewBloomFilterHeader()
	n := readThrift(t, b[at:], h)
	ours := b[at+int64(n) : at+int64(*m.BloomFilterLength)]
	if int(h.NumBytes) != len(ours) || !bytes.HasSuffix(theirs, ours) {
		t.Error("the filter's bits differ")
	}
}
