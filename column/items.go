package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// Slots are the slots of some rows that begin an item of a list, with a bit for each. A list that is
// NULL or empty has one that is no item.
type Slots struct {
	Of                 *Selection // the rows
	Rep                int        // repetition level of the items
	N                  int
	Rows, Outer, Items []uint64 // slots that begin a row, that begin what has items, that are items
}

// ReadSlots sets dst to the slots of selected rows, of items that repeat at rep, in what repeats at
// outer. A slot is an item from a definition level on. No value is decoded.
func (c *Cursor) ReadSlots(sel *Selection, rep, outer, level int, dst *Slots) error {
	dst.Of, dst.Rep, dst.N = sel, rep, 0
	err := c.eachSelected(sel, rep, func(p *leafPage, slots []uint64) error {
		x, reps := &c.scratch, p.levels.rep[p.slot:][:p.len]
		at, words := dst.N, bits.Words(dst.N+bits.Count(slots, 0, p.len))
		dst.Rows, dst.Outer, dst.Items = grown(dst.Rows, words), grown(dst.Outer, words), grown(dst.Items, words)
		if p.len > 0 && reps[0] > 0 { // a row goes on
			bits.Clear(x.starts, 0)
		}
		dst.N += bits.Compress(dst.Rows, at, x.starts, slots, p.len)
		bits.AtLeast(x.itemSel, reps, uint8(outer+1))
		bits.Not(x.itemSel, 0, p.len)
		bits.Compress(dst.Outer, at, x.itemSel, slots, p.len)
		bits.AtLeast(x.itemSel, p.levels.def[p.slot:][:p.len], uint8(level))
		bits.Compress(dst.Items, at, x.itemSel, slots, p.len)
		return nil
	})
	if err == nil && (bits.Count(dst.Rows, 0, dst.N) != sel.Count() || dst.N > 0 && !bits.Get(dst.Rows, 0)) {
		err = c.fail(chunkError("rows do not begin where the index says")) // or the levels have changed
	}
	return err
}

// FilterSlots drops the slots that do not pass t. items has a bit for each of the n slots, as
// ReadSlots has them, of the selected rows.
//
//	rows        a         b    c
//	sel         1         0    1
//	slots       7  NULL 9 8    5
//	items       1  1    0      1
//	value > 6   1  0    0      0
func (c *Cursor) FilterSlots(sel *Selection, rep int, items []uint64, n int, t *pred.Test) error {
	at := 0
	err := c.eachSelected(sel, rep, func(p *leafPage, slots []uint64) error {
		x, here := &c.scratch, bits.Count(slots, 0, p.len)
		if at += here; at > n || here == 0 || !bits.Any(items, at-here, at) {
			return nil
		}
		bits.Deposit(x.itemSel, items, at-here, slots, p.len)
		err := c.filterPage(p, x.itemSel, t)
		bits.Compress(items, at-here, x.itemSel, slots, p.len)
		return err
	})
	if err == nil && at != n {
		err = c.fail(chunkError("the columns of a list have different numbers of items: ", at, " and ", n))
	}
	return err
}

// eachSelected enters each page that has selected rows, and calls do with the slots of these that
// repeat at rep at most: of a column that repeats more often, the first of each item.
func (c *Cursor) eachSelected(sel *Selection, rep int, do func(p *leafPage, slots []uint64) error) error {
	if c.err != nil {
		return c.err
	}
	invariants.Assert(int64(sel.N) == c.to-c.at && c.src.repeated(), "column: slots of another window, or of a flat column")
	if sel.None() {
		return nil
	}
	c.demand.asked, c.demand.tested = sel, sel.Count()
	err := c.listSelected(sel)
	for i := 0; i < len(c.pages) && err == nil; i++ {
		p := c.pages[i]
		if !c.hasSelected(p, sel) {
			continue
		}
		if err = c.enterPage(p); err != nil {
			break
		}
		from, to := c.rowsOn(p) // a row that goes on here is known by now
		slots := c.slotsOf(p, c.segment(sel.Bits, from, to-from))
		c.scratch.itemSel = grown(c.scratch.itemSel, bits.Words(p.len))
		if c.src.Leaf.MaxRep > rep {
			bits.AtLeast(c.scratch.itemSel, p.levels.rep[p.slot:][:p.len], uint8(rep+1))
			bits.AndNot(slots, c.scratch.itemSel)
		}
		err = do(p, slots)
	}
	return c.fail(err)
}
