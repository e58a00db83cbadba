package pageindex

import (
	"fmt"
	"math"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// What is made of pages whose entries are odd, each among 40 that are not: they
// have 10 rows, and the values 1 to 5.
func TestOddPages(t *testing.T) {
	nan := f64(math.NaN())
	for _, test := range []struct {
		what      string
		odd       func(x *wire.ColumnIndex, i int)
		where     string
		none, all string // but for the odd page, which has rows 200 to 209
	}{
		{"as the others", nil, "v > 7", "[{0 400}]", "[]"},
		{"as the others", nil, "v < 7", "[]", "[{0 400}]"},
		{"short bound", func(x *wire.ColumnIndex, i int) { x.MinValues[i] = []byte{1} }, "v > 7", "[{0 200} {210 400}]", "[]"},
		{"NaN bound", func(x *wire.ColumnIndex, i int) { x.MaxValues[i] = nan }, "v > 7", "[{0 200} {210 400}]", "[]"},
		{"NaN bound", func(x *wire.ColumnIndex, i int) { x.MaxValues[i] = nan }, "v < 7", "[]", "[{0 200} {210 400}]"},
		{"inverted", func(x *wire.ColumnIndex, i int) { x.MinValues[i], x.MaxValues[i] = f64(9), f64(8) }, "v > 7", "[{0 200} {210 400}]", "[]"},
		{"greater", func(x *wire.ColumnIndex, i int) { x.MinValues[i], x.MaxValues[i] = f64(8), f64(9) }, "v > 7", "[{0 200} {210 400}]", "[{200 210}]"},
		{"less", func(x *wire.ColumnIndex, i int) { x.MinValues[i] = f64(-9) }, "v < 0", "[{0 200} {210 400}]", "[]"},
		{"wider", func(x *wire.ColumnIndex, i int) { x.MinValues[i] = f64(-9) }, "v < 0 OR v = 3", "[]", "[]"},
		{"nulls", func(x *wire.ColumnIndex, i int) { x.NullPages[i], x.NullCounts[i] = true, 10 }, "v < 7", "[{200 210}]", "[{0 200} {210 400}]"},
		{"nulls", func(x *wire.ColumnIndex, i int) { x.NullPages[i], x.NullCounts[i] = true, 10 }, "v > 7", "[{0 400}]", "[]"},
		{"nulls", func(x *wire.ColumnIndex, i int) { x.NullPages[i], x.NullCounts[i] = true, 10 }, "v IS NULL", "[{0 200} {210 400}]", "[{200 210}]"},
		{"a null", func(x *wire.ColumnIndex, i int) { x.NullCounts[i] = 1 }, "v < 7", "[]", "[{0 200} {210 400}]"},
		{"a null", func(x *wire.ColumnIndex, i int) { x.NullCounts[i] = 1 }, "v IS NULL", "[{0 200} {210 400}]", "[]"},
		{"unknown nulls", func(x *wire.ColumnIndex, i int) { x.NullCounts[i] = -1 }, "v < 7", "[]", "[{0 200} {210 400}]"},
		{"unknown nulls", func(x *wire.ColumnIndex, i int) { x.NullCounts[i] = -1 }, "v > 7", "[{0 400}]", "[]"},
		{"a NaN", func(x *wire.ColumnIndex, i int) { x.NanCounts[i] = 1 }, "v < 7", "[]", "[{0 200} {210 400}]"},
		{"unknown NaNs", func(x *wire.ColumnIndex, i int) { x.NanCounts[i] = -1 }, "v < 7", "[]", "[{0 200} {210 400}]"},
		{"NaNs alone", func(x *wire.ColumnIndex, i int) { x.NanCounts[i], x.MinValues[i], x.MaxValues[i] = 10, nan, nan }, "v < 7", "[{200 210}]", "[{0 200} {210 400}]"},
		{"NaNs alone", func(x *wire.ColumnIndex, i int) { x.NanCounts[i], x.MinValues[i], x.MaxValues[i] = 10, nan, nan }, "v <> 7", "[]", "[{0 400}]"},
		{"levels against nulls", func(x *wire.ColumnIndex, i int) { levels(x, i, 1, 9) }, "v < 7", "[]", "[{0 200} {210 400}]"},
		{"levels of too many", func(x *wire.ColumnIndex, i int) { levels(x, i, 0, 11) }, "v < 7", "[]", "[{0 200} {210 400}]"},
		{"levels below zero", func(x *wire.ColumnIndex, i int) { levels(x, i, -1, 11) }, "v < 7", "[]", "[{0 200} {210 400}]"},
		{"levels that tell of nulls", func(x *wire.ColumnIndex, i int) { levels(x, i, 1, 9); x.NullCounts[i] = -1 }, "v < 7", "[]", "[{0 200} {210 400}]"},
		{"levels that tell of none", func(x *wire.ColumnIndex, i int) { levels(x, i, 0, 10); x.NullCounts[i] = -1 }, "v < 7", "[]", "[{0 400}]"},
		{"nulls with values", func(x *wire.ColumnIndex, i int) { x.NullPages[i], x.NullCounts[i] = true, -1; levels(x, i, 9, 1) }, "v > 7", "[{0 200} {210 400}]", "[]"},
	} {
		x, o := longIndex(40, func(int) int64 { return 0 })
		for i := range 40 {
			x.MinValues[i], x.MaxValues[i] = f64(1), f64(5)
			x.NanCounts = append(x.NanCounts, 0)
		}
		if test.odd != nil {
			test.odd(x, 20)
		}
		none, all := judgeIndex(t, gen.Optional("v", gen.Double), thrift.OrderIEEE754, x, o, test.where)
		if fmt.Sprint(none) != test.none || fmt.Sprint(all) != test.all {
			t.Errorf("%s, %s: none %v, all %v; want %s, %s", test.what, test.where, none, all, test.none, test.all)
		}
	}
}

// levels gives page i so many nulls and values, by the levels.
func levels(x *wire.ColumnIndex, i int, nulls, values int64) {
	for range x.NullPages {
		x.DefinitionLevelHistograms = append(x.DefinitionLevelHistograms, 0, 10)
	}
	x.DefinitionLevelHistograms[2*i], x.DefinitionLevelHistograms[2*i+1] = nulls, values
}

// judgeIndex judges a condition on one column by a page index alone.
func judgeIndex(t *testing.T, node *gen.Node, order thrift.Arm, x *wire.ColumnIndex, o *wire.OffsetIndex, where string) (none, all vector.Ranges) {
	t.Helper()
	s := sampleOf(t, &gen.File{Schema: []*gen.Node{node}, RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{}}}}})
	index, err := gen.Thrift(x)
	if err != nil {
		t.Fatal(err)
	}
	offsets, err := gen.Thrift(o)
	if err != nil {
		t.Fatal(err)
	}
	rows := int64(10 * len(o.PageLocations))
	c := &Chunk{Column: ColumnOf(s.schema.Leaves()[0], order), Footer: &thrift.ColumnChunk{HasColumnIndex: true, HasOffsetIndex: true, HasMeta: true}}
	c.Footer.Meta.NumValues = rows
	c.Footer.OffsetIndexOffset, c.Footer.OffsetIndexLength = 10000, int32(len(offsets))
	c.Footer.ColumnIndexOffset, c.Footer.ColumnIndexLength = 10000+int64(len(offsets)), int32(len(index))
	s.bytes = append(append(make([]byte, 10000), offsets...), index...)
	p := s.bind(t, where)
	j := s.judge(t, p, Group{Rows: rows, Wanted: vector.All(rows), End: int64(len(s.bytes)), Chunk: func(*schema.Node) (*Chunk, error) { return c, nil }}, Options{})
	if n := j.Pruned().Invalid; len(n) > 0 {
		t.Fatal(n)
	}
	return j.Of(p.Root)
}

