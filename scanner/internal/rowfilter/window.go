package rowfilter

import (
	"math"
	"sort"
	"time"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
)

// longStep is for how long a step may work on a window: a scan that is cancelled
// waits for its end.
const maxStepTime = 4 * time.Millisecond

// firstReach bounds windows so that what filters read stays in the processor's
// cache, and starts with small ones: a limit may be met soon, or the scan be
// cancelled. Where many columns are returned, what each of them comes back to after a
// window has left the cache, too: then windows are larger, and fewer.
func (f *Filter) firstWindowRows() int {
	const manyColumns, cacheBytes = 8, 1 << 20
	most := 32 << 10
	if f.opts.Columns > manyColumns {
		most *= 2
	}
	if n := f.opts.Window; n > 0 {
		f.maxWindowRows = n
		return n
	}
	width := int64(1)
	f.root.each(func(st *step) {
		st.reads(func(l Leaf) {
			if chunk, rows, err := l.Chunk(f.group); err == nil && rows > 0 {
				width = max(width, chunk.Footer.Meta.UncompressedSize/rows)
			}
		})
	})
	fit := int(cacheBytes / width)
	f.maxWindowRows = min(max(fit, 1024), most)
	first := fit
	f.root.each(func(st *step) {
		switch {
		case st.node.Op == filter.OpCompute: // nobody knows how long a function takes
			first = min(first, 64)
		case st.node.Op == filter.OpTest && st.node.Test.Pred.Kind == pred.Func: // 100 ns a byte
			first = min(first, fit/16)
		}
	})
	return max(min(first, f.maxWindowRows, 8<<10), 1)
}

// adaptReach doubles the window's size, or halves it if a step took long.
func (f *Filter) adaptWindowRows() {
	if f.longestStep > maxStepTime {
		f.windowRows = max(f.windowRows/2, 1)
	} else {
		f.windowRows = min(2*f.windowRows, f.maxWindowRows)
	}
}

// Window returns how many rows the next window has at most, and the row at which it
// ends at the latest: where the last page of the column that is tested first
// starts that it can reach, unless that is near. So pages are handled whole, and fewer are
// held. AtPage reports that a page of that column starts with the first of rows.
//
//	pages      |        a        |        b        |        c        |
//	reach      [                       )[                       )
//	windows    [        1        |        2        |        3        )
func (f *Filter) Window(rows vector.Range) (most int, limit int64, atPage bool) {
	st := f.root
	for st.leaf == nil && len(st.args) > 0 {
		st = st.args[0]
	}
	if st.leaf == nil || f.opts.Window > 0 {
		return f.windowRows, math.MaxInt64, false
	}
	pages, reach := st.leaf.Pages(), int64(f.windowRows)
	first := sort.Search(len(pages), func(i int) bool { return pages[i].FirstRow >= rows.From })
	atPage = first < len(pages) && pages[first].FirstRow == rows.From
	n := sort.Search(len(pages)-first, func(i int) bool { return pages[first+i].FirstRow > rows.From+reach })
	if n == 0 {
		return f.windowRows, math.MaxInt64, atPage
	}
	limit = pages[first+n-1].FirstRow
	if limit < rows.From+max(reach/4, 1) || limit >= rows.To {
		limit = math.MaxInt64
	}
	return f.windowRows, limit, atPage
}
