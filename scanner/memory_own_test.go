package scanner

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/test/gen"
)

// Scans of a file without Resources reuse what batches of earlier ones have released.
// It stays while a batch uses it, and is gone after a garbage collection when none does.
func TestScansOfAFileShareMemory(t *testing.T) {
	values := make([]int64, 500_000)
	f := fileOf(t, gen.File{
		Schema:    []*gen.Node{gen.Required("s", gen.Int64)},
		RowGroups: []gen.RowGroup{{Columns: []gen.Column{{Data: &gen.Data{Values: values}, PageRows: []int{20_000}}}}},
	})
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	scan := func() (held []*vector.Batch, allocated uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for b, err := range f.Scan(t.Context(), Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, b)
		}
		runtime.ReadMemStats(&after)
		return held, after.TotalAlloc - before.TotalAlloc
	}
	held, first := scan()
	for _, b := range held {
		b.Release()
	}
	held, second := scan()
	if first < 4_000_000 || second > first/4 {
		t.Errorf("the first scan allocates %d bytes, the second %d", first, second)
	}
	runtime.GC()
	if f.memory.last.Value() == nil {
		t.Error("the memory of batches is gone")
	}
	runtime.KeepAlive(held)
	held = nil
	runtime.GC()
	if f.memory.last.Value() != nil {
		t.Error("idle memory stays")
	}
}
