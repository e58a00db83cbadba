package scanner

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/record"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// goldenFile has two row groups of 1000 rows. id ascends and has 10 pages, key
// is scrambled and has a Bloom filter and 5 pages, text is long and has 20, n
// is a list with pages of 125 rows.
func goldenFile(t *testing.T) (*File, *record.Recorder) {
	var groups []gen.RowGroup
	for g := range 2 {
		var rows []any
		for i := range 1000 {
			id := int64(g*1000 + i)
			rows = append(rows, gen.Record{
				"id": id, "key": id * 7919 % 100_003, "text": strings.Repeat(fmt.Sprint(id), 40), "n": []any{id, id + 1},
			})
		}
		groups = append(groups, gen.RowGroup{Rows: rows, Columns: []gen.Column{
			{PageRows: []int{100}}, {PageRows: []int{200}, Bloom: 4096}, {PageRows: []int{50}}, {PageRows: []int{125}},
		}})
	}
	return recorded(t, scannertest.Write(t, gen.File{
		Schema: []*gen.Node{
			gen.Required("id", gen.Int64), gen.Required("key", gen.Int64),
			gen.Required("text", gen.ByteArray), gen.List("n", gen.Required("element", gen.Int64)),
		},
		RowGroups: groups, KeyValues: beyondTail,
	}))
}

// beyondTail makes a footer so long that no index comes with it.
var beyondTail = map[string]string{"padding": strings.Repeat("x", 4<<10)}

// places names the parts of a file.
type places []struct {
	name string
	at   fetch.Range
}

func placesOf(t *testing.T, f *File) (all places) {
	add := func(r fetch.Range, parts ...any) {
		all = append(all, struct {
			name string
			at   fetch.Range
		}{fmt.Sprint(parts...), r})
	}
	for g := range f.footer.RowGroups {
		for leaf, node := range f.schema.Leaves() {
			c, err := f.Chunk(g, leaf)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprint(node.Path()[0], g)
			if path := node.Path(); path[0] == "v" {
				name = strings.Join(path, ".")
			}
			add(fetch.Range{Off: c.ColumnIndexOffset, Len: int64(c.ColumnIndexLength)}, name, ".bounds")
			add(fetch.Range{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)}, name, ".places")
			if c.Meta.HasBloomFilter {
				add(fetch.Range{Off: c.Meta.BloomFilterOffset, Len: int64(c.Meta.BloomFilterLength)}, name, ".bloom")
			}
			for i, p := range offsetIndex(t, c).Pages {
				add(fetch.Range{Off: p.Offset, Len: int64(p.CompressedSize)}, name, "[", i, "]")
			}
		}
	}
	return all
}

// text names what reads touched: a part wholly, or how much of it.
func (p places) text(calls [][]fetch.Range) string {
	var lines []string
	for _, call := range calls {
		var parts []string
		for _, r := range call {
			for _, x := range p {
				from, to := max(r.Off, x.at.Off), min(r.End(), x.at.End())
				switch {
				case from >= to:
				case to-from == x.at.Len:
					parts = append(parts, x.name)
				default:
					parts = append(parts, fmt.Sprint(x.name, "(", to-from, " bytes)"))
				}
			}
		}
		lines = append(lines, strings.Join(parts, " "))
	}
	return strings.Join(lines, "\n")
}

