package rowfilter

import (
	"cmp"
	"slices"
	"time"

	"github.com/winnow-scan/winnow/filter"
)

// Cost is what a condition did in the whole scan.
type Cost struct {
	In, Out int64 // rows that were tested, and that passed
	Time    time.Duration
}

// cost is what a step cost lately: the past counts less and less.
type cost struct {
	in, out float64 // rows
	time    float64 // nanoseconds
	first   float64 // nanoseconds a row, before anything is measured
}

const (
	decay   = 0.9 // the share of the past that counts in the next window
	explore = 64  // in one window of so many another order is tried
)

func (c *cost) add(in, out int, t time.Duration) {
	c.in = c.in*decay + float64(in)
	c.out = c.out*decay + float64(out)
	c.time = c.time*decay + float64(t)
}

// perSettled returns the nanoseconds spent for each row that need not be tested
// further: one that an And drops, or an Or lets pass.
func (c *cost) perSettledRow(or bool) float64 {
	if c.in == 0 {
		return 2 * (c.first + 0.1) // as if half of the rows went either way
	}
	settled := c.in - c.out
	if or {
		settled = c.out
	}
	return c.time / (settled + c.in/1e4)
}

// Guess estimates the cost of steps that were never measured from the compressed
// bytes that their columns take a row, and chooses the first window's size.
func (f *Filter) Guess() error {
	var fault error
	f.root.each(func(st *step) {
		st.reads(func(l Leaf) {
			chunk, rows, err := l.Chunk(f.group)
			if err != nil {
				fault = err
			} else if st.cost.in == 0 && rows > 0 {
				st.cost.first += float64(max(chunk.Footer.Meta.CompressedSize, 0)) / float64(rows)
			}
		})
	})
	if fault == nil {
		f.windowRows = f.firstWindowRows()
	}
	return fault
}

// order puts the args that settle most rows in the least time in front.
func (f *Filter) order(st *step, or bool) {
	if len(st.args) < 2 || f.opts.FixedOrder {
		return
	}
	slices.SortStableFunc(st.args, func(a, b *step) int {
		return cmp.Compare(a.cost.perSettledRow(or), b.cost.perSettledRow(or))
	})
	if f.windows%explore == 0 {
		// What stands behind sees few rows, and may be better than it looks.
		k := 1 + f.windows/explore%(len(st.args)-1)
		st.args[0], st.args[k] = st.args[k], st.args[0]
	}
}

// count adds to what is known of a step's cost.
func (st *step) count(in, out int, t time.Duration) {
	st.cost.add(in, out, t)
	st.total.In += int64(in)
	st.total.Out += int64(out)
	st.total.Time += t
}

// Costs calls do for the conditions that tested rows, until do returns false.
func (f *Filter) Costs(do func(condition *filter.Node, c Cost) bool) {
	more := true
	f.root.each(func(st *step) {
		if more && st.total.In > 0 && (st.node.Op == filter.OpTest || st.node.Op == filter.OpCompute) {
			more = do(st.node, st.total)
		}
	})
}
