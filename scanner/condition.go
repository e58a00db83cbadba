package scanner

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
)

// A condition is a scan's filter as it runs: the program's tree, where each
// step knows the leaf that it asks, what is proven about rows of the row
// group, and what it cost so far.
type condition struct {
	scan   *scan
	root   *step
	rounds int // windows

	reach, maxReach int // rows of a window
}

// step is a node of the program.
type step struct {
	node *filter.Node
	args []*step // And and Or: in the order in which they run

	leaf  *leaf         // of a test
	needs []batchColumn // of a compute
	given batchMemory   // what needs are read into

	proven proof
	effort effort

	kept, passed, rest vector.Selection // scratch
	ones               []uint64
}

// proof is what is known about rows of a row group without asking them.
type proof struct {
	none, all vector.Ranges // rows that do not pass, that do
}

// newCondition plans a program's steps. Leaves that tests ask are among the
// scan's, whether they are handed out or not.
func (s *scan) newCondition(p *filter.Program, byNode map[*schema.Node]*leaf) (*condition, error) {
	c := &condition{scan: s}
	var err error
	c.root, err = c.step(p.Root, byNode)
	return c, err
}

func (c *condition) step(n *filter.Node, byNode map[*schema.Node]*leaf) (*step, error) {
	st := &step{node: n}
	switch n.Op {
	case filter.OpTest:
		st.leaf = c.scan.leafOf(n.Test.Leaf, byNode)
		st.leaf.filters = true
	case filter.OpCompute:
		for _, need := range n.Compute.Needs {
			column, err := c.scan.newColumn(output{part: wholeOf(need)}, byNode)
			if err != nil {
				return nil, err
			}
			for _, l := range column.leaves {
				l.filters = true
			}
			st.needs = append(st.needs, column)
		}
		st.given.columns = make([]columnMemory, len(st.needs))
	}
	for _, a := range n.Args {
		arg, err := c.step(a, byNode)
		if err != nil {
			return nil, err
		}
		st.args = append(st.args, arg)
	}
	return st, nil
}

// startGroup takes what is proven about a row group, and guesses an order
// where nothing was learnt.
func (c *condition) startGroup() error {
	c.reach = c.firstReach()
	c.root.each(func(st *step) {
		st.proven = proof{}
		for _, l := range st.reads() {
			st.effort.guess(l)
		}
	})
	return nil
}

// next has windows asked until rows of one pass, or none is left.
func (c *condition) next() error {
	s := c.scan
	p := &s.passing
	for p.left == 0 && s.most > 0 && len(s.windows.left) > 0 {
		if err := s.check(); err != nil {
			return err
		}
		from, to, sel := s.windows.next(c.reach, math.MaxInt64)
		p.from, p.to, p.next = from, to, 0
		if sel == nil {
			p.sel.Fill(int(to - from))
		} else {
			p.sel.Copy(sel)
		}
		if err := c.run(&p.sel, from, to); err != nil {
			return err
		}
		passed := p.sel.Count()
		p.left = passed
		p.only(s.skip, s.most)
		s.skip -= min(s.skip, int64(passed))
		s.most -= int64(p.left)
		c.reach = min(2*c.reach, c.maxReach)
	}
	return nil
}

// firstReach bounds windows such that what filters look at stays in the
// processor's cache, and starts with small ones: a limit may be met soon.
func (c *condition) firstReach() int {
	const most, bytes = 32 << 10, 1 << 20
	width := int64(1)
	for _, l := range c.scan.leaves {
		if l.filters && l.rows > 0 {
			width = max(width, l.chunk.Meta.UncompressedSize/l.rows)
		}
	}
	c.maxReach = int(min(max(bytes/width, 1024), most))
	return min(c.maxReach, 8<<10)
}

func (st *step) each(f func(*step)) {
	f(st)
	for _, a := range st.args {
		a.each(f)
	}
}

// reads returns the leaves that the step itself asks.
func (st *step) reads() []*leaf {
	if st.leaf != nil {
		return []*leaf{st.leaf}
	}
	var all []*leaf
	for i := range st.needs {
		all = append(all, st.needs[i].leaves...)
	}
	return all
}

// run drops the rows of the window [from, to) from sel that do not pass.
func (c *condition) run(sel *vector.Selection, from, to int64) error {
	c.rounds++
	return c.narrow(c.root, sel, from, to)
}

