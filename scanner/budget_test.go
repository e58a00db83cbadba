package scanner

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/gen"
	"github.com/winnow-scan/winnow/scanner/internal/scannertest"
)

const (
	budgetGroups  = 6
	budgetColumns = 3
	budgetPage    = 256 << 10
)

// budgetFile is a file of 6 row groups of 3 columns of 8 MiB each, in pages of
// 256 KiB that take little of the file.
func budgetFile(t *testing.T) *File {
	const rows, length = 32, 8 << 10
	const times = 32 // pages
	var groups []gen.RowGroup
	for g := range budgetGroups {
		var all []any
		for i := range rows * times {
			r := gen.Record{}
			for c := range budgetColumns {
				b := make([]byte, length)
				copy(b, fmt.Sprint(g, " ", i, " ", c))
				r[fmt.Sprint("c", c)] = string(b)
			}
			all = append(all, r)
		}
		groups = append(groups, gen.RowGroup{Rows: all})
	}
	file := gen.File{RowGroups: groups, All: gen.Column{Codec: gen.Snappy, PageRows: []int{rows}}}
	for c := range budgetColumns {
		file.Schema = append(file.Schema, gen.Required(fmt.Sprint("c", c), gen.ByteArray))
	}
	return fileOf(t, file)
}

func liveHeap() int64 {
	time.Sleep(5 * time.Millisecond) // for threads to have done what they may: what they make while it is collected counts
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The live heap of a scan stays under the budget and a page of each column and
// thread, while its host dawdles over each batch; without a budget it does not.
func TestMemoryBudget(t *testing.T) {
	f := budgetFile(t)
	const budget = 8 << 20
	peak := func(o Options) int64 {
		t.Helper()
		base, most := liveHeap(), int64(0)
		rows, next := 0, 0
		for b, err := range f.Scan(t.Context(), o) {
			if err != nil {
				t.Fatal(err)
			}
			if rows += b.Len; rows >= next {
				most = max(most, liveHeap()-base)
				next = rows + 300
			}
			if rows%4 == 0 {
				b.Release()
			}
		}
		if rows != budgetGroups*32*32 {
			t.Errorf("%d rows", rows)
		}
		return most
	}
	for _, threads := range []int{1, 4} {
		limit := int64(budget + threads*budgetColumns*budgetPage)
		for _, o := range []Options{{}, {Filter: scannertest.Parsed(t, "c1 <> 'x'")}, {Dictionaries: allLeaves(vector.DictionaryWherePossible), BatchRows: 100}, {ReadAhead: 64 << 20}, {ReadAhead: 64 << 20, Filter: scannertest.Parsed(t, "c1 <> 'x'")}} {
			o.Threads, o.MemoryBudget = threads, budget
			if got := peak(o); got > limit {
				t.Errorf("%d threads, filter %v: %d KiB live, want at most %d", threads, o.Filter, got>>10, limit>>10)
			}
		}
		if got := peak(Options{Threads: threads}); threads > 1 && got < 2*limit {
			t.Errorf("%d threads, no budget: %d KiB live: nothing was tested", threads, got>>10)
		}
	}
}

// A budget that is next to nothing only makes batches small.
func TestTinyBudget(t *testing.T) {
	f := filterable(t, someRows(3000))
	want := passed(t, f, Options{Select: []string{"tags", "id", "s"}})
	for _, budget := range []int64{1, 1000, 100_000} {
		for _, threads := range []int{0, 3} {
			got := passed(t, f, Options{Select: []string{"tags", "id", "s"}, MemoryBudget: budget, Threads: threads})
			if err := scannertest.Same(got, want); err != nil {
				t.Errorf("budget %d, %d threads: %v", budget, threads, err)
			}
		}
	}
}
