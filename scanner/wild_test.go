package scanner

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Some writers leave other high bits in an INT(8) or INT(16) than its sign's. What
// is shown is what is compared: in filters, by metadata, and in order.
func TestIntegersWithOtherHighBits(t *testing.T) {
	kinds := []struct {
		bits   int8
		signed bool
		mean   func(int32) int64
	}{
		{8, true, func(x int32) int64 { return int64(int8(x)) }},
		{8, false, func(x int32) int64 { return int64(uint8(x)) }},
		{16, true, func(x int32) int64 { return int64(int16(x)) }},
		{16, false, func(x int32) int64 { return int64(uint16(x)) }},
	}
	stored := []int32{7, -1, 255, 65535, 128, -128, 300, 44, 0, 256, 65536, 1 << 30, -1 << 31, 32768, 100}
	for _, kind := range kinds {
		for number, column := range []gen.Column{
			{}, {Stats: gen.NoStats}, {Shape: gen.Shape{Encoding: gen.Dictionary}, Bloom: 1024}, {Bloom: 1024, PageRows: []int{2}},
			{Shape: gen.Shape{Encoding: gen.DeltaBinaryPacked}, PageRows: []int{4}, Stats: gen.NoStats},
			{Shape: gen.Shape{Encoding: gen.ByteStreamSplit}}, {Shape: gen.Shape{Encoding: gen.Dictionary}, PageRows: []int{3}, Stats: gen.NoStats},
		} {
			var records []any
			for i, x := range stored {
				rec := gen.Record{"id": int64(i), "a": x, "wide": kind.mean(x), "l": []any{x, nil}}
				if i%5 == 4 {
					rec["a"] = nil
				}
				records = append(records, rec)
			}
			as := gen.IntType(kind.bits, kind.signed)
			f, _ := recorded(t, scannertest.Write(t, gen.File{
				Schema: []*gen.Node{
					gen.Required("id", gen.Int64), gen.Optional("a", gen.Int32).As(as), gen.Required("wide", gen.Int64),
					gen.List("l", gen.Optional("element", gen.Int32).As(as)),
				},
				RowGroups: []gen.RowGroup{{Rows: records, Columns: []gen.Column{{}, column, {}, column}}},
			}))
			name := fmt.Sprintf("INT(%d,%t), layout %d", kind.bits, kind.signed, number)
			ask := func(text string, pass func(i int, v int64) bool) {
				t.Helper()
				e, err := filter.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				var got, want []int64
				for i, x := range stored {
					if pass(i, kind.mean(x)) {
						want = append(want, int64(i))
					}
				}
				for b, err := range f.Scan(t.Context(), Options{Filter: e, Select: []string{"id", "a"}}) {
					if err != nil {
						t.Fatal(name, text, err)
					}
					got = append(got, b.Columns[0].Int64s[:b.Len]...)
					for i, id := range b.Columns[0].Int64s[:b.Len] {
						if !b.Columns[1].IsNull(i) && int64(b.Columns[1].Int32s[i]) != kind.mean(stored[id]) {
							t.Errorf("%s: row %d is %d", name, id, b.Columns[1].Int32s[i])
						}
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s: %s: rows %v, want %v", name, text, got, want)
				}
			}
			there := func(i int) bool { return i%5 != 4 }
			for _, x := range stored {
				v := kind.mean(x)
				text := strconv.FormatInt(v, 10)
				ask("a = "+text, func(i int, w int64) bool { return there(i) && w == v })
				ask("a <> "+text, func(i int, w int64) bool { return there(i) && w != v })
				ask("a < "+text, func(i int, w int64) bool { return there(i) && w < v })
				ask("a >= "+text, func(i int, w int64) bool { return there(i) && w >= v })
				ask("a IN (77, "+text+")", func(i int, w int64) bool { return there(i) && w == v })
				ask("ANY(l) = "+text, func(_ int, w int64) bool { return w == v })
			}
			ask("a = wide", func(i int, w int64) bool { return there(i) })
			ask("a < 1000000", func(i int, w int64) bool { return there(i) })

			var means []int64
			for i, x := range stored {
				if there(i) {
					means = append(means, kind.mean(x))
				}
			}
			slices.Sort(means)
			least, err := f.Min(t.Context(), "a", Options{})
			most, err2 := f.Max(t.Context(), "a", Options{})
			if got, want := scannertest.Shown(t, least, err)+" "+scannertest.Shown(t, most, err2), fmt.Sprint(means[0], " ", means[len(means)-1]); got != want {
				t.Errorf("%s: ends %s, want %s", name, got, want)
			}
			var order []int64
			for b, err := range f.Top(t.Context(), Order{By: "a"}, Options{Select: []string{"a"}, Limit: 6}) {
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range b.Columns[0].Int32s[:b.Len] {
					order = append(order, int64(x))
				}
			}
			if !slices.Equal(order, means[:6]) {
				t.Errorf("%s: in order %v, want %v", name, order, means[:6])
			}
			wide := Want{Name: "a", Type: vector.Type{Physical: vector.Int64, Logical: vector.Integer, Bits: 64, Signed: kind.signed}}
			for b, err := range f.Scan(t.Context(), Options{Want: []Want{wide}}) {
				if err != nil {
					t.Fatal(err)
				}
				for i, x := range b.Columns[0].Int64s[:b.Len] {
					if there(i) && x != kind.mean(stored[i]) {
						t.Errorf("%s: row %d, widened, is %d", name, i, x)
					}
				}
			}
		}
	}
}