// What filtered scans read, read by read, and nothing else.
func TestGoldenReads(t *testing.T) {
	f, rec := goldenFile(t)
	testReads(t, f, rec, []goldenReads{
		{"point lookup", "id = 1234", Options{}, 1, []string{
			"id1.bounds id1.places",
			"id1[2]",
			"key1.places text1.places n1.places",
			"key1[1]",
			"text1[4]",
			"n1[1]",
		}},
		{"range", "id BETWEEN 150 AND 420", Options{Select: []string{"key"}}, 271, []string{
			"id0.bounds id0.places",
			"id0[1]",
			"id0[4]",
			"key0.places",
			"key0[0]",
			"key0[1] key0[2]",
		}},
		{"Bloom miss", "key = 50000", Options{}, 0, []string{
			"key0.bounds key0.places",
			"key0.bloom(64 bytes)",
			"key0.bloom(32 bytes)",
			"key1.bounds key1.places",
			"key1.bloom(64 bytes)",
			"key1.bloom(32 bytes)",
		}},
		{"a test that a page is proven to pass", "id >= 1150", Options{Select: []string{"key"}}, 850, []string{
			"id1.bounds id1.places",
			"id1[1]",
			"key1.places",
			"key1[0]",
			"key1[1] key1[2] key1[3] key1[4]",
		}},
		{"nested skip", "id = 1234", Options{Select: []string{"n"}}, 1, []string{
			"id1.bounds id1.places",
			"id1[2]",
			"n1.places",
			"n1[1]",
		}},
		{"an item", "ANY(n AS i: i >= 1232 AND i < 1234 AND i <> 1233)", Options{Select: []string{"key"}}, 2, []string{
			"id0.places key0.places text0.places n0.places id1.places key1.places text1.places n1.bounds n1.places",
			"n1[1]",
			"key1.places",
			"key1[1]",
		}},
		{"survivors on few pages", "key = 7919", Options{Select: []string{"text"}}, 1, []string{
			"key0.bounds key0.places",
			"key0.bloom(64 bytes)",
			"key0.bloom(32 bytes)",
			"key0[0]",
			"key0[1] key0[2] key0[3] key0[4]",
			"text0.places",
			"text0[0]",
			"key1.bounds key1.places",
			"key1.bloom(64 bytes)",
			"key1.bloom(32 bytes)",
		}},
	})
}

// variantFile has a row group of 1000 rows and pages of 100. v.a is the row's number, and shredded, but in rows 300 to
// 399 as a field of v.value, and in rows 500 to 509 in v.typed_value.a.value as a text.
func variantFile(t *testing.T) (*File, *record.Recorder) {
	field := gen.Required("a", gen.Group, gen.Optional("value", gen.ByteArray), gen.Optional("typed_value", gen.Int64))
	group := gen.Optional("v", gen.Group, gen.Required("metadata", gen.ByteArray), gen.Optional("value", gen.ByteArray), gen.Optional("typed_value", gen.Group, field))
	group.Logical = gen.Logical{Kind: gen.KindVariant}
	var rows []any
	for i := range 1000 {
		a := gen.Record{"typed_value": int64(i)}
		v := gen.Record{"metadata": []byte("\x11\x01\x00\x01a"), "typed_value": gen.Record{"a": a}}
		switch {
		case i/100 == 3:
			delete(v, "typed_value")
			v["value"] = []byte{2, 1, 0, 0, 3, 4 << 2, byte(i), byte(i >> 8)}
		case i/10 == 50:
			delete(a, "typed_value")
			a["value"] = []byte(fmt.Sprintf("\x0d%03d", i))
		}
		rows = append(rows, gen.Record{"id": int64(i), "v": v})
	}
	return recorded(t, scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("id", gen.Int64), group},
		All:       gen.Column{PageRows: []int{100}},
		RowGroups: []gen.RowGroup{{Rows: rows}}, KeyValues: beyondTail,
	}))
}

// A shredded field prunes as a column does. Pages of value are read of rows alone that may not be shredded.
func TestGoldenReadsOfVariants(t *testing.T) {
	f, rec := variantFile(t)
	id := Options{Select: []string{"id"}, knobs: knobs.Knobs{FixedOrder: true}} // else times decide the order
	const (
		typed, value = "v.typed_value.a.typed_value", "v.typed_value.a.value"
		indexes      = "id0.places v.metadata.places v.value.bounds v.value.places " + value + ".bounds " + value + ".places " + typed + ".bounds " + typed + ".places"
	)
	const bounds = "id0.bounds id0.places v.metadata.bounds v.value.bounds " + value + ".bounds " + typed + ".bounds"
	a := Options{Select: []string{"v.a::BIGINT"}}
	notShredded := []string{typed + "[3]", "v.metadata.places", "v.metadata[3]", "v.value[3]"}
	texts := []string{typed + "[5]", value + "[5]", "v.metadata[5]"}
	testReads(t, f, rec, []goldenReads{
		{"a shredded value", "v.a = 250", id, 1, []string{
			indexes, typed + "[2]", "id0.places", "id0[2]", typed + "[5]", value + "[5]", "v.metadata.places", "v.metadata[5]", typed + "[3]", "v.metadata[3]", "v.value[3]",
		}},
		{"none", "v.a = 2000", id, 0, slices.Concat([]string{indexes}, notShredded, texts)},
		{"a value that is not shredded", "v.a BETWEEN 398 AND 401", id, 4, slices.Concat([]string{indexes}, notShredded,
			[]string{"id0.places", "id0[3]", typed + "[4] " + typed + "[5]"}, texts[1:], []string{"id0[4] id0[5]"})},
		{"a text", "v.a = '507'", id, 1, slices.Concat([]string{indexes}, notShredded, texts, []string{"id0.places", "id0[5]"})},
		{"a shredded value is selected", "id = 250", a, 1, []string{bounds, "id0[2]", typed + ".places", typed + "[2]"}},
		{"one that is not", "id = 350", a, 1, []string{bounds, "id0[3]", typed + ".places", typed + "[3]", "v.value.places", "v.value[3]", "v.metadata.places", "v.metadata[3]"}},
		{"a text", "id = 507", a, 1, []string{bounds, "id0[5]", typed + ".places", typed + "[5]", value + ".places", value + "[5]", "v.metadata.places", "v.metadata[5]"}},
		{"none is NULL", "v.a IS NULL", id, 0, slices.Concat([]string{indexes}, notShredded, texts)},
	})
}

