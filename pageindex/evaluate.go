package pageindex

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
)

// evaluate updates the verdict of a node and of those below it for the open rows:
// the rows on which the verdict can still change the result. judge evaluates the
// tests and comparisons of columns, the leaves of the tree.
func (j *Judge) evaluate(n *compile.Node, open vector.Ranges, judge func(*state, *Judge, *compile.Node, vector.Ranges)) *state {
	s := j.states[n]
	if open = s.undecided(open); len(open) == 0 || j.stopped(len(open)) {
		return s
	}
	switch n.Op {
	case compile.OpTest, compile.OpCompute:
		judge(s, j, n, open)
	case compile.OpComplement:
		a := j.evaluate(n.Args[0], open, judge)
		s.none, s.all = a.all, a.none
	case compile.OpAnd:
		all := j.allRows
		for _, arg := range n.Args {
			a := j.evaluate(arg, open, judge)
			s.none = s.none.Or(a.none)
			all = all.And(a.all)
			open = without(open, a.none)
		}
		s.all = s.all.Or(all)
	case compile.OpOr:
		none := j.allRows
		for _, arg := range n.Args {
			a := j.evaluate(arg, open, judge)
			s.all = s.all.Or(a.all)
			none = none.And(a.none)
			open = without(open, a.all)
		}
		s.none = s.none.Or(none)
	}
	return s
}

// undecided returns the open rows without those that are proven none or all.
func (s *state) undecided(open vector.Ranges) vector.Ranges {
	return without(without(open, s.none), s.all)
}

// without is a.AndNot(b). It does not allocate where one side is empty.
func without(a, b vector.Ranges) vector.Ranges {
	if len(a) == 0 || len(b) == 0 {
		return a
	}
	return a.AndNot(b)
}

// visit calls f for each test and each comparison of columns that is undecided for
// some open row.
func (j *Judge) visit(n *compile.Node, open vector.Ranges, f func(s *state, n *compile.Node)) {
	s := j.states[n]
	if open = s.undecided(open); len(open) == 0 || j.stopped(len(open)) {
		return
	}
	if n.Op == compile.OpTest || n.Op == compile.OpCompute {
		f(s, n)
	}
	for _, a := range n.Args {
		j.visit(a, open, f)
	}
}
