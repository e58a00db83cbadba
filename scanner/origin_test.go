package scanner

import (
	"testing"

	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

// A batch says which rows of its row group it is of, and rows which file and row they are.
func TestOrigin(t *testing.T) {
	f := filterable(t, someRows(2500))
	groups := f.Footer().RowGroups
	for name, o := range map[string]Options{
		"all":      {},
		"filtered": {Filter: scannertest.Parsed(t, "n >= 30 OR id > 7")},
		"some":     {Offset: 70, Limit: 1500, BatchRows: 100},
		"items":    {Unnest: "tags"},
		"threads":  {Threads: 2, Select: []string{"s"}},
	} {
		o.RowNumber, o.FileName = "row", "file"
		seen := int64(0)
		for b, err := range f.Scan(t.Context(), o) {
			if err != nil {
				t.Fatal(err)
			}
			from := b.Origin
			if from.File != f.Name() || from.RowGroup < 0 || from.RowGroup >= len(groups) || from.Rows.From >= from.Rows.To || from.Rows.To > groups[from.RowGroup].NumRows {
				t.Fatalf("%s: a batch of %+v", name, from)
			}
			first := int64(0)
			for _, g := range groups[:from.RowGroup] {
				first += g.NumRows
			}
			numbers, names := b.Columns[len(b.Columns)-2], b.Columns[len(b.Columns)-1]
			numbers.Flatten()
			names.Flatten()
			for i := range b.Len {
				if row := numbers.Int64s[i] - first; row < from.Rows.From || row >= from.Rows.To || string(names.Bytes(i)) != f.Name() {
					t.Fatalf("%s: row %d of file %q in a batch of %+v", name, row, names.Bytes(i), from)
				}
			}
			seen += int64(b.Len)
		}
		if seen == 0 {
			t.Errorf("%s: no rows", name)
		}
	}
	for b, err := range f.Top(t.Context(), Order{By: "id"}, Options{Limit: 3, FileName: "file"}) {
		if err != nil || b.Origin.RowGroup != -1 || string(b.Columns[len(b.Columns)-1].Bytes(0)) != f.Name() {
			t.Errorf("the first rows: %+v, %v", b.Origin, err)
		}
	}
	type named struct {
		ID   int64  `parquet:"id"`
		File string `parquet:"file"`
	}
	for r, err := range Rows[named](t.Context(), f, Options{FileName: "file", Limit: 1}) {
		if err != nil || r.File != f.Name() {
			t.Errorf("%+v, %v", r, err)
		}
	}
}
