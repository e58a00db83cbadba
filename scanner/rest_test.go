package scanner

import (
	"testing"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/gen"
)

// A runtime filter that drops nothing is asked about few rows; one that drops
// some about all, and so is one that must not rest.
func TestRest(t *testing.T) {
	const n = 40_000 // three windows
	var records []any
	for i := range n {
		records = append(records, gen.Record{"x": i % 2})
	}
	f, _ := recorded(t, write(t, gen.File{Schema: []*gen.Node{gen.Required("x", gen.Int64)}, RowGroups: []gen.RowGroup{{Rows: records}}}))
	for _, c := range []struct {
		keys        []int64
		restless    bool
		rows, asked int64
	}{
		{[]int64{0, 1}, false, n, 512},
		{[]int64{0, 1}, true, n, n},
		{[]int64{0}, false, n / 2, 512 + n - 256}, // a try, and what it left
		{[]int64{0}, true, n / 2, n},
	} {
		keys := filter.NewKeys(100)
		for _, k := range c.keys {
			keys.AddInt64(k)
		}
		var r filter.Runtime
		r.Publish(filter.Col("x").InKeys(keys))
		var stats Stats
		rows := int64(0)
		for b, err := range f.Scan(t.Context(), Options{Runtime: []*filter.Runtime{&r}, Force: Force{Restless: c.restless}, Stats: &stats}) {
			if err != nil {
				t.Fatal(err)
			}
			rows += int64(b.Len)
		}
		if rows != c.rows || len(stats.Tests) != 1 || stats.Tests[0].In != c.asked {
			t.Errorf("keys %v, restless %v: %d rows, %+v, want %d, asked %d", c.keys, c.restless, rows, stats.Tests, c.rows, c.asked)
		}
	}
}