// narrow is run for a step and those below it. What is proven is not asked:
//
//	sel       1 1 1 1 1 1 1
//	proven    n n ? ? ? a a      n: does not pass, a: does
//	asked     0 0 1 1 1 0 0
func (c *condition) narrow(st *step, sel *vector.Selection, from, to int64) error {
	if sel.None() || st.proven.all.Covers(from, to) {
		return nil
	}
	if st.proven.none.Covers(from, to) {
		sel.Clear(sel.N)
		return nil
	}
	if st.proven.none.Meets(from, to) {
		for _, r := range st.proven.none.Clip(from, to) {
			bits.ClearRange(sel.Bits, int(r.From-from), int(r.To-from))
		}
		sel.Changed()
	}
	if !st.proven.all.Meets(from, to) {
		return c.ask(st, sel, from, to)
	}
	st.kept.Clear(sel.N)
	for _, r := range st.proven.all.Clip(from, to) {
		st.kept.SetRange(int(r.From-from), int(r.To-from))
	}
	st.kept.And(sel)
	sel.AndNot(&st.kept)
	err := c.ask(st, sel, from, to)
	sel.Or(&st.kept)
	return err
}

func (c *condition) ask(st *step, sel *vector.Selection, from, to int64) error {
	if sel.None() {
		return nil
	}
	switch st.node.Op {
	case filter.OpTrue:
	case filter.OpFalse:
		sel.Clear(sel.N)
	case filter.OpTest:
		if err := c.scan.enter(st.leaf, from, to); err != nil {
			return err
		}
		return st.leaf.wrap(st.leaf.cursor.Filter(sel, st.node.Test.Pred))
	case filter.OpCompute:
		return c.compute(st, sel, from, to)
	case filter.OpAnd:
		c.order(st, false)
		for _, a := range st.args {
			if err := c.measured(a, sel, from, to); err != nil || sel.None() {
				return err
			}
		}
	case filter.OpOr:
		c.order(st, true)
		rest := &st.rest
		rest.Copy(sel)
		for _, a := range st.args {
			st.passed.Copy(rest)
			if err := c.measured(a, &st.passed, from, to); err != nil {
				return err
			}
			if rest.AndNot(&st.passed); rest.None() {
				return nil
			}
		}
		sel.AndNot(rest)
	case filter.OpComplement:
		st.passed.Copy(sel)
		if err := c.narrow(st.args[0], &st.passed, from, to); err != nil {
			return err
		}
		sel.AndNot(&st.passed)
	}
	return nil
}

// compute reads the selected rows of what a compute needs, and tests those.
func (c *condition) compute(st *step, sel *vector.Selection, from, to int64) error {
	n := sel.Count()
	vectors := make([]*vector.Vector, len(st.needs))
	for i := range st.needs {
		column := &st.needs[i]
		column.startBatch(&st.given.columns[i])
		for _, l := range column.leaves {
			if err := c.scan.enter(l, from, to); err != nil {
				return err
			}
		}
		if err := column.read(sel); err != nil {
			return err
		}
		v, _, err := column.vector(n)
		if err != nil {
			return c.scan.file.wrap(c.scan.group, column.name(), -1, err)
		}
		vectors[i] = v
	}
	st.ones = append(st.ones[:0], make([]uint64, bits.Words(n))...)
	bits.SetRange(st.ones, 0, n)
	st.node.Compute.Narrow(st.ones, n, vectors)
	st.passed.Copy(sel)
	bits.Deposit(sel.Bits, st.ones, 0, st.passed.Bits, sel.N)
	sel.Changed()
	for i := range st.given.columns {
		for _, v := range st.given.columns[i].values {
			c.scan.scratch.bodies.Release(v)
		}
	}
	return nil
}

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
	if len(st.args) < 2 {
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

// measured is narrow with an eye on the clock.
func (c *condition) measured(st *step, sel *vector.Selection, from, to int64) error {
	in := sel.Count()
	if in == 0 {
		return nil
	}
	start := time.Now()
	err := c.narrow(st, sel, from, to)
	st.effort.add(in, sel.Count(), time.Since(start))
	return err
}

// wholeOf returns what a compute needs of a node.
func wholeOf(need filter.Need) assemble.Part {
	if !need.Lengths {
		return assemble.Whole(need.Node)
	}
	// Lengths are told by any leaf below: take the cheapest.
	steps := []*schema.Node{need.Node}
	for n := need.Node; n.Kind != schema.Leaf; steps = append(steps, n) {
		switch n.Kind {
		case schema.List:
			n = n.Item()
		case schema.Map:
			n = n.Key()
		default:
			n = n.Children[slices.IndexFunc(n.Children, func(c *schema.Node) bool { return c.Shallowest() == n.Shallowest() })]
		}
	}
	return newPick(steps).part()
}
