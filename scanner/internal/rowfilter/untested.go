package rowfilter

import (
	"math"

	"github.com/winnow-scan/winnow/filter"
)

// untestedWindows is for how many windows, of the greatest size, a filter in backoff
// is not retried.
const untestedWindows = 8

// Untested reports whether the rows from row on need not be tested, and are handed out
// as without a filter: in windows of columns that are returned, and of no others.
// UntestedUntil says up to where.
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

// StillUntested is Untested for a window behind an untested one, if nothing was
// published meanwhile: it is cheap.
func (f *Filter) StillUntested(row int64) bool { return row < f.untestedUntil && !f.published() }

// UntestedUntil returns the row where the untested rows end that Untested reported,
// or limit if that is in front of it. A nil Filter tests nothing.
func (f *Filter) UntestedUntil(limit int64) int64 {
	if f == nil {
		return limit
	}
	return min(limit, f.untestedUntil)
}

// untestedFrom returns up to which row behind one the step need not run: row itself
// if it must. Windows are of so many rows.
func (st *step) untestedFrom(row, reach int64) int64 {
	end := st.proven.all.Run(row)
	switch {
	case end > row:
	case st.node.Op == filter.OpTrue:
		return math.MaxInt64
	case st.optional && !st.backoff.ended(untestedWindows):
		return row + untestedWindows*reach
	case st.node.Op == filter.OpAnd:
		end = math.MaxInt64
		for _, a := range st.args {
			if end = min(end, a.untestedFrom(row, reach)); end == row {
				break
			}
		}
	}
	return end
}
