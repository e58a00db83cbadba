package scanner

import (
	"cmp"
	"slices"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
)

// effort is what a step cost, with what is long ago counting less and less.
type effort struct {
	in, out float64 // rows
	time    float64 // nanoseconds
	first   float64 // nanoseconds a row, before anything is known
}

const (
	forget  = 0.9 // the share of the past that counts in the next window
	explore = 64  // in one window of so many another order is tried
)

func (e *effort) add(in, out int, t time.Duration) {
	e.in = e.in*forget + float64(in)
	e.out = e.out*forget + float64(out)
	e.time = e.time*forget + float64(t)
}

// guess prices a leaf by what a row of it takes in the file.
func (e *effort) guess(l *leaf) {
	if e.in == 0 && l.rows > 0 {
		e.first += float64(max(l.chunk.Meta.CompressedSize, 0)) / float64(l.rows)
	}
}

// price returns the nanoseconds spent for each row that need not be asked
// further: one that an And drops, or an Or lets pass.
func (e *effort) price(or bool) float64 {
	if e.in == 0 {
		return 2 * (e.first + 0.1) // as if half of the rows went either way
	}
	settled := e.in - e.out
	if or {
		settled = e.out
	}
	return e.time / (settled + e.in/1e4)
}

// order puts the args that settle most rows in the least time in front.
func (c *condition) order(st *step, or bool) {
	if len(st.args) < 2 || c.scan.opts.Without.Order {
		return
	}
	slices.SortStableFunc(st.args, func(a, b *step) int {
		return cmp.Compare(a.effort.price(or), b.effort.price(or))
	})
	if c.rounds%explore == 0 {
		// What stands behind sees few rows, and may be better than it looks.
		k := 1 + c.rounds/explore%(len(st.args)-1)
		st.args[0], st.args[k] = st.args[k], st.args[0]
	}
}

// count adds to what is known of a step's cost.
func (st *step) count(in, out int, t time.Duration) {
	st.effort.add(in, out, t)
	st.total.In += int64(in)
	st.total.Out += int64(out)
	st.total.Time += t
}

// toldAtLeast is of how many steps a scan tells what they did even if it was cancelled:
// to name them all may take longer than anyone waits.
const toldAtLeast = 1000

// tests returns what the steps did.
func (c *condition) tests() (all []ConditionStats) {
	told := 0
	c.root.each(func(st *step) {
		if told++; told > toldAtLeast && c.scan.ctx.Err() != nil {
			return
		}
		if st.total.In == 0 || st.node.Op != filter.OpTest && st.node.Op != filter.OpCompute {
			return
		}
		t := st.total
		t.Condition = st.node.String()
		all = append(all, t)
	})
	return all
}

// measured is narrow with an eye on the clock.
func (c *condition) measured(st *step, sel *vector.Selection, from, to int64) error {
	in := sel.Count()
	if in == 0 || st.mayRest && !st.rest.over(1) {
		return nil
	}
	if st.mayRest && !st.rest.worth && in > tryRows {
		if err := c.try(st, sel, from, to); err != nil || !st.rest.worth {
			return err
		}
		in = sel.Count()
	}
	took, err := c.timed(st, sel, from, to)
	if st.mayRest {
		st.rest.learn(in, sel.Count(), took)
		c.again = c.again || st.brief && st.rest.worth
	}
	return err
}

// timed narrows sel, and counts what that cost.
func (c *condition) timed(st *step, sel *vector.Selection, from, to int64) (time.Duration, error) {
	in, start := sel.Count(), time.Now()
	err := c.narrow(st, sel, from, to)
	if err == nil {
		err = c.scan.check() // there may be very many steps
	}
	took := time.Since(start)
	st.count(in, sel.Count(), took)
	if len(st.args) == 0 {
		c.longest = max(c.longest, took)
	}
	return took, err
}

// try asks a step about some rows of the window only, to learn whether it drops
// any: those in front, for which fewest bytes are decompressed.
func (c *condition) try(st *step, sel *vector.Selection, from, to int64) error {
	some := &st.some
	in, out, end := 0, 0, 0
	var spent time.Duration
	for _, rows := range [...]int{tryFirst, tryRows} {
		start := end
		end = bits.Select(sel.Bits, start, sel.N, rows-in)
		some.Clear(sel.N)
		bits.Copy(some.Bits, start, sel.Bits, start, end-start)
		some.Changed()
		took, err := c.timed(st, some, from, to)
		if err != nil {
			return err
		}
		bits.Copy(sel.Bits, start, some.Bits, start, end-start)
		in, out, spent = rows, out+some.Count(), spent+took
		if out == in {
			break
		}
	}
	sel.Changed()
	st.rest.learn(in, out, spent)
	return nil
}
