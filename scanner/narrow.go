package scanner

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter"
)

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
		c.asking = st
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
