package pageindex

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

func TestCheckOffsets(t *testing.T) {
	type pages = []thrift.PageLocation
	page := func(offset int64, size int32, row int64) thrift.PageLocation {
		return thrift.PageLocation{Offset: offset, CompressedSize: size, FirstRow: row}
	}
	const rows, end = 100, 1000
	for _, test := range []struct {
		pages   pages
		unsized int
		want    string
	}{
		{pages{page(4, 10, 0)}, 0, ""},
		{pages{page(4, 10, 0), page(14, 10, 50), page(500, 500, 99)}, 3, ""},
		{pages{}, 0, "no pages for 100 rows"},
		{pages{page(4, 10, 0)}, 2, "2 unencoded sizes of 1 pages"},
		{pages{page(4, 10, 1)}, 0, "page 0 starts with row 1"},
		{pages{page(4, 10, -1)}, 0, "page 0 starts with row -1"},
		{pages{page(4, 10, 0), page(14, 10, 0)}, 0, "page 1 starts with row 0, the page before with 0"},
		{pages{page(4, 10, 0), page(14, 10, 9), page(24, 10, 8)}, 0, "page 2 starts with row 8, the page before with 9"},
		{pages{page(4, 10, 0), page(14, 10, 100)}, 0, "the last page starts with row 100 of 100"},
		{pages{page(3, 10, 0)}, 0, "page 0 at offset 3 lies before 4"},
		{pages{page(-1, 10, 0)}, 0, "page 0 at offset -1 lies before 4"},
		{pages{page(-1, 0, 0)}, 0, "page 0 has 0 bytes"},
		{pages{page(4, -7, 0)}, 0, "page 0 has -7 bytes"},
		{pages{page(4, 10, 0), page(13, 10, 9)}, 0, "page 1 at offset 13 lies before 14"},
		{pages{page(4, 997, 0)}, 0, "page 0 at offset 4 ends beyond 1000"},
		{pages{page(math.MaxInt64, math.MaxInt32, 0)}, 0, "page 0 at offset 9223372036854775807 ends beyond 1000"},
	} {
		o := &thrift.OffsetIndex{Pages: test.pages, UnencodedBytes: make([]int64, test.unsized)}
		err := (&Chunk{Footer: &thrift.ColumnChunk{}}).CheckOffsets(o, rows, end)
		if test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != "offset index: "+test.want || !errors.Is(err, corrupt.Bad)) {
			t.Errorf("%v: %v, want %s", test.pages, err, test.want)
		}
	}
	if err := checkOffsets(&thrift.OffsetIndex{}, 0, end); err != nil {
		t.Errorf("no pages for no rows: %v", err)
	}
}

func TestPageRows(t *testing.T) {
	o := &thrift.OffsetIndex{Pages: []thrift.PageLocation{{FirstRow: 0}, {FirstRow: 10}, {FirstRow: 11}, {FirstRow: 1 << 33}}}
	const rows = 1<<33 + 5
	for page, want := range [][2]int64{{0, 10}, {10, 11}, {11, 1 << 33}, {1 << 33, rows}} {
		start, end := PageRows(o.Pages, page, rows)
		if start != want[0] || end != want[1] {
			t.Errorf("page %d: rows %d to %d, want %v", page, start, end, want)
		}
		if PageOf(o.Pages, start) != page || PageOf(o.Pages, end-1) != page {
			t.Errorf("row %d is on page %d, row %d on page %d, want %d", start, PageOf(o.Pages, start), end-1, PageOf(o.Pages, end-1), page)
		}
	}
}

