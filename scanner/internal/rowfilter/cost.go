package rowfilter

import (
	"cmp"
	"slices"
	"time"

	"github.com/winnow-scan/winnow/filter/compile"
)

// Cost counts the rows that a condition tested in the whole scan, and the time.
type Cost struct {
	In, Out int64 // rows that were tested, and that passed
	Time    time.Duration
}

// cost is a decaying average of a step's rows and time.
type cost struct {
	in, out float64 // rows
	time    float64 // nanoseconds
	first   float64 // nanoseconds a row, before anything is measured
}

const (
	decay   = 0.9 // the share of the past that counts in the next window
	explore = 64  // one in explore windows tries another order
)

func (c *cost) add(in, out int, t time.Duration) {
	c.in = c.in*decay + float64(in)
	c.out = c.out*decay + float64(out)
	c.time = c.time*decay + float64(t)
}

// perSettledRow returns the nanoseconds spent for each row that the step settles: one that
// an And drops, or an Or lets pass.
func (c *cost) perSettledRow(or bool) float64 {
	if c.in == 0 {
		return 2 * (c.first + 0.1) // assumes that the step settles half of the rows
	}
	settled := c.in - c.out
	if or {
		settled = c.out
	}
	return c.time / (settled + c.in/1e4)
}

// Guess estimates the cost of steps that were never measured from the compressed
// bytes that their columns take a row, and chooses the first window's size: a small one, if
// others wait for what it shows.
func (f *Filter) Guess(small bool) error {
	var fault error
	width := int64(1) // bytes of a row of the widest column
	f.root.eachRunning(func(st *step) {
		st.reads(func(l Leaf) {
			chunk, rows, err := l.Chunk(f.group)
			if err != nil {
				fault = err
			} else if rows > 0 {
				width = max(width, chunk.Footer.Meta.UncompressedSize/rows)
				if st.cost.in == 0 {
					st.cost.first += float64(max(chunk.Footer.Meta.CompressedSize, 0)) / float64(rows)
				}
			}
		})
	})
	if fault == nil {
		f.windowRows = f.firstWindowRows(width, small)
	}
	return fault
}

// order sorts the args by the time that they take for each row they settle.
func (f *Filter) order(st *step, or bool) {
	if len(st.args) < 2 || f.opts.FixedOrder || st.node.InOrder {
		return
	}
	slices.SortStableFunc(st.args, func(a, b *step) int {
		return cmp.Compare(a.running().cost.perSettledRow(or), b.running().cost.perSettledRow(or))
	})
	if f.windows%explore == 0 {
		// The last args see few rows, so their cost is uncertain: try them first at times.
		k := 1 + f.windows/explore%(len(st.args)-1)
		st.args[0], st.args[k] = st.args[k], st.args[0]
	}
}

// Costs calls do for the conditions that tested rows, until do returns false.
func (f *Filter) Costs(do func(condition *compile.Node, c Cost) bool) {
	more := true
	f.root.each(func(st *step) {
		if more && st.total.In > 0 && (st.node.Op == compile.OpTest || st.node.Op == compile.OpCompute || st.node.Op == compile.OpItems) {
			more = do(st.node, st.total)
		}
	})
}
