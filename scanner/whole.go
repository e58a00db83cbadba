package scanner

import (
	"math"
	"sort"

	"github.com/winnow-scan/winnow/column/vector"
)

// pages reports whether a page of the column that is asked first starts with the first of
// rows, and at which row a window of them ends at the latest: where the last page starts
// that it can reach, unless that is near. So pages are handled whole, and fewer are held.
//
//	pages      |        a        |        b        |        c        |
//	reach      [                       )[                       )
//	windows    [        1        |        2        |        3        )
func (c *condition) pages(rows vector.Range) (start bool, limit int64) {
	st := c.root
	for st.leaf == nil && len(st.args) > 0 {
		st = st.args[0]
	}
	if st.leaf == nil || c.scan.opts.Force.Window > 0 {
		return false, math.MaxInt64
	}
	x, reach := st.leaf.offsets, int64(c.reach)
	first := sort.Search(len(x), func(i int) bool { return x[i].FirstRow >= rows.From })
	start = first < len(x) && x[first].FirstRow == rows.From
	n := sort.Search(len(x)-first, func(i int) bool { return x[first+i].FirstRow > rows.From+reach })
	if n == 0 {
		return start, math.MaxInt64
	}
	limit = x[first+n-1].FirstRow
	if limit < rows.From+max(reach/4, 1) || limit >= rows.To {
		limit = math.MaxInt64
	}
	return start, limit
}
