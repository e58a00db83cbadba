package scanner

import (
	"math"

	"github.com/winnow-scan/winnow/filter"
)

// idleWindows is for how many windows, of the greatest size, a filter that rests is
// not thought of again.
const idleWindows = 8

// idle reports whether the rows in front need not be asked, and are handed out
// as without a condition: in windows of columns that are returned, and of no others.
//
//	proven     | all pass              | ?                   | all pass   |
//	rests      |                       |    | rows   | rows   |            |
//	asked      .                       [tr.]                 .
//	idle       [                       )    [        [        [            )
func (c *condition) idle() (bool, error) {
	if c == nil {
		return true, nil
	}
	s := c.scan
	if c.idling && s.windows.left[0].From < c.free && !c.news() {
		return true, nil
	}
	c.idling = false
	if s.passing.left > 0 || s.share.counts() || s.share.ahead.Running() {
		return false, nil
	}
	if err := c.refresh(); err != nil || len(s.windows.left) == 0 {
		return false, err
	}
	row := s.windows.left[0].From
	if row >= c.free {
		c.free = c.root.idle(row, int64(c.maxReach))
	}
	c.idling = row < c.free
	return c.idling, nil
}

// idles returns what idle said last.
func (c *condition) idles() bool { return c == nil || c.idling }

// idleUntil returns where a window ends that would end at a row, but is of rows
// that idle told of.
func (c *condition) idleUntil(row int64) int64 {
	if c == nil {
		return row
	}
	return min(row, c.free)
}

// idle returns up to which row behind one the step need not be asked: row itself
// if it must be. Windows are of so many rows.
func (st *step) idle(row, reach int64) int64 {
	end := st.proven.all.Run(row)
	switch {
	case end > row:
	case st.node.Op == filter.OpTrue:
		return math.MaxInt64
	case st.mayRest && !st.rest.over(idleWindows):
		return row + idleWindows*reach
	case st.node.Op == filter.OpAnd:
		end = math.MaxInt64
		for _, a := range st.args {
			if end = min(end, a.idle(row, reach)); end == row {
				break
			}
		}
	}
	return end
}
