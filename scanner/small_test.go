package scanner

import (
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// What is made for each row group, and for each batch, is little.
func TestSmallBatches(t *testing.T) {
	const n = 300
	schema := []*gen.Node{gen.Required("x", gen.Int64), gen.Required("s", gen.ByteArray)}
	var groups []gen.RowGroup
	var rows []any
	for i := range n {
		row := gen.Record{"x": i, "s": "a"}
		rows = append(rows, row)
		groups = append(groups, gen.RowGroup{Rows: []any{row}})
	}
	for _, c := range []struct {
		name string
		file gen.File
		most int // pieces of memory for each row
	}{
		{"row groups", gen.File{Schema: schema, RowGroups: groups}, 26},
		{"batches", gen.File{Schema: schema, RowGroups: []gen.RowGroup{{Rows: rows}}}, 4},
	} {
		f := fileOf(t, c.file)
		made := testing.AllocsPerRun(5, func() {
			for b, err := range f.Scan(t.Context(), Options{BatchRows: 1}) {
				if err != nil {
					t.Fatal(err)
				}
				b.Release()
			}
		})
		t.Logf("%s: %.0f", c.name, made)
		if made > float64(c.most*n) {
			t.Errorf("%d %s of one row make %.0f pieces of memory, want %d each at most", n, c.name, made, c.most)
		}
	}
}
