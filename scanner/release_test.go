//go:build invariants

package scanner

import (
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/validate"
)

// Batches that a scan reuses show nothing of later ones to a host that still holds them.
func TestReleasedBatchesOfScansArePoisoned(t *testing.T) {
	f, err := Open(t.Context(), "../testdata/lineitems.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for b, err := range f.Scan(t.Context(), Options{RowNumber: "row", FileName: "file", BatchRows: 1000}) {
		if err != nil {
			t.Fatal(err)
		}
		columns := slices.Clone(b.Columns)
		row := columns[slices.IndexFunc(b.Fields, func(f vector.Field) bool { return f.Name == "row" })]
		if row.Len != b.Len || row.Int64s[0] < 0 {
			t.Fatal(row.Len, row.Int64s[0])
		}
		b.Release()
		for _, v := range columns {
			if v.Len >= 0 || validate.Vector(v) == nil {
				t.Errorf("a released vector of %s is valid", v.Type)
			}
		}
		if uint64(row.Int64s[0]) != 0xcccccccccccccccc {
			t.Errorf("row %d after the release", row.Int64s[0])
		}
		n++
	}
	if n < 20 {
		t.Errorf("%d batches", n)
	}
}
