package scanner

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/knobs"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// lyingFile has 100 rows in pages of 10. Row i has i as k, and as s and items:
//
//	i%4     0      1      2        3
//	s       NULL   {a: i} {a: i}   {a: NULL}
//	items   NULL   []     [NULL]   [i]
func lyingFile(t *testing.T, change func(*gen.File)) *File {
	t.Helper()
	f := &gen.File{
		Schema: []*gen.Node{
			gen.Required("k", gen.Int64),
			gen.Optional("o", gen.Int64),
			gen.Optional("s", gen.Group, gen.Optional("a", gen.Int64)),
			gen.List("items", gen.Optional("element", gen.Int64)),
		},
		All: gen.Column{PageRows: []int{10}, SizeStats: true},
	}
	var rows []any
	for i := range 100 {
		row := gen.Record{"k": i}
		switch i % 4 {
		case 1:
			row["o"], row["s"], row["items"] = i, gen.Record{"a": i}, []any{}
		case 2:
			row["o"], row["s"], row["items"] = i, gen.Record{"a": i}, []any{nil}
		case 3:
			row["s"], row["items"] = gen.Record{}, []any{i}
		}
		rows = append(rows, row)
	}
	f.RowGroups = []gen.RowGroup{{Rows: rows, Columns: make([]gen.Column, 4)}}
	change(f)
	return fileOf(t, *f)
}

// What metadata say of NULLs and levels decides which rows pass. A page that is decoded and says
// otherwise is an error, before any of its rows are returned; a page that stays unread is
// believed.
func TestLevelsThatMetadataDeny(t *testing.T) {
	const o, s, items = 1, 2, 3
	chunk := func(leaf int, histogram ...int64) func(*gen.File) {
		return func(f *gen.File) {
			f.RowGroups[0].Columns[leaf].Index = gen.NoIndex
			f.RowGroups[0].Columns[leaf].Meta = func(c *wire.ColumnChunk) {
				c.MetaData.SizeStatistics.DefinitionLevelHistogram, c.MetaData.Statistics.NullCount = histogram, nil
			}
		}
	}
	page := func(leaf int, histogram ...int64) func(*gen.File) {
		return func(f *gen.File) {
			f.RowGroups[0].Columns[leaf].ColumnIndex = func(x *wire.ColumnIndex) {
				copy(x.DefinitionLevelHistograms[5*len(histogram):], histogram)
				x.NullCounts = nil
			}
		}
	}
	for _, c := range []struct {
		name   string
		lie    func(*gen.File)
		where  string
		column string // that is at fault; "": no verdict rests on it, and the rows are right
		page   int
	}{
		{"chunk without NULL", chunk(o, 0, 100), "o IS NOT NULL", "o", 0},
		{"chunk of NULL", chunk(o, 100, 0), "o IS NULL", "o", 0},
		{"chunk without NULL structs", chunk(s, 0, 25, 75), "s IS NOT NULL", "s.a", 0},
		{"chunk without NULL lists", chunk(items, 0, 50, 25, 25), "items IS NOT NULL", "items.list.element", 0},
		{"chunk without NULL in an OR", chunk(o, 0, 100), "o IS NULL OR k = 52", "o", 5},
		{"chunk without NULL items", chunk(items, 25, 50, 0, 25), "ANY(items) IS NULL OR k = 54", "", 0},
		{"chunk without empty lists", chunk(items, 50, 0, 25, 25), "ALL(items) IS NULL OR k = 53", "", 0},
		{"page without NULL", page(o, 0, 10), "o IS NOT NULL", "o", 5},
		{"page without NULL structs", page(s, 0, 2, 8), "s IS NOT NULL AND k > 49", "s.a", 5},
		{"page without NULL lists", page(items, 0, 5, 3, 2), "items IS NOT NULL", "items.list.element", 5},
		{"null count of a page", func(f *gen.File) {
			f.All.SizeStats = false
			f.RowGroups[0].Columns[o].ColumnIndex = func(x *wire.ColumnIndex) { x.NullCounts[5] = 0 }
		}, "o IS NOT NULL", "o", 5},
	} {
		for _, selected := range [][]string{nil, {"k"}} {
			t.Run(fmt.Sprint(c.name, selected), func(t *testing.T) {
				f := lyingFile(t, c.lie)
				e := scannertest.Parsed(t, c.where)
				right := rowsWhere(t, lyingFile(t, func(*gen.File) {}), Options{Filter: e, Select: []string{"k"}}, nil)
				var fault *Error
				got := rowsWhere(t, f, Options{Filter: e, Select: selected}, &fault)
				switch {
				case c.column == "":
					if fault != nil || !slices.Equal(got, right) {
						t.Errorf("%v and %v, want %v", got, fault, right)
					}
				case selected != nil: // the page may stay unread
				case fault == nil || !errors.Is(fault, ErrCorrupt) || fault.Column != c.column || fault.Page != c.page || !strings.Contains(fault.Error(), "rows were chosen by"):
					t.Errorf("%v", fault)
				}
				for _, k := range got {
					if fault != nil && !slices.Contains(right, k) {
						t.Errorf("row %d before the error", k)
					}
				}
				// Where nothing is believed, the file is read.
				o := Options{Filter: e, knobs: knobs.Knobs{NoPageIndex: true, NoStatistics: true}}
				if got := rowsWhere(t, f, o, nil); !slices.Equal(got, right) {
					t.Errorf("%v, want %v", got, right)
				}
			})
		}
	}
}

