package rowfilter

import (
	"math"
	"sort"
	"time"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
)

// maxStepTime is the time that a step should take for a window at most: a cancelled scan
// waits for the step's end.
const maxStepTime = 4 * time.Millisecond

// firstWindowRows returns the size of the first window, and bounds the size of all: the
// values that filters read, of at most width bytes, should stay in the processor's cache. The
// first windows are small, since a limit may be reached or the scan cancelled soon.
func (f *Filter) firstWindowRows(width int64, small bool) int {
	// On Zen 4, 64 Ki rows took 0.98 to 1.04 times as long in eight workloads.
	cacheBytes, most := int64(1<<20), 32<<10
	if f.opts.Far {
		cacheBytes, most = 4<<20, FarWindow
	}
	if n := f.opts.Window; n > 0 {
		f.maxWindowRows = n
		return n
	}
	fit := int(cacheBytes / width)
	f.maxWindowRows = min(max(fit, 1024), most)
	first := fit
	f.root.eachRunning(func(st *step) {
		switch {
		case st.node.Op == compile.OpCompute: // a function may take any time
			first = min(first, 64)
		case st.node.Op == compile.OpTest && st.node.Test.Pred.Kind == pred.Func: // 100 ns a byte
			first = min(first, fit/16)
		}
	})
	if f.opts.Far && !small {
		return max(min(first, f.maxWindowRows), 1)
	}
	return max(min(first, f.maxWindowRows, 8<<10), 1)
}

// FarWindow bounds the rows of a window of a far file: the pages of all of its survivors are
// requested at once, so each window takes a trip.
const FarWindow = 256 << 10

// adaptWindowRows doubles the window's size, or halves it if a step took long.
func (f *Filter) adaptWindowRows() {
	if f.longestStep > maxStepTime && !f.opts.FixedOrder {
		f.windowRows = max(f.windowRows/2, 1)
	} else if f.windowRows = min(2*f.windowRows, f.maxWindowRows); f.opts.Far {
		f.windowRows = f.maxWindowRows
	}
}

// Window returns the maximum number of rows of the next window, and the row at which it
// must end. That is the start of the last page that the window can reach, of the column that
// is tested first, unless it is near. So windows have whole pages, and fewer pages are
// held. atPage reports that a page of that column starts with the first of rows.
//
//	pages      |        a        |        b        |        c        |
//	reach      [                       )[                       )
//	windows    [        1        |        2        |        3        )
func (f *Filter) Window(rows vector.Range) (most int, limit int64, atPage bool) {
	st := f.root.running()
	for st.leaf == nil && len(st.args) > 0 {
		st = st.args[0].running()
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

// untestedWindows is the number of windows, of the greatest size, after which a filter in
// backoff is retried.
const untestedWindows = 8

// UntestedUntil returns the end of the rows from row on that need no test: row itself if the
// next needs one. They are returned as without a filter, in windows of the returned columns,
// until Published.
//
//	proven     | all pass              | ?                   | all pass   |
//	backoff    |                       |    | rows   | rows   |            |
//	tested     .                       [tr.]                 .
//	untested   [                       )    [        [        [            )
func (f *Filter) UntestedUntil(row int64) int64 {
	return f.root.untestedUntil(row, int64(f.maxWindowRows))
}

// untestedUntil returns the end of the rows from row on for which the step need not run: row
// itself if it must. reach is the number of rows of a window.
func (st *step) untestedUntil(row, reach int64) int64 {
	end := st.proven.All.Run(row)
	switch {
	case end > row:
	case st.node.Op == compile.OpTrue:
		return math.MaxInt64
	case st.optional && !st.backoff.ended(untestedWindows):
		return row + untestedWindows*reach
	case st.node.Op == compile.OpAnd:
		end = math.MaxInt64
		for _, a := range st.args {
			if end = min(end, a.untestedUntil(row, reach)); end == row {
				break
			}
		}
	}
	return end
}
