package scanner

import (
	"slices"
	"time"

	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// A condition is a scan's filter as it runs: the program's tree, where each
// step knows the leaf that it asks, what is proven about rows of the row
// group, and what it cost so far. What is looked at before each idle window stands in
// front, on one line of the processor's cache.
type condition struct {
	scan   *scan
	late   []late
	free   int64 // no row in front of it is asked
	idling bool  // nor of the last window

	static  *filter.Program
	program *filter.Program // of static and late
	root    *step
	steps   map[*filter.Node]*step // of the program's nodes
	asking  *step                  // whose leaf is at work
	rounds  int                    // windows
	again   bool                   // what is left of the row group is to be judged
	judging pageindex.Judge

	reach, maxReach int           // rows of a window
	longest         time.Duration // that a step took in the last one
}

// long is for a step in a window: a scan that is cancelled waits for its end.
const long = 4 * time.Millisecond

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
	brief   bool // judged by statistics of chunks alone

	kept, passed, unsettled, some vector.Selection // scratch
	ones                          []uint64
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
	if err := c.scan.check(); err != nil { // there may be very many steps
		return nil, err
	}
	st := &step{node: n}
	switch n.Op {
	case filter.OpTest:
		st.leaf = c.scan.leafOf(n.Test.Leaf)
		st.leaf.filters, st.leaf.values = true, true
	case filter.OpCompute:
		for _, need := range n.Compute.Needs {
			column, err := c.scan.newColumn(project.Output{Part: wholeOf(need)})
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

// price guesses what the steps cost about whose leaves nothing was learnt, and
// chooses how far windows reach.
func (c *condition) price() {
	c.root.each(func(st *step) {
		st.reads(func(l *leaf) { st.effort.guess(l) })
	})
	c.reach = c.firstReach()
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
		start, end := c.pages(s.windows.left[0])
		if start {
			p.border = s.windows.left[0].From
		}
		from, to, sel := s.windows.next(c.reach, end)
		p.from, p.to, p.next = from, to, 0
		if sel == nil {
			p.sel.Fill(int(to - from))
		} else {
			p.sel.Copy(sel)
		}
		c.longest = 0
		if err := c.run(&p.sel, from, to); err != nil {
			return err
		}
		p.left = p.sel.Count()
		p.only(s.share.take(p.left))
		s.sparse = s.sparse || p.gaps(s.rowsOfPage())
		if p.left > 0 {
			s.expect(&p.sel, p.from)
		}
		if c.longest > long {
			c.reach = max(c.reach/2, 1)
		} else {
			c.reach = min(2*c.reach, c.maxReach)
		}
	}
	return nil
}

// firstReach bounds windows such that what filters look at stays in the
// processor's cache, and starts with small ones: a limit may be met soon, or the
// scan be cancelled. Where many columns are returned, what each of them comes
// back to after a window has left the cache, too: then windows are larger, and fewer.
func (c *condition) firstReach() int {
	const many, bytes = 8, 1 << 20
	most := 32 << 10
	if len(c.scan.columns) > many {
		most *= 2
	}
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
	fit := int(bytes / width)
	c.maxReach = min(max(fit, 1024), most)
	first := fit
	c.root.each(func(st *step) {
		switch {
		case st.node.Op == filter.OpCompute: // nobody knows how long a function takes
			first = min(first, 64)
		case st.node.Op == filter.OpTest && st.node.Test.Pred.Kind == pred.Func: // 100 ns a byte
			first = min(first, fit/16)
		}
	})
	return max(min(first, c.maxReach, 8<<10), 1)
}

func (st *step) each(f func(*step)) {
	f(st)
	for _, a := range st.args {
		a.each(f)
	}
}

// reads calls f for the leaves that the step itself asks.
func (st *step) reads(f func(*leaf)) {
	if st.leaf != nil {
		f(st.leaf)
	}
	for i := range st.needs {
		for _, l := range st.needs[i].leaves {
			f(l)
		}
	}
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
	return project.PartOf(steps)
}
