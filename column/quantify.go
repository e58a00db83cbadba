package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// slotStates says what a slot of a repeated column is by its definition level.
type slotStates struct {
	item  int                         // from this level on the slot is an item, which is NULL below the leaf's maximum level
	empty [(maxLevel + 1) / 64]uint64 // levels of lists without items
}

// statesOf returns the slot states of a leaf.
func statesOf(leaf *schema.Node) (s slotStates) {
	s.item = -1
	for n := leaf; n != nil; n = n.Parent {
		if n.Repetition == schema.Repeated && n.MaxDef > 0 {
			s.item = max(s.item, n.MaxDef)
			bits.Set(s.empty[:], n.MaxDef-1)
		}
	}
	return s
}

// filterRepeated drops the rows of which no slot passes, or, with t.All, not every slot.
//
//	slots       7  NULL  9 | []  | NULL | 8
//	value > 7   0  0     1 | 0   | 0    | 1      a NULL list, and an empty one, have one slot
//	any         1          | 0   | 0    | 1
//	fail        1  1     0 | 0   | 1    | 0
//	all         0          | 1   | 0    | 1
func (c *Cursor) filterRepeated(sel *Selection, t *pred.Test) error {
	if err := c.listSelected(sel); err != nil {
		return err
	}
	states := statesOf(c.src.Leaf)
	rows := grown(c.scratch.rowSel, bits.Words(sel.N)) // of which a slot passes, or, with t.All, fails
	c.scratch.rowSel = rows
	clear(rows)
	for _, p := range c.pages {
		if open, err := c.enterOpen(p, sel, t); err != nil {
			return err
		} else if !open {
			continue
		}
		from, to := c.rowsOn(p) // a row that goes on here is known by now
		slots := c.slotsOf(p, c.segment(sel.Bits, from, to-from))
		if err := c.filterPage(p, slots, t); err != nil {
			return err
		}
		if t.All {
			p.turn(slots, &states, t)
		}
		bits.Group(rows, from, slots, c.scratch.starts, p.len)
	}
	for i := range rows {
		if t.All {
			rows[i] = ^rows[i]
		}
		bits.AndWord(sel.Bits, i*64, rows[i], min(64, sel.N-i*64))
	}
	return nil
}

// turn replaces the slots of the part that passed by those that fail: the others, but for lists without
// items, whose level alone may be tested.
func (p *leafPage) turn(slots []uint64, states *slotStates, t *pred.Test) {
	bits.Not(slots, 0, p.len)
	if t.Kind == pred.Null && t.Level != 0 {
		return
	}
	for i := bits.Next(slots, 0, p.len); i < p.len; i = bits.Next(slots, i+1, p.len) {
		if bits.Get(states.empty[:], int(p.levels.def[p.slot+i])) {
			bits.Clear(slots, i)
		}
	}
}
