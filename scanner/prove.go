package scanner

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
)

// proof is what is known about rows of a row group without asking them.
type proof struct {
	none, all vector.Ranges // rows that do not pass, that do
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
//
// Conditions that rest are held against the statistics of chunks alone. When one
// wakes up and drops rows, those that are left are judged again, by all there is.
func (c *condition) prove() error {
	c.forget()
	c.free, c.again = 0, false
	var whole, brief []*filter.Program
	if g, known := c.plan(); known {
		c.take(g)
	} else {
		whole = append(whole, c.static)
	}
	for i := range c.late {
		if p := c.late[i].program; c.rests(p) {
			brief = append(brief, p)
		} else {
			whole = append(whole, p)
		}
	}
	if err := c.proveBy(filter.Conjoin(whole...), false); err != nil {
		return err
	}
	return c.proveBy(filter.Conjoin(brief...), true)
}

// proveBy has metadata looked at for the conditions of a program, statistics of
// chunks alone if it is to be brief.
func (c *condition) proveBy(program *filter.Program, brief bool) error {
	s := c.scan
	if len(s.wanted) == 0 {
		return nil
	}
	if left, err := c.glance(program, brief); !left || err != nil {
		return err
	}
	j, err := c.judge(program, s.group, s.wanted, brief)
	if err != nil {
		return err
	}
	s.wanted = j.Rows()
	tests(program.Root, func(n *filter.Node) {
		if st := c.steps[n]; st != nil { // nil: nothing passes any more
			st.proven.none, st.proven.all = j.Of(n)
			st.brief = brief
		}
	})
	for _, l := range s.leaves {
		if x := j.Offsets(l.node); x != nil && !l.sought {
			s.place(l, x.Pages)
		}
	}
	return nil
}

// glance holds the tests that each row has to pass against the statistics of their
// chunks. It reports whether that leaves anything to a Judge, which takes far longer:
// what it uses has left the processor's cache since the last row group.
func (c *condition) glance(program *filter.Program, brief bool) (left bool, err error) {
	s := c.scan
	for _, n := range conjuncts(program) {
		st := c.steps[n]
		switch {
		case n.Op == filter.OpTrue:
			continue
		case n.Op != filter.OpTest || st == nil || s.opts.Without.Statistics:
			left = true
			continue
		}
		if err := s.check(); err != nil { // there may be very many
			return false, err
		}
		l := st.leaf
		if err := l.find(s.file, s.group); err != nil {
			return false, err
		}
		verdict, more := l.judged.Verdict(n.Test, l.rows)
		st.brief = brief
		left = left || more && !brief
		switch verdict {
		case filter.None:
			s.lost.add(ByStatistics, s.wanted)
			s.wanted = nil
			return false, nil
		case filter.All:
			st.proven.all = vector.All(l.rows)
		}
	}
	return left, nil
}

// plan returns what was planned for the row group, nil for none of its rows, and
// whether anything was.
func (c *condition) plan() (g *GroupPlan, known bool) {
	s := c.scan
	switch of := s.at.of; {
	case of != nil && of.plan != nil:
		return of.plan, true
	case s.opts.Plan != nil:
		return s.opts.Plan.group(s.group), true
	}
	return nil, false
}

// take makes what a plan tells of the row group known; nil stands for no rows.
func (c *condition) take(g *GroupPlan) {
	s := c.scan
	if g == nil {
		s.wanted = nil
		return
	}
	before := s.wanted
	s.wanted = s.wanted.And(g.Rows)
	s.lost.add(g.reason(), before.AndNot(s.wanted))
	i := 0
	tests(c.static.Root, func(n *filter.Node) {
		if st := c.steps[n]; st != nil && i < len(g.Tests) { // nil: nothing passes any more
			st.proven = proof{g.Tests[i].None, g.Tests[i].All}
		}
		i++
	})
}

// forget makes the steps know nothing of a row group.
func (c *condition) forget() {
	c.root.each(func(st *step) {
		st.proven, st.tried, st.brief = proof{}, false, false
		if st.leaf != nil {
			st.pred = c.scan.aside(st.node.Test.Pred)
		}
	})
}

// refresh takes over what was published since the last window: the rows that
// are left are judged anew.
func (c *condition) refresh() error {
	changed, err := c.renew()
	if err != nil || !changed && !c.again {
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
