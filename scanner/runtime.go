package scanner

import (
	"time"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/pageindex"
)

// late is a runtime filter as the scan knows it.
type late struct {
	from    *filter.Runtime
	version uint64
	program *filter.Program // of what was published last; nil: nothing
}

// news reports whether something was published since renew was last called.
func (c *condition) news() bool {
	for i := range c.late {
		if c.late[i].from.Newer(c.late[i].version) {
			return true
		}
	}
	return false
}

// renew takes over what was published since it was last called, and reports
// whether that was anything.
func (c *condition) renew() (changed bool, err error) {
	if !c.news() {
		return false, nil
	}
	for i := range c.late {
		l := &c.late[i]
		e, version := l.from.Snapshot()
		if version == l.version {
			continue
		}
		l.version, l.program = version, nil
		if e == nil {
			continue
		}
		if l.program, err = c.scan.bindExpr(e); err != nil {
			return true, err
		}
	}
	programs := []*filter.Program{c.static}
	for i := range c.late {
		programs = append(programs, c.late[i].program)
	}
	c.program = filter.Conjoin(programs...)
	return true, c.build()
}

// build makes the steps of the program. Those of nodes that were there before
// stay, with what was learnt about them.
func (c *condition) build() error {
	root, err := c.step(c.program.Root, c.steps)
	if err != nil {
		return err
	}
	c.root, c.steps = root, map[*filter.Node]*step{}
	c.root.each(func(st *step) { c.steps[st.node] = st })
	late := map[*filter.Node]bool{}
	for i := range c.late {
		if p := c.late[i].program; p != nil {
			for _, n := range conjuncts(p) {
				late[n] = true
			}
		}
	}
	top := []*step{c.root}
	if c.program.Root.Op == filter.OpAnd {
		top = c.root.args
	}
	for _, st := range top {
		st.mayRest = late[st.node] && !c.scan.opts.Force.Restless
	}
	return nil
}

// conjuncts returns the conditions of which a row has to pass each.
func conjuncts(p *filter.Program) []*filter.Node {
	if p.Root.Op == filter.OpAnd {
		return p.Root.Args
	}
	return []*filter.Node{p.Root}
}

// rests reports whether a program came with a runtime filter that drops nothing, as
// far as was tried.
func (c *condition) rests(p *filter.Program) bool {
	if p == nil {
		return false
	}
	for _, n := range conjuncts(p) {
		if st := c.steps[n]; st == nil || !st.mayRest || st.rest.left == 0 {
			return false
		}
	}
	return true
}

// bindExpr binds an expression to the file.
func (s *scan) bindExpr(e *filter.Expr) (*filter.Program, error) {
	constants := s.file.constants(&s.opts)
	if s.ctx.Done() == nil || !e.Long() {
		p, err := filter.Bind(e, s.file.schema, constants)
		return p, s.file.wrap(-1, "", -1, err)
	}
	var p *filter.Program
	var fault error
	if err := beside(s.ctx, func() { p, fault = filter.Bind(e, s.file.schema, constants) }); err != nil {
		return nil, s.file.wrap(-1, "", -1, err)
	}
	return p, s.file.wrap(-1, "", -1, fault)
}

// leafOf returns the scan's leaf of a node.
func (s *scan) leafOf(n *schema.Node) *leaf {
	l := s.byNode[n]
	if l == nil {
		l = &leaf{node: n, judged: pageindex.Chunk{Column: s.file.ColumnOf(n)}, after: len(s.done)}
		s.byNode[n] = l
		s.leaves = append(s.leaves, l)
	}
	return l
}

// rest is how a filter that rejects almost nothing is left out for a while, so
// that trying it again and again costs half a percent of the scan's time. A try
// asks few rows, more if some of the first were dropped, and no dictionary.
type rest struct {
	worth bool // it dropped something to speak of when it was asked last
	left  int  // windows of rest, at most
	look  int  // after how many the time is looked at
	until time.Time

	in, out float64       // rows that it was asked about lately, and that passed
	spent   time.Duration // on rows that were too few to tell
}

const (
	useless  = 0.98 // passes this share of rows
	shortest = 4    // windows of rest
	longest  = 256
	tryFirst = 32
	tryRows  = 512
	patience = 400 // times what a try costs is rested for it
)

// over reports whether a step is to be asked, else it rests for some more windows. The
// time is looked at seldom: between copies of whole pages that takes a third of a
// microsecond.
func (r *rest) over(windows int) bool {
	if r.left == 0 {
		return true
	}
	if rested := longest - r.left; rested >= r.look {
		if r.look = 2 * rested; !time.Now().Before(r.until) {
			r.left = 0
			return true
		}
	}
	r.left = max(r.left-windows, 0)
	return false
}

// learn is told what a step did to rows of a window, and how long that took. Windows
// count by their rows: a few that all pass say nothing of a filter that has dropped many.
func (r *rest) learn(in, out int, took time.Duration) {
	r.in, r.out, r.spent = r.in+float64(in), r.out+float64(out), r.spent+took
	if r.in < tryFirst {
		return
	}
	past := 0.0 // how much of it counts the next time
	if r.worth = r.out < useless*r.in; r.worth {
		past = min(tryRows/r.in, 1)
		r.left = 0
	} else {
		r.left, r.look = longest, shortest
		r.until = time.Now().Add(patience * r.spent)
	}
	r.in, r.out, r.spent = past*r.in, past*r.out, 0
}