func TestCheckIndex(t *testing.T) {
	o := &thrift.OffsetIndex{Pages: []thrift.PageLocation{{FirstRow: 0}, {FirstRow: 10}}}
	right := func() *thrift.ColumnIndex {
		return &thrift.ColumnIndex{
			NullPages:  []bool{false, true},
			MinValues:  [][]byte{i32(1), nil},
			MaxValues:  [][]byte{i32(2), nil},
			NullCounts: []int64{9, 5},
		}
	}
	for _, test := range []struct {
		change func(x *thrift.ColumnIndex)
		want   string
	}{
		{func(x *thrift.ColumnIndex) {}, ""},
		{func(x *thrift.ColumnIndex) { x.NullCounts = nil }, ""},
		{func(x *thrift.ColumnIndex) { x.NullCounts = []int64{-1, -1} }, ""},
		{func(x *thrift.ColumnIndex) { x.MinValues[0] = nil }, ""}, // of that page only
		{func(x *thrift.ColumnIndex) { x.DefinitionHistograms = []int64{1, 2, 3, 4} }, ""},
		{func(x *thrift.ColumnIndex) { x.RepetitionHistograms = []int64{1, 2} }, ""},
		{func(x *thrift.ColumnIndex) { x.NullPages = x.NullPages[:1] }, "null_pages has 1 entries for 2 pages"},
		{func(x *thrift.ColumnIndex) { x.NullPages = nil }, "null_pages has 0 entries for 2 pages"},
		{func(x *thrift.ColumnIndex) { x.MinValues = x.MinValues[:1] }, "min_values has 1 entries for 2 pages"},
		{func(x *thrift.ColumnIndex) { x.MaxValues = append(x.MaxValues, nil) }, "max_values has 3 entries for 2 pages"},
		{func(x *thrift.ColumnIndex) { x.NullCounts = []int64{1} }, "null_counts has 1 entries for 2 pages"},
		{func(x *thrift.ColumnIndex) { x.NaNCounts = []int64{1, 2, 3} }, "nan_counts has 3 entries for 2 pages"},
		{func(x *thrift.ColumnIndex) { x.DefinitionHistograms = []int64{1, 2} }, "definition_level_histograms has 2 entries for 2 pages"},
		{func(x *thrift.ColumnIndex) { x.RepetitionHistograms = []int64{1} }, "repetition_level_histograms has 1 entries for 2 pages"},
		{func(x *thrift.ColumnIndex) { x.NullCounts[0] = 11 }, "page 0 has 11 nulls in 10 rows"},
		{func(x *thrift.ColumnIndex) { x.NullCounts[0] = 10 }, "page 0 has 10 nulls in 10 rows, its null_pages says otherwise"},
		{func(x *thrift.ColumnIndex) { x.NullCounts[1] = 4 }, "page 1 has 4 nulls in 5 rows, its null_pages says otherwise"},
		{func(x *thrift.ColumnIndex) { x.NullCounts[1] = 0 }, "page 1 of nulls only has none"},
	} {
		x := right()
		test.change(x)
		c := columnOf(int32s, thrift.OrderOfType)
		err := c.CheckIndex(x, o, 15)
		if test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != "column index: "+test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	// Below a list, a row may have more nulls than one.
	x := right()
	x.NullCounts = []int64{1000, 1000}
	c := ColumnOf(&schema.Node{Type: int32s, MaxDef: 3, MaxRep: 1}, thrift.OrderOfType)
	if err := c.CheckIndex(x, o, 15); err != nil {
		t.Error(err)
	}
}

func TestBoundaryOrderIsCheckedNotTrusted(t *testing.T) {
	const up, down, none = thrift.Ascending, thrift.Descending, thrift.Unordered
	for _, test := range []struct {
		bounds [][2]int32 // {9, 0} is a page of nulls
		claim  thrift.BoundaryOrder
		want   thrift.BoundaryOrder
	}{
		{nil, up, up},
		{[][2]int32{{1, 2}}, up, up},
		{[][2]int32{{1, 2}, {2, 5}, {3, 5}}, up, up},
		{[][2]int32{{1, 2}, {2, 5}, {3, 5}}, down, none},
		{[][2]int32{{1, 2}, {2, 5}, {3, 5}}, none, none},
		{[][2]int32{{9, 0}, {1, 2}, {9, 0}, {2, 5}, {9, 0}}, up, up},
		{[][2]int32{{1, 9}, {2, 5}}, up, none}, // the upper bounds fall
		{[][2]int32{{3, 4}, {2, 5}}, up, none}, // the lower bounds fall
		{[][2]int32{{3, 5}, {2, 5}, {-1, 0}}, down, down},
		{[][2]int32{{3, 5}, {2, 6}}, down, none},
		{[][2]int32{{1, 2}, {4, 3}}, up, none}, // inverted
		{[][2]int32{{1, 2}, {3, 4}}, 7, none},
	} {
		x := &thrift.ColumnIndex{BoundaryOrder: test.claim}
		for _, b := range test.bounds {
			isNull := b == [2]int32{9, 0}
			x.NullPages = append(x.NullPages, isNull)
			if isNull {
				b = [2]int32{}
			}
			x.MinValues, x.MaxValues = append(x.MinValues, i32(b[0])), append(x.MaxValues, i32(b[1]))
		}
		c := columnOf(int32s, thrift.OrderOfType)
		if got := c.BoundaryOrder(x); got != test.want {
			t.Errorf("%v claimed %v: %v, want %v", test.bounds, test.claim, got, test.want)
		}
	}
}

// The indexes of the corpus are all right, and what is known of its files with
// strange statistics is found.
func TestCorpus(t *testing.T) {
	root := filepath.Join("..", "..", "shared", "corpus", "parquet-testing", "data")
	paths, _ := filepath.Glob(filepath.Join(root, "*.parquet"))
	if len(paths) == 0 {
		if os.Getenv("WINNOW_CORPUS_REQUIRED") == "1" {
			t.Fatal("no corpus at " + root)
		}
		t.Skip("no corpus at " + root)
	}
	reasons := map[string]Reason{
		"nan_in_stats.parquet x":                                NaNBound,
		"single_nan.parquet mycol":                              AllNulls,
		"null_list.parquet emptylist.list.item":                 AllNulls,
		"fixed_length_decimal.parquet value":                    Deprecated,
		"int64_decimal.parquet value":                           Deprecated,
		"concatenated_gzip_members.parquet long_col":            OrderNotNamed,
		"binary_truncated_min_max.parquet utf8_full_truncation": Usable,
	}
	chunks, indexes, pages := 0, 0, 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		end := len(data) - 8
		f, err := thrift.ParseFooter(data[end-int(binary.LittleEndian.Uint32(data[end:])) : end])
		if err != nil {
			continue // thrift's to test
		}
		s, err := schema.New(f.Schema)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for g := range f.RowGroups {
			for i, leaf := range s.Leaves() {
				var chunk thrift.ColumnChunk
				if err := f.Chunk(g, i, &chunk); err != nil {
					t.Errorf("%s: %v", path, err)
					continue
				}
				chunks++
				var order thrift.Arm
				if len(f.ColumnOrders) > 0 {
					order = f.ColumnOrders[i]
				}
				c := ColumnOf(leaf, order)
				name := filepath.Base(path) + " " + leaf.String()
				var stats *thrift.Statistics
				if chunk.Meta.HasStatistics {
					stats = &chunk.Meta.Statistics
				}
				whole := c.Statistics(stats, chunk.Meta.NumValues)
				if want, ok := reasons[name]; ok {
					if whole.Why != want {
						t.Errorf("%s: %v, want %v", name, whole.Why, want)
					}
					delete(reasons, name)
				}
				if chunk.HasColumnIndex && chunk.HasOffsetIndex && chunk.ColumnIndexLength > 0 {
					indexes++
					n, err := checkIndexes(&c, whole, data, &chunk, f.RowGroups[g].NumRows)
					if pages += n; err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			}
		}
	}
	if len(reasons) > 0 || chunks < 300 || indexes < 50 || pages < 9000 {
		t.Errorf("not met: %v; %d chunks, %d indexes, %d pages", reasons, chunks, indexes, pages)
	}
}

// checkIndexes checks the page index of a chunk, and that the bounds of each
// page lie within those of the whole chunk.
func checkIndexes(c *Column, whole Bounds, data []byte, chunk *thrift.ColumnChunk, rows int64) (int, error) {
	var o thrift.OffsetIndex
	var x thrift.ColumnIndex
	if _, err := thrift.ReadOffsetIndex(data[chunk.OffsetIndexOffset:][:chunk.OffsetIndexLength], &o); err != nil {
		return 0, err
	}
	if _, err := thrift.ReadColumnIndex(data[chunk.ColumnIndexOffset:][:chunk.ColumnIndexLength], &x); err != nil {
		return 0, err
	}
	if err := checkOffsets(&o, rows, int64(len(data))); err != nil {
		return 0, err
	}
	if err := (&Chunk{Column: *c, Footer: chunk}).checkPagesWithin(&o); err != nil {
		return 0, err
	}
	if err := c.CheckIndex(&x, &o, rows); err != nil {
		return 0, err
	}
	var covered int64
	for i := range o.Pages {
		start, end := PageRows(o.Pages, i, rows)
		covered += end - start
		b := c.Page(&x, i)
		if b.HasMin && whole.HasMin && c.Compare(b.Min, whole.Min) < 0 {
			return i, fmt.Errorf("page %d: min % x below the chunk's % x", i, b.Min, whole.Min)
		}
		if b.HasMax && whole.HasMax && c.Compare(b.Max, whole.Max) > 0 {
			return i, fmt.Errorf("page %d: max % x above the chunk's % x", i, b.Max, whole.Max)
		}
	}
	if covered != rows {
		return 0, fmt.Errorf("pages have %d rows of %d", covered, rows)
	}
	return len(o.Pages), nil
}
