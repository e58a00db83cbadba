package compile

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// run is the reference execution of a program: tests on levels and values as
// cursors run them, the rest on vectors.
func (w *world) run(p *Program) []uint64 {
	n := len(w.rows)
	sel := make([]uint64, bits.Words(n))
	bits.SetRange(sel, 0, n)
	err := runProgram(p, sel, n, func(t *Test, sel []uint64) error {
		w.test(t, sel)
		return nil
	}, func(c *Compute, sel []uint64) error {
		var columns []*vector.Vector
		for _, need := range c.Needs {
			columns = append(columns, w.vectorOf(need.Node))
		}
		return c.Filter(sel, n, columns)
	})
	if err != nil {
		panic(err)
	}
	return sel
}

func (w *world) test(t *Test, sel []uint64) {
	leaf, p := t.Leaf, t.Pred
	entries := w.shred(leaf)
	pass := make([]bool, len(entries))
	item := -1
	empty := map[int]bool{}
	for n := leaf; n.Parent != nil; n = n.Parent {
		if n.Repetition == schema.Repeated {
			item = max(item, n.MaxDef)
			empty[n.MaxDef-1] = true
		}
	}
	if p.Kind == pred.Null {
		level, least := p.Level, 0
		if level == 0 {
			level = leaf.MaxDef
			if leaf.MaxRep > 0 && !p.Negate {
				least = item
			}
		}
		for i, e := range entries {
			pass[i] = e.def >= least && (e.def < level) != p.Negate
		}
	} else {
		v := &vector.Vector{}
		build.Reset(v, leaf.Type)
		var at []int
		for i, e := range entries {
			if e.def == leaf.MaxDef {
				appendPlain(v, e.plain, false)
				at = append(at, i)
			}
		}
		some := make([]uint64, bits.Words(v.Len)+1)
		bits.SetRange(some, 0, v.Len)
		p.Filter(some, v)
		for j, i := range at {
			pass[i] = bits.Get(some, j)
		}
	}
	rows := make([]bool, len(w.rows))
	for i := range rows {
		rows[i] = p.All
	}
	for i, e := range entries {
		switch {
		case !p.All && pass[i]:
			rows[e.row] = true
		case p.All && !pass[i] && !(empty[e.def] && !(p.Kind == pred.Null && p.Level != 0)):
			rows[e.row] = false
		}
	}
	for i, ok := range rows {
		if !ok {
			bits.Clear(sel, i)
		}
	}
}

// runProgram evaluates a program: it clears the bits of sel for those of the n rows that
// do not pass. test and compute do the same for one Test or Compute, and are called
// with only the rows that can still change the result. It returns their first error.
func runProgram(p *Program, sel []uint64, n int, test func(*Test, []uint64) error, compute func(*Compute, []uint64) error) error {
	return runNode(p.Root, sel[:bits.Words(n)], n, test, compute)
}

func runNode(o *Node, sel []uint64, n int, test func(*Test, []uint64) error, compute func(*Compute, []uint64) error) error {
	if !bits.Any(sel, 0, n) {
		return nil
	}
	switch o.Op {
	case OpTrue:
	case OpFalse:
		bits.ClearRange(sel, 0, n)
	case OpTest:
		return test(o.Test, sel)
	case OpCompute:
		return compute(o.Compute, sel)
	case OpAnd:
		for _, a := range o.Args {
			if err := runNode(a, sel, n, test, compute); err != nil {
				return err
			}
		}
	case OpComplement:
		passed := append([]uint64(nil), sel...)
		if err := runNode(o.Args[0], passed, n, test, compute); err != nil {
			return err
		}
		bits.AndNot(sel, passed)
	case OpOr:
		undecided, passed := append([]uint64(nil), sel...), make([]uint64, len(sel))
		for _, a := range o.Args {
			copy(passed, undecided)
			if err := runNode(a, passed, n, test, compute); err != nil {
				return err
			}
			bits.AndNot(undecided, passed)
		}
		bits.AndNot(sel, undecided)
	}
	return nil
}

// testsOf returns the tests of leaves, in the order of the expression.
func testsOf(p *Program) []*Test {
	var all []*Test
	p.Root.walk(func(n *Node) {
		if n.Test != nil {
			all = append(all, n.Test)
		}
	})
	return all
}
