package pageindex

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
)

// settle works out the verdict of a node, of which only the open rows matter.
// Tests and comparisons of columns are judged by the given means.
func (j *Judge) settle(n *filter.Node, open vector.Ranges, judge func(*state, *Judge, *filter.Node, vector.Ranges)) *state {
	s := j.states[n]
	if open = s.undecided(open); len(open) == 0 || j.over(len(open)) {
		return s
	}
	switch n.Op {
	case filter.OpTest, filter.OpCompute:
		judge(s, j, n, open)
	case filter.OpComplement:
		a := j.settle(n.Args[0], open, judge)
		s.none, s.all = a.all, a.none
	case filter.OpAnd:
		all := j.whole
		for _, arg := range n.Args {
			a := j.settle(arg, open, judge)
			s.none = s.none.Or(a.none)
			all = intersect(all, a.all)
			open = without(open, a.none)
		}
		s.all = s.all.Or(all)
	case filter.OpOr:
		none := j.whole
		for _, arg := range n.Args {
			a := j.settle(arg, open, judge)
			s.all = s.all.Or(a.all)
			none = intersect(none, a.none)
			open = without(open, a.all)
		}
		s.none = s.none.Or(none)
	}
	return s
}

// undecided returns those of the rows that the state says nothing of.
func (s *state) undecided(open vector.Ranges) vector.Ranges {
	return without(without(open, s.none), s.all)
}

// intersect and without are And and AndNot, which allocate, with an eye on
// what nodes are mostly: settled for no row, or for all.
func intersect(a, b vector.Ranges) vector.Ranges {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	return a.And(b)
}

func without(a, b vector.Ranges) vector.Ranges {
	if len(a) == 0 || len(b) == 0 {
		return a
	}
	return a.AndNot(b)
}

// visit calls f for each test, and each comparison of columns, that may still
// change the result.
func (j *Judge) visit(n *filter.Node, open vector.Ranges, f func(s *state, n *filter.Node)) {
	s := j.states[n]
	if open = s.undecided(open); len(open) == 0 || j.over(len(open)) {
		return
	}
	if n.Op == filter.OpTest || n.Op == filter.OpCompute {
		f(s, n)
	}
	for _, a := range n.Args {
		j.visit(a, open, f)
	}
}
