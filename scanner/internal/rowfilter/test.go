package rowfilter

import (
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner/internal/window"
)

// Test drops the selected rows of a window that do not pass. rowsLeft is how many wanted rows
// of the row group come after the window; noneLeft reports that a dictionary proves that none
// of these passes.
func (f *Filter) Test(rows window.Rows, rowsLeft int64) (noneLeft bool, err error) {
	f.windows++
	f.longestStep, f.rowsLeft, f.noneLeft = 0, rowsLeft, false
	if err := f.runStep(f.root, rows); err != nil {
		return false, err
	}
	f.adaptWindowRows()
	return f.noneLeft, nil
}

// runStep drops the rows that do not pass a step, unless it is in backoff.
func (f *Filter) runStep(st *step, rows window.Rows) error {
	st = st.running()
	sel := rows.Sel
	in := sel.Count()
	if in == 0 || st.optional && !st.backoff.ended(1) {
		return nil
	}
	if st.scratch == nil {
		st.scratch = new(scratch)
	}
	if st.optional && !st.backoff.effective && in > tryRows {
		if err := f.try(st, rows); err != nil || !st.backoff.effective {
			return err
		}
		in = sel.Count()
	}
	took, err := f.runTimed(st, rows)
	if st.optional {
		st.backoff.record(in, sel.Count(), took)
		f.rejudge = f.rejudge || st.chunkStatsOnly && st.backoff.effective
	}
	return err
}

// runTimed drops the rows that do not pass a step, and counts the time and rows.
func (f *Filter) runTimed(st *step, rows window.Rows) (time.Duration, error) {
	in, start := rows.Sel.Count(), time.Now()
	err := f.applyProofs(st, rows)
	if err == nil {
		err = f.host.Check() // there may be very many steps
	}
	out, took := rows.Sel.Count(), time.Since(start)
	st.cost.add(in, out, took)
	if t := &st.total; rows.Slots == nil { // items are no rows
		t.In, t.Out, t.Time = t.In+int64(in), t.Out+int64(out), t.Time+took
	}
	if len(st.args) == 0 {
		f.longestStep = max(f.longestStep, took)
	}
	return took, err
}

// applyProofs drops the rows that do not pass a step. It tests only the rows without a
// proof:
//
//	sel       1 1 1 1 1 1 1
//	proven    n n ? ? ? a a      n: does not pass, a: does
//	tested    0 0 1 1 1 0 0
func (f *Filter) applyProofs(st *step, rows window.Rows) error {
	sel, from, to := rows.Sel, rows.From, rows.To
	if sel.None() || st.proven.All.Covers(from, to) {
		return nil
	}
	if st.proven.None.Covers(from, to) {
		sel.Clear(sel.N)
		return nil
	}
	if st.proven.None.Meets(from, to) {
		for _, r := range st.proven.None.Clip(from, to) {
			bits.ClearRange(sel.Bits, int(r.From-from), int(r.To-from))
		}
		sel.Changed()
	}
	if !st.proven.All.Meets(from, to) {
		return f.evaluate(st, rows)
	}
	st.setAside.Clear(sel.N)
	for _, r := range st.proven.All.Clip(from, to) {
		st.setAside.SetRange(int(r.From-from), int(r.To-from))
	}
	st.setAside.And(sel)
	sel.AndNot(&st.setAside)
	err := f.evaluate(st, rows)
	sel.Or(&st.setAside)
	return err
}

func (f *Filter) evaluate(st *step, rows window.Rows) error {
	sel := rows.Sel
	if sel.None() {
		return nil
	}
	if st.items == nil && (rows.Slots != nil || st.node.Op == compile.OpItems) {
		st.items = new(items)
	}
	switch st.node.Op {
	case compile.OpTrue:
	case compile.OpFalse:
		sel.Clear(sel.N)
	case compile.OpTest:
		if rows.Slots != nil {
			return f.testSlots(st, rows)
		}
		return f.testLeaf(st, rows)
	case compile.OpItems:
		return f.testItems(st, rows)
	case compile.OpCompute:
		return f.compute(st, rows)
	case compile.OpAnd:
		f.order(st, false)
		for _, a := range st.args {
			if err := f.runStep(a, rows); err != nil || sel.None() {
				return err
			}
		}
	case compile.OpOr:
		f.order(st, true)
		unsettled := &st.unsettled
		unsettled.Copy(sel)
		for _, a := range st.args {
			st.passed.Copy(unsettled)
			if err := f.runStep(a, rows.Select(&st.passed)); err != nil {
				return err
			}
			if unsettled.AndNot(&st.passed); unsettled.None() {
				return nil
			}
		}
		sel.AndNot(unsettled)
	case compile.OpComplement:
		st.passed.Copy(sel)
		if err := f.runStep(st.args[0], rows.Select(&st.passed)); err != nil {
			return err
		}
		sel.AndNot(&st.passed)
	}
	return nil
}

// testLeaf has the cursor of a leaf test its values.
func (f *Filter) testLeaf(st *step, rows window.Rows) error {
	cursor, err := st.leaf.Enter(rows.From, rows.To)
	if err != nil {
		return err
	}
	sel := rows.Sel
	if !st.dictionaryTried && (st.backoff.effective || !st.optional) {
		if err := f.tryDictionary(st, cursor, sel); err != nil || sel.None() {
			return err
		}
	}
	f.runningStep = st
	return st.leaf.Wrap(cursor.Filter(sel, st.pred))
}

// compute reads the inputs of a compute for the selected rows, and tests them.
func (f *Filter) compute(st *step, rows window.Rows) error {
	sel, n := rows.Sel, rows.Sel.Count()
	vectors := make([]*vector.Vector, len(st.inputs))
	for i, input := range st.inputs {
		v, err := input.Read(rows)
		if err != nil {
			return err
		}
		vectors[i] = v
	}
	st.ones = append(st.ones[:0], make([]uint64, bits.Words(n))...)
	bits.SetRange(st.ones, 0, n)
	failed := st.node.Compute.Filter(st.ones, n, vectors)
	for _, input := range st.inputs {
		input.Release()
	}
	if _, ok := failed.(*corrupt.Error); ok { // bytes of the column that is read last, as of a VARIANT's value
		needs := st.node.Compute.Needs
		return f.host.Wrap(f.group, needs[len(needs)-1].Node.String(), failed)
	}
	if failed != nil {
		return f.host.FunctionFailed(f.group, failed)
	}
	st.passed.Copy(sel)
	bits.Deposit(sel.Bits, st.ones, 0, st.passed.Bits, sel.N)
	sel.Changed()
	return nil
}
