package scanner

import (
	"testing"

	"github.com/winnow-scan/winnow/filter"
)

// BenchmarkRuntimeFilter scans with runtime filters that let each row pass: none, one that was never
// published, a range that statistics settle, the keys of a hash join, and all values of another column.
func BenchmarkRuntimeFilter(b *testing.B) {
	f, err := Open(b.Context(), "../testdata/lineitems.parquet")
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	const rows, most = 20_000, 1 << 20
	order := filter.Col("order_key")
	keys := filter.NewKeys(most)
	for batch, err := range f.Scan(b.Context(), Options{Select: []string{"order_key"}}) {
		if err != nil {
			b.Fatal(err)
		}
		for _, key := range batch.Columns[0].Int64s[:batch.Len] {
			keys.AddInt64(key)
		}
		batch.Release()
	}
	for _, c := range []struct {
		name string
		pass *filter.Expr
	}{
		{"none", nil},
		{"nothing", nil},
		{"range", filter.And(order.Ge(0), order.Le(most))},
		{"keys", order.InKeys(keys)},
		{"in", filter.Col("line_number").In(1, 2, 3, 4, 5, 6, 7)},
	} {
		o := Options{Select: []string{"order_key", "comment"}, Resources: &Resources{Reuse: 1 << 30}}
		if c.name != "none" {
			o.Runtime = []*filter.Runtime{new(filter.Runtime)}
			o.Runtime[0].Publish(c.pass)
		}
		b.Run("filter="+c.name, func(b *testing.B) {
			for b.Loop() {
				n := 0
				for batch, err := range f.Scan(b.Context(), o) {
					if err != nil {
						b.Fatal(err)
					}
					n += batch.Len
					batch.Release()
				}
				if n != rows {
					b.Fatalf("%d rows", n)
				}
			}
		})
	}
}
