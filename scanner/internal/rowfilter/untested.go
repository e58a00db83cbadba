package rowfilter

import (
	"math"

	"github.com/winnow-scan/winnow/filter/compile"
)

// untestedWindows is the number of windows, of the greatest size, after which a filter in
// backoff is retried.
const untestedWindows = 8

// Untested reports whether the rows from row on need no test, and are returned as without
// a filter, in windows of the returned columns. UntestedUntil returns where they end.
//
//	proven     | all pass              | ?                   | all pass   |
//	backoff    |                       |    | rows   | rows   |            |
//	tested     .                       [tr.]                 .
//	untested   [                       )    [        [        [            )
func (f *Filter) Untested(row int64) bool {
	if row >= f.untestedUntil {
		f.untestedUntil = f.root.untestedFrom(row, int64(f.maxWindowRows))
	}
	return row < f.untestedUntil
}

// StillUntested is a cheap Untested for the window after an untested one. It also returns
// false if a condition was published meanwhile.
func (f *Filter) StillUntested(row int64) bool { return row < f.untestedUntil && !f.published() }

// UntestedUntil returns the end of the rows that Untested reported, or limit if that
// comes first. A nil Filter tests nothing.
func (f *Filter) UntestedUntil(limit int64) int64 {
	if f == nil {
		return limit
	}
	return min(limit, f.untestedUntil)
}

// untestedFrom returns the end of the rows from row on for which the step need not run: row
// itself if it must. reach is the number of rows of a window.
func (st *step) untestedFrom(row, reach int64) int64 {
	end := st.proven.all.Run(row)
	switch {
	case end > row:
	case st.node.Op == compile.OpTrue:
		return math.MaxInt64
	case st.optional && !st.backoff.ended(untestedWindows):
		return row + untestedWindows*reach
	case st.node.Op == compile.OpAnd:
		end = math.MaxInt64
		for _, a := range st.args {
			if end = min(end, a.untestedFrom(row, reach)); end == row {
				break
			}
		}
	}
	return end
}
