package rowfilter

import (
	"math"

	"github.com/winnow-scan/winnow/filter/compile"
)

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
