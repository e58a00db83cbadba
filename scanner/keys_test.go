package scanner

import (
	"sync"
	"testing"

	"github.com/winnow-scan/winnow/filter"
)

// Scans at the same time ask for the same zero Keys, each by a condition of its own: all
// keys pass, and few others.
func TestZeroKeysOfManyScans(t *testing.T) {
	f := filterable(t, someRows(5000))
	var keys filter.Keys
	for id := range int64(2500) {
		keys.AddInt64(2 * id)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			even, odd := 0, 0
			for b, err := range f.Scan(t.Context(), Options{Select: []string{"id"}, Filter: filter.Col("id").InKeys(&keys)}) {
				if err != nil {
					t.Error(err)
					return
				}
				for _, id := range b.Columns[0].Int64s[:b.Len] {
					if id%2 == 0 {
						even++
					} else {
						odd++
					}
				}
				b.Release()
			}
			if even != 2500 || odd > 50 {
				t.Errorf("%d keys and %d others, want 2500 and about 12", even, odd)
			}
		})
	}
	all.Wait()
}