// goldenReads are what a filtered scan reads.
type goldenReads struct {
	name, where string
	o           Options
	rows        int
	want        []string // read by read
}

func testReads(t *testing.T, f *File, rec *record.Recorder, all []goldenReads) {
	names := placesOf(t, f)
	rec.Take()
	for _, tc := range all {
		e, err := filter.Parse(tc.where)
		if err != nil {
			t.Fatal(err)
		}
		tc.o.Filter = e
		rows := 0
		for b, err := range f.Scan(t.Context(), tc.o) {
			if err != nil {
				t.Fatal(err)
			}
			rows += b.Len
		}
		if rows != tc.rows {
			t.Errorf("%s: %d rows, want %d", tc.name, rows, tc.rows)
		}
		if got, want := names.text(rec.Take()), strings.Join(tc.want, "\n"); got != want {
			t.Errorf("%s reads\n%s\nwant\n%s", tc.name, got, want)
		}
	}
}

// Where pages of a returned column are is read once one may have no row that passes.
// In the bubble nothing takes long, for which windows would be halved.
func TestDense(t *testing.T) { synctest.Test(t, testDense) }

func testDense(t *testing.T) {
	const n = 40_000
	var records []any
	for i := range n {
		records = append(records, gen.Record{"x": i * 7919 % 1000, "y": i})
	}
	f, rec := recorded(t, scannertest.Write(t, gen.File{
		Schema:    []*gen.Node{gen.Required("x", gen.Int64), gen.Required("y", gen.Int64)},
		All:       gen.Column{PageRows: []int{5000}, Index: gen.FullIndex},
		RowGroups: []gen.RowGroup{{Rows: records}}, KeyValues: beyondTail,
	}))
	names := placesOf(t, f)
	for _, c := range []struct {
		filter  *filter.Expr
		rows    int
		located bool
	}{
		{filter.Col("x").Ge(0), n, false},
		{filter.Col("x").Ge(10), n / 100 * 99, false},
		{filter.Col("x").Ge(400), n / 10 * 6, false}, // more are dropped of a window than a page has, but one by one
		{filter.Col("x").Ge(990), n / 100, true},
		{filter.And(filter.Col("x").Ge(10), filter.Col("y").Ge(12_000)), 27_720, true},
	} {
		rec.Take()
		var stats Stats
		rows := 0
		for b, err := range f.Scan(t.Context(), Options{Select: []string{"y"}, Filter: c.filter, Stats: &stats}) {
			if err != nil {
				t.Fatal(err)
			}
			rows += b.Len
		}
		if located := strings.Contains(names.text(rec.Take()), "y0.places"); rows != c.rows || located != c.located {
			t.Errorf("%s: %d rows, located %v, want %d, %v", c.filter, rows, located, c.rows, c.located)
		}
		for _, column := range stats.Columns {
			pages := int64(0)
			for _, n := range column.Pages {
				pages += n
			}
			if pages != 8 {
				t.Errorf("%s: %d pages of %s are counted", c.filter, pages, column.Leaf)
			}
		}
	}
}
