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
//	all         0          | 1   | 0    | 1
func (c *Cursor) filterRepeated(sel *Selection, t *pred.Test) error {
	if err := c.listSelected(sel); err != nil {
		return err
	}
	states := statesOf(c.src.Leaf)
	c.scratch.rowSel = grown(c.scratch.rowSel, bits.Words(sel.N))
	if t.All {
		bits.SetRange(c.scratch.rowSel, 0, sel.N)
	} else {
		bits.ClearRange(c.scratch.rowSel, 0, sel.N)
	}
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
		p.quantify(c.scratch.rowSel, from, slots, &states, t)
	}
	for i := range bits.Words(sel.N) {
		bits.AndWord(sel.Bits, i*64, c.scratch.rowSel[i], min(64, sel.N-i*64))
	}
	return nil
}

// quantify sets the bits of rows of which a slot passed, or, with t.All, clears those of
// rows of which a slot did not. The part's first row is at from. A row may have slots on
// several pages.
func (p *leafPage) quantify(rows []uint64, from int, passed []uint64, states *slotStates, t *pred.Test) {
	row := from - 1
	for i := range p.len {
		if bits.Get(p.levels.starts, p.slot+i) {
			row++
		}
		switch pass := bits.Get(passed, i); {
		case pass && !t.All:
			bits.Set(rows, row)
		case !pass && t.All:
			empty := bits.Get(states.empty[:], int(p.levels.def[p.slot+i])) && !(t.Kind == pred.Null && t.Level != 0)
			if !empty {
				bits.Clear(rows, row)
			}
		}
	}
}
