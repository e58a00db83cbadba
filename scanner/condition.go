package scanner

import (
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
)

// A condition is a scan's filter as it runs: the program's tree, where each
// step knows the leaf that it asks, what is proven about rows of the row
// group, and what it cost so far.
type condition struct {
	scan    *scan
	static  *filter.Program
	late    []late
	program *filter.Program // of both
	root    *step
	rounds  int // windows

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
	pred   *pred.Test // of a test: the program's, or a mask that was made of it
	tried  bool       // whether the dictionary was asked, in this row group
	effort effort
	total  ConditionStats // without the name

	mayRest bool // drops rows that nobody insists on being dropped
	rest    rest

	kept, passed, unsettled, some vector.Selection // scratch
	ones                          []uint64
}

// proof is what is known about rows of a row group without asking them.
type proof struct {
	none, all vector.Ranges // rows that do not pass, that do
}

// newCondition plans the steps of what the options ask.
func (s *scan) newCondition() (*condition, error) {
	c := &condition{scan: s}
	var err error
	if c.static, err = s.bindExpr(s.opts.Filter); err != nil {
		return nil, err
	}
	for _, r := range s.opts.Runtime {
		c.late = append(c.late, late{from: r})
	}
	c.program = c.static
	if err := c.build(); err != nil {
		return nil, err
	}
	_, err = c.renew()
	return c, err
}

func (c *condition) step(n *filter.Node, known map[*filter.Node]*step) (*step, error) {
	if st := known[n]; st != nil {
		return st, nil
	}
	st := &step{node: n}
	switch n.Op {
	case filter.OpTest:
		st.leaf = c.scan.leafOf(n.Test.Leaf)
		st.leaf.filters, st.leaf.values = true, true
	case filter.OpCompute:
		for _, need := range n.Compute.Needs {
			column, err := c.scan.newColumn(output{part: wholeOf(need)})
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
		arg, err := c.step(a, known)
		if err != nil {
			return nil, err
		}
		st.args = append(st.args, arg)
	}
	return st, nil
}

// startGroup settles which rows of a row group are asked.
func (c *condition) startGroup() error {
	if _, err := c.renew(); err != nil {
		return err
	}
	return c.prove()
}

// prove has metadata looked at for the rows that are wanted. What a plan tells is
// not looked at again, but what came since at run time is.
func (c *condition) prove() error {
	s := c.scan
	c.forget()
	program := c.program
	if of := s.at.of; of != nil && of.plan != nil || s.opts.Plan != nil {
		if of != nil && of.plan != nil {
			c.take(of.plan)
		} else {
			c.take(s.opts.Plan.group(s.group))
		}
		if program = c.added(); program == nil {
			return nil
		}
	}
	j, err := c.judge(program, s.group, s.wanted)
	if err != nil {
		return err
	}
	s.wanted = j.Rows()
	judged := map[*filter.Node]bool{}
	tests(program.Root, func(n *filter.Node) { judged[n] = true })
	c.root.each(func(st *step) {
		if judged[st.node] {
			st.proven.none, st.proven.all = j.Of(st.node)
		}
	})
	for _, l := range s.leaves {
		if x := j.Offsets(l.node); x != nil {
			l.offsets, l.sought = x.Pages, true
		}
	}
	return nil
}

// forget makes the steps know nothing of a row group.
func (c *condition) forget() {
	c.root.each(func(st *step) {
		st.proven, st.tried = proof{}, false
		if st.leaf != nil {
			st.pred = st.node.Test.Pred
		}
	})
}

// price guesses what the steps cost about whose leaves nothing was learnt, and
// chooses how far windows reach.
func (c *condition) price() {
	c.root.each(func(st *step) {
		for _, l := range st.reads() {
			st.effort.guess(l)
		}
	})
	c.reach = c.firstReach()
}

func (c *condition) stepOf(n *filter.Node) (found *step) {
	c.root.each(func(st *step) {
		if st.node == n {
			found = st
		}
	})
	return found
}

// refresh takes over what was published since the last window: the rows that
// are left are judged anew.
func (c *condition) refresh() error {
	changed, err := c.renew()
	if err != nil || !changed {
		return err
	}
	s := c.scan
	if s.wanted = s.windows.left; len(s.wanted) == 0 {
		return nil
	}
	if err := c.prove(); err != nil {
		return err
	}
	s.windows.start(s.wanted)
	return s.find()
}

// next has windows asked until rows of one pass, or none is left.
func (c *condition) next() error {
	s := c.scan
	p := &s.passing
	for p.left == 0 && s.share.most.Load() > 0 && len(s.windows.left) > 0 {
		if err := s.check(); err != nil {
			return err
		}
		if err := c.refresh(); err != nil || len(s.windows.left) == 0 {
			return err
		}
		s.expect(nil, 0)
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
		p.left = p.sel.Count()
		p.only(s.share.take(p.left))
		if p.left > 0 {
			s.expect(&p.sel, p.from)
		}
		c.reach = min(2*c.reach, c.maxReach)
	}
	return nil
}

// firstReach bounds windows such that what filters look at stays in the
// processor's cache, and starts with small ones: a limit may be met soon.
func (c *condition) firstReach() int {
	const most, bytes = 32 << 10, 1 << 20
	if n := c.scan.opts.Force.Window; n > 0 {
		c.maxReach = n
		return n
	}
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
	return c.measured(c.root, sel, from, to)
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
		if !st.tried && (st.rest.worth || !st.mayRest) {
			if err := c.tryDictionary(st, sel); err != nil || sel.None() {
				return err
			}
		}
		return st.leaf.wrap(st.leaf.cursor.Filter(sel, st.pred))
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
		rest := &st.unsettled
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
		if err := c.measured(st.args[0], &st.passed, from, to); err != nil {
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
			c.scan.pool.bodies.Release(v)
		}
	}
	return nil
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