// rowsWhere returns k of all rows until an error, which is fatal if fault is nil.
func rowsWhere(t *testing.T, f *File, o Options, fault **Error) (k []int64) {
	t.Helper()
	for b, err := range f.Scan(t.Context(), o) {
		if err != nil {
			if fault == nil || !errors.As(err, fault) {
				t.Fatal(err)
			}
			return k
		}
		b.Columns[0].Flatten()
		k = append(k, b.Columns[0].Int64s[:b.Len]...)
		b.Release()
	}
	return k
}

// A page that is read by an offset index whose first rows are wrong is an error, of flat columns
// and of lists, of the filter's and of others.
func TestFirstRowsOfPagesThatAreRead(t *testing.T) {
	for leaf, column := range []string{"k", "o", "s.a", "items.list.element"} {
		for _, version := range []int{1, 2} {
			for _, by := range []int64{1, -1} {
				f := lyingFile(t, func(f *gen.File) {
					f.All.Shape.Version = version
					f.RowGroups[0].Columns[leaf].OffsetIndex = func(x *wire.OffsetIndex) { x.PageLocations[4].FirstRowIndex += by }
				})
				for _, where := range []string{"k = 36", "k = 44", "k > 38 AND k < 42"} {
					var fault *Error
					got := rowsWhere(t, f, Options{Filter: scannertest.Parsed(t, where)}, &fault)
					if fault == nil || !errors.Is(fault, ErrCorrupt) || fault.Column != column || fault.Page != 3 && fault.Page != 4 || len(got) > 0 {
						t.Errorf("v%d, %s by %d, %s: %v and %v", version, column, by, where, got, fault)
					}
				}
			}
		}
	}
}

// A runtime filter may be judged by an offset index that the pages which were read before belie.
func TestFirstRowsOfPagesThatWereRead(t *testing.T) {
	f := lyingFile(t, func(f *gen.File) {
		f.RowGroups[0].Columns[0].OffsetIndex = func(x *wire.OffsetIndex) {
			for _, p := range x.PageLocations[1:] {
				p.FirstRowIndex++
			}
		}
	})
	var keys filter.Runtime
	rows := 0
	for b, err := range f.Scan(t.Context(), Options{Select: []string{"k"}, Runtime: []*filter.Runtime{&keys}, BatchRows: 10}) {
		var fault *Error
		if errors.As(err, &fault) && fault.Column == "k" && errors.Is(err, ErrCorrupt) && strings.Contains(err.Error(), "offset index: ") {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if rows == 0 {
			keys.Publish(scannertest.Parsed(t, "k >= 60"))
		}
		rows += b.Len
		b.Release()
	}
	t.Errorf("%d rows, and no error", rows)
}
