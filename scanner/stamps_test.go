package scanner

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// Some writers give nanoseconds of an INT96 that are not within its day. The
// moment is what is shown, compared, found as a key, and put in order.
func TestNanosecondsBesidesTheDay(t *testing.T) {
	const day = int64(86400e9)
	stamp := func(days, nanos int64) (b [12]byte) {
		binary.LittleEndian.PutUint64(b[:], uint64(nanos))
		binary.LittleEndian.PutUint32(b[8:], uint32(2440588+days))
		return b
	}
	var records []any
	for _, s := range [][12]byte{
		stamp(2, 5), stamp(0, 2*day+5), stamp(4, 5-2*day), // one moment
		stamp(0, day), stamp(1, -1), stamp(1<<31-1-2440588, 3*day),
	} {
		records = append(records, gen.Record{"a": s, "b": int64(len(records)), "c": int64(2*day + 5)})
	}
	for _, encoding := range []gen.Encoding{gen.Plain, gen.Dictionary} {
		f, _ := recorded(t, scannertest.Write(t, gen.File{
			Schema: []*gen.Node{
				gen.Optional("a", gen.Int96), gen.Required("b", gen.Int64),
				gen.Required("c", gen.Int64).As(gen.TimestampType(gen.Nanos, false)),
			},
			RowGroups: []gen.RowGroup{{Rows: records, Columns: []gen.Column{{Shape: gen.Shape{Encoding: encoding}}, {}, {}}}},
		}))
		keys := filter.NewKeys(1)
		keys.Add(time.Unix(2*86400, 5))
		parsed := func(text string) *filter.Expr {
			e, err := filter.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		for _, tc := range []struct {
			what *filter.Expr
			want []int64
		}{
			{parsed("a = '1970-01-03 00:00:00.000000005'"), []int64{0, 1, 2}},
			{parsed("a <> '1970-01-03 00:00:00.000000005'"), []int64{3, 4, 5}},
			{parsed("a IN ('1970-01-03 00:00:00.000000005', '1970-01-01')"), []int64{0, 1, 2}},
			{parsed("a < '1970-01-02'"), []int64{4}},
			{parsed("a BETWEEN '1970-01-02' AND '1970-01-02 23:59:59.999999999'"), []int64{3}},
			{parsed("a > '1970-01-03 00:00:00.000000005'"), []int64{5}},
			{parsed("a = c"), []int64{0, 1, 2}},
			{filter.Col("a").InKeys(keys), []int64{0, 1, 2}},
		} {
			var got []int64
			for b, err := range f.Scan(t.Context(), Options{Filter: tc.what, Select: []string{"b"}}) {
				if err != nil {
					t.Fatal(tc.what, err)
				}
				got = append(got, b.Columns[0].Int64s[:b.Len]...)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("%v: %v: rows %v, want %v", encoding, tc.what, got, tc.want)
			}
		}
		ends := ""
		for _, end := range []func(context.Context, string, Options) (vector.Scalar, error){f.Min, f.Max} {
			v, err := end(t.Context(), "a", Options{})
			ends += scannertest.Shown(t, v, err) + " "
		}
		if want := `"1970-01-01T23:59:59.999999999" "+5874898-06-06T00:00:00" `; ends != want {
			t.Errorf("ends %s, want %s", ends, want)
		}
		order := ""
		for b, err := range f.Top(t.Context(), Order{By: "a"}, Options{Select: []string{"b"}}) {
			if err != nil {
				t.Fatal(err)
			}
			order += fmt.Sprint(b.Columns[0].Int64s[:b.Len])
		}
		if want := "[4 3 0 1 2 5]"; order != want {
			t.Errorf("in order: %s, want %s", order, want)
		}
	}
}
