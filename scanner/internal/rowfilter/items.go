package rowfilter

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner/internal/window"
)

// items is the scratch memory of a step on items.
type items struct {
	narrow      narrowed
	slots       column.Slots     // of the narrowed rows
	open, found column.Selection // of the slots, and of what has them
	counts      []int64
}

// narrowed is a selection without the rows that have no selected slot, if these are most: their
// pages need not be read.
//
//	rows           a      b    c    d (not among the slots)
//	slots          1 0 0  0 0  0 1
//	narrowed rows  1      0    1    0
//	kept           1 1 1  0 0  1 1
//	sel            1 0 0       0 1
type narrowed struct{ rows, sel, kept, some column.Selection }

// narrow sets x to the selected slots of rows. Rows without slots are their own.
func (x *narrowed) narrow(rows window.Rows) {
	from, n := rows.Sel, rows.Sel.N
	if rows.Slots == nil {
		x.rows.Copy(from)
		x.kept.Copy(from)
		x.sel.Fill(from.Count())
		return
	}
	of, starts := rows.Slots.Of, rows.Slots.Rows
	x.some.Clear(of.Count())
	bits.Group(x.some.Bits, 0, from.Bits, starts, n)
	if x.some.Changed(); 2*x.some.Count() > x.some.N {
		x.rows.Copy(of)
		x.sel.Copy(from)
		x.kept.Fill(n)
		return
	}
	x.rows.Clear(of.N)
	bits.Deposit(x.rows.Bits, x.some.Bits, 0, of.Bits, of.N)
	x.rows.Changed()
	x.kept.Clear(n)
	bits.Spread(x.kept.Bits, x.some.Bits, starts, n)
	x.kept.Changed()
	x.sel.Clear(x.kept.Count())
	bits.Compress(x.sel.Bits, 0, from.Bits, x.kept.Bits, n)
	x.sel.Changed()
}

// widen sets the selection that x was made from to x.sel.
func (x *narrowed) widen(sel *column.Selection) {
	bits.Deposit(sel.Bits, x.sel.Bits, 0, x.kept.Bits, sel.N)
	sel.Changed()
}

// testSlots has the cursor of a leaf test the selected slots.
func (f *Filter) testSlots(st *step, rows window.Rows) error {
	x := &st.items.narrow
	x.narrow(rows)
	cursor, err := st.leaf.Enter(rows.From, rows.To)
	if err != nil {
		return err
	}
	f.runningStep = st
	if err := cursor.FilterSlots(&x.rows, rows.Slots.Rep, x.sel.Bits, x.sel.N, st.pred); err != nil {
		return st.leaf.Wrap(err)
	}
	x.widen(rows.Sel)
	return nil
}

// testItems drops the selected rows, or items of a list around, of which too few items pass.
func (f *Filter) testItems(st *step, rows window.Rows) error {
	x, of := st.items, st.node.Items
	x.narrow.narrow(rows)
	s, outer := &x.slots, &x.narrow.sel
	cursor, err := st.leaf.Enter(rows.From, rows.To)
	if err != nil {
		return err
	}
	if err := cursor.ReadSlots(&x.narrow.rows, of.Rep, of.Outer, of.Level, s); err != nil {
		return st.leaf.Wrap(err)
	}
	if n := bits.Count(s.Outer, 0, s.N); n != outer.N {
		return st.leaf.Wrap(corrupt.At(-1, "the columns of a list have different numbers of items: ", n, " and ", outer.N))
	}
	if x.open.Fill(s.N); !outer.All() {
		bits.Spread(x.open.Bits, outer.Bits, s.Outer, s.N)
	}
	bits.And(x.open.Bits, s.Items[:len(x.open.Bits)])
	x.open.Changed()
	if err := f.runStep(st.args[0], window.Rows{From: rows.From, To: rows.To, Sel: &x.open, Slots: s}); err != nil {
		return err
	}
	if x.found.Clear(outer.N); of.Counts() {
		x.counts = x.counts[:0]
		for i := 0; i < s.N; {
			end := bits.Next(s.Outer, i+1, s.N)
			x.counts = append(x.counts, int64(bits.Count(x.open.Bits, i, end)))
			i = end
		}
		x.found.Fill(outer.N)
		of.FilterCounts(x.found.Bits, x.counts)
	} else {
		bits.Group(x.found.Bits, 0, x.open.Bits, s.Outer, s.N)
	}
	outer.And(&x.found)
	x.narrow.widen(rows.Sel)
	return nil
}
