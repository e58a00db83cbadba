package scanner

import (
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/gen"
)

// TestBatchesOfSharedPrefixes: values of a fixed length that share their prefixes take far more memory
// than their page. Batches stay near their budget all the same, the first one, too.
func TestBatchesOfSharedPrefixes(t *testing.T) {
	const width, rows = 64 << 10, 2000
	group := gen.RowGroup{}
	value := strings.Repeat("x", width)
	for range rows {
		group.Rows = append(group.Rows, gen.Record{"a": value})
	}
	f := fileOf(t, gen.File{
		Schema: []*gen.Node{gen.Required("a", gen.FixedLenByteArray).Len(width)}, RowGroups: []gen.RowGroup{group},
		All: gen.Column{Shape: gen.Shape{Encoding: gen.DeltaByteArray}},
	})
	seen := 0
	for b, err := range f.Scan(t.Context(), Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if b.Len*width > 2*defaultBatchBytes {
			t.Errorf("a batch of %d rows has %d bytes", b.Len, b.Len*width)
		}
		seen += b.Len
		b.Release()
	}
	if seen != rows {
		t.Errorf("%d rows", seen)
	}
}
