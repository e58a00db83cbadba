package scanner

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// What an estimate has for certain holds for the rows that a scan without any proof counts.
func TestEstimatesHold(t *testing.T) {
	for path, filters := range map[string][]string{
		"../testdata/lineitems.parquet": {
			"quantity > 40", "quantity = 7", "NOT quantity > 40", "discount BETWEEN 0.02 AND 0.04 AND quantity < 24", "ship_mode = 'AIR' OR quantity > 49",
			"ship_date < DATE '1993-01-01'", "ship_date >= DATE '1990-01-01'", "ship_mode IS NULL", "ship_mode IS NOT NULL", "ship_mode LIKE '%A%'", "quantity IN (1, 2, 3, 1000)",
			"ship_mode = 'nothing of this'", "quantity < 0", "quantity >= 0",
		},
	} {
		f, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		all, err := f.Estimate(t.Context(), Options{})
		if n := rowsOf(f); err != nil || all.Rows != (RowEstimate{n, n, n}) || len(all.Tests) != 0 {
			t.Fatal(all, err)
		}
		for _, where := range filters {
			checkEstimate(t, f, filepath.Base(path), scannertest.Parsed(t, where))
		}
	}
}

func rowsOf(f *File) (n int64) {
	for i := range f.footer.RowGroups {
		n += f.footer.RowGroups[i].NumRows
	}
	return n
}

// All values of a row group lie within its zone map, and an exact bound is one of them.
func TestZoneMaps(t *testing.T) {
	f, err := Open(t.Context(), "../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, column := range []string{"quantity", "ship_date", "ship_mode"} {
		for i := range f.footer.RowGroups {
			z, err := f.ZoneMap(i, column)
			if err != nil {
				t.Fatal(err)
			}
			only := Options{Rows: make(vector.RowSet, len(f.footer.RowGroups))}
			only.Rows[i] = vector.All(f.footer.RowGroups[i].NumRows)
			only.knobs.NoStatistics = true
			least, err := f.Min(t.Context(), column, only)
			most, err2 := f.Max(t.Context(), column, only)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			low, ok := z.Min.Compare(least)
			high, ok2 := z.Max.Compare(most)
			if !ok || !ok2 || low > 0 || high < 0 || z.MinExact && low != 0 || z.MaxExact && high != 0 {
				t.Errorf("%s: bounds %s to %s, values %s to %s", column, z.Min, z.Max, least, most)
			}
			if z.Nulls != 0 || z.Slots != f.footer.RowGroups[i].NumRows {
				t.Errorf("%s: %d slots, %d NULL", column, z.Slots, z.Nulls)
			}
		}
	}
	if _, err := f.ZoneMap(len(f.footer.RowGroups), "quantity"); !errors.Is(err, ErrOptions) {
		t.Error(err)
	}
	if _, err := f.ZoneMap(0, "nothing"); !errors.Is(err, ErrNoColumn) {
		t.Error(err)
	}
}

// The greatest value in a dictionary's statistics is not that of the column, by a writer that is known for it.
func TestZoneMapsOfWriters(t *testing.T) {
	w := wrongFile{gen.Optional("x", gen.ByteArray).As(gen.StringType()), []any{"a", nil, "b", "z", nil, "c"},
		gen.Column{Shape: gen.Shape{Encoding: gen.Dictionary}, PageRows: []int{3}, Meta: greatestOf("b")}}
	for writer, want := range map[string]string{"parquet-cpp-arrow version 10.0.1": "NULL", "parquet-cpp-arrow version 12.0.0": "b"} {
		z, err := w.open(t, writer).ZoneMap(0, "x")
		if err != nil || z.Max.String() != want {
			t.Errorf("by %s: %s, %v, want %s", writer, z.Max, err, want)
		}
	}
}

// checkEstimate compares an estimate with the rows that pass. Numbers and dates are about evenly spread here.
func checkEstimate(t *testing.T, f *File, name string, e *filter.Expr) {
	t.Helper()
	got, err := f.Estimate(t.Context(), Options{Filter: e, Limit: 1})
	if err != nil {
		t.Fatalf("%s: %s: %v", name, e, err)
	}
	n := int64(0)
	for b, err := range f.Scan(t.Context(), Options{Filter: e}) {
		if err != nil {
			t.Fatal(err)
		}
		n += int64(b.Len)
	}
	if r := got.Rows; r.AtLeast > n || n > r.AtMost || r.AtLeast > r.Expected || r.Expected > r.AtMost {
		t.Errorf("%s: %s: %+v, %d rows pass", name, e, got, n)
	}
	if off := got.Rows.Expected - n; !strings.Contains(e.String(), "ship_mode") && max(off, -off) > rowsOf(f)/20 {
		t.Errorf("%s: %s: %d rows expected, %d pass: more than a twentieth of all off", name, e, got.Rows.Expected, n)
	}
}