// Below lists, numbers of nulls that writers give are not to be trusted, those
// of the levels are: unless they contradict each other.
func TestNullsBelowLists(t *testing.T) {
	item := gen.Optional("element", gen.Int32)
	for _, test := range []struct {
		what        string
		nulls       int64
		repetitions []int64 // of each page
		definitions []int64
		where       string
		none, all   string
	}{
		{"no levels", 0, nil, nil, "tags IS NULL", "[]", "[]"},
		{"no levels", 0, nil, nil, "ANY(tags) > 0", "[]", "[]"},
		{"no levels", 0, nil, nil, "ANY(tags) > 9", "[{0 50}]", "[]"},
		{"no nulls", 0, []int64{10, 5}, []int64{0, 0, 0, 15}, "tags IS NULL", "[{0 50}]", "[]"},
		{"no nulls", 0, []int64{10, 5}, []int64{0, 0, 0, 15}, "ANY(tags) > 0", "[]", "[{0 50}]"},
		{"empty lists", 0, []int64{10, 5}, []int64{0, 2, 0, 13}, "ANY(tags) > 0", "[]", "[]"},
		{"empty lists", 0, []int64{10, 5}, []int64{0, 2, 0, 13}, "tags IS NOT NULL", "[]", "[{0 50}]"},
		{"too few repetitions", 0, []int64{10, 4}, []int64{0, 0, 0, 15}, "tags IS NULL", "[]", "[]"},
		{"too many rows", 0, []int64{11, 4}, []int64{0, 0, 0, 15}, "tags IS NULL", "[]", "[]"},
		{"too few slots", 0, nil, []int64{0, 0, 0, 9}, "tags IS NULL", "[]", "[]"},
		{"more nulls than levels", 3, []int64{10, 5}, []int64{0, 2, 0, 13}, "tags IS NOT NULL", "[]", "[]"},
		{"overflow", 0, nil, []int64{0, 0, math.MaxInt64, math.MaxInt64}, "tags IS NULL", "[]", "[]"},
	} {
		x, o := longIndex(5, func(int) int64 { return 0 })
		for i := range 5 {
			x.MinValues[i], x.MaxValues[i], x.NullCounts[i] = i32(1), i32(5), test.nulls
			x.RepetitionLevelHistograms = append(x.RepetitionLevelHistograms, test.repetitions...)
			x.DefinitionLevelHistograms = append(x.DefinitionLevelHistograms, test.definitions...)
		}
		none, all := judgeIndex(t, gen.List("tags", item), thrift.OrderOfType, x, o, test.where)
		if fmt.Sprint(none) != test.none || fmt.Sprint(all) != test.all {
			t.Errorf("%s, %s: none %v, all %v; want %s, %s", test.what, test.where, none, all, test.none, test.all)
		}
	}
}

func TestPagesStart(t *testing.T) {
	for _, c := range []struct {
		name             string
		data, dictionary int64
		has              bool
		want             int64
	}{
		{"no dictionary", 100, 0, false, 100},
		{"dictionary before the data", 100, 40, true, 40},
		{"an offset of 0 means none", 100, 0, true, 100},
		{"a dictionary after the data is invalid", 100, 140, true, 100},
		{"negative", 100, -4, true, 100},
		{"a dictionary, and no values", 0, 40, true, 40},
		{"not said to be there", 100, 40, false, 100},
	} {
		m := &thrift.ColumnMetaData{DataPageOffset: c.data, DictionaryOffset: c.dictionary, HasDictionaryOffset: c.has}
		if got := PagesStart(m); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
