package column

import (
	"errors"

	"github.com/winnow-scan/winnow/column/values"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// copyBelow says when selected strings are copied out of their page: if they are fewer
// than one in so many of its values. Then they do not keep the page's body in memory,
// unless a vector points there already.
const copyBelow = 4

var (
	errRepeated = errors.New("column: a repeated column is read by ReadLevels")
	errNoValues = errors.New("column: values are not to be read")
)

// Read appends the window's rows to dst, a leaf vector of the column's type:
// those in sel, which has a bit for each row of the window, or all if sel is
// nil. A row is NULL if its value, or a group above it, is NULL. Columns below
// a list are read by ReadLevels.
func (c *Cursor) Read(sel *Selection, dst *vector.Vector) error {
	if c.err != nil {
		return c.err
	}
	if c.src.repeated() {
		return errRepeated
	}
	if c.opts.NoValues {
		return errNoValues
	}
	return c.fail(c.read(sel, dst))
}

func (c *Cursor) read(sel *Selection, dst *vector.Vector) error {
	n := int(c.to - c.at)
	if sel != nil {
		if n = sel.Count(); sel.All() {
			sel = nil
		}
	}
	if n == 0 {
		return nil
	}
	if err := c.prepare(c.decodedRows(sel)); err != nil {
		return err
	}
	if err := c.chooseForm(c.decodedRows(sel), dst); err != nil {
		return err
	}
	first := build.Extend(dst, n)
	err := c.fill(sel, dst, first)
	if err != nil {
		dst.Len = first
	}
	return err
}

// decodedRows returns the rows whose values are decoded to read those in sel.
func (c *Cursor) decodedRows(sel *Selection) *Selection {
	if c.opts.Force.Eager {
		return nil
	}
	return sel
}

// prepare lists and enters all pages with selected rows, and starts their decoders.
func (c *Cursor) prepare(sel *Selection) error {
	c.demand.asked, c.demand.tested = sel, 0
	if err := c.listSelected(sel); err != nil {
		return err
	}
	for _, p := range c.pages {
		if !c.hasSelected(p, sel) {
			continue
		}
		if err := c.enterPage(p); err != nil {
			return err
		}
		if p.count == 0 || c.opts.NoValues {
			continue
		}
		if err := c.startValues(p, c.valuesUpTo(p, sel)); err != nil {
			return err
		}
	}
	return nil
}

// valuesUpTo returns how many values of the page's part there are up to the
// last selected row.
func (c *Cursor) valuesUpTo(p *leafPage, sel *Selection) int {
	if sel == nil {
		return p.count
	}
	from, to := c.rowsOn(p)
	rows := bits.Last(sel.Bits, to) + 1 - from
	switch {
	case rows == to-from:
		return p.count
	case c.src.repeated():
		end := bits.Select(p.levels.starts, p.slot, p.slot+p.len, rows)
		return bits.Count(p.levels.valid, p.slot, end)
	case p.count == p.len:
		return rows
	}
	return bits.Count(p.levels.valid, 0, rows)
}

// chooseForm makes dst a vector of codes if the option says so and all selected values
// are codes of one dictionary, else a flat one.
func (c *Cursor) chooseForm(sel *Selection, dst *vector.Vector) error {
	nulls := c.opts.Codes && dst.Form == vector.Flat && dst.Nulls() == dst.Len // or nothing yet
	codes := c.opts.Codes && (nulls || dst.Form == vector.Dictionary)
	var dict *values.Dictionary
	for _, p := range c.pages {
		if !codes {
			break
		}
		if c.hasSelected(p, sel) && p.count > 0 {
			codes = p.values.decoder.Codes() != nil
			dict = c.dict
		}
	}
	switch {
	case codes && dict != nil && nulls:
		entries, err := dict.Lend()
		if err != nil {
			return c.chunk.inDictionary(err)
		}
		n := dst.Len
		dst.Len = 0
		build.UseDictionary(dst, entries)
		build.AppendNulls(dst, n)
	case codes && dict != nil && dict.Lends(dst.Dict):
	case codes && dict == nil && dst.Form == vector.Dictionary: // nothing but NULLs
	case dst.Form == vector.Dictionary:
		dst.Flatten()
	}
	return nil
}

// fill decodes the selected rows to the slots from first on. It packs values and spreads
// them over NULLs at the end.
func (c *Cursor) fill(sel *Selection, dst *vector.Vector, first int) error {
	slot, packed := first, first
	for _, p := range c.pages {
		from, to := c.rowsOn(p)
		if from == to {
			continue
		}
		slots := to - from
		var wanted []uint64
		if sel != nil {
			wanted = c.segment(sel.Bits, from, slots)
			if slots = sel.Count(); to-from < sel.N { // of a whole window it was counted, for all columns
				slots = bits.Count(wanted, 0, to-from)
			}
			switch slots {
			case 0:
				if !c.opts.Force.Eager {
					continue
				}
			case to - from:
				wanted = nil
			}
		}
		n := slots
		if p.count < p.len {
			wanted, n = c.setValidity(p, dst, slot, wanted)
		}
		if err := c.decode(p, request{dst: dst, at: packed, wanted: wanted, n: n}); err != nil {
			return p.inValues(err)
		}
		slot += slots
		packed += n
	}
	if packed < slot {
		build.Spread(dst, first)
	}
	c.counters.Values += int64(packed - first)
	return nil
}

// segment returns n bits of b from position from on, the first as bit 0. They are b's
// own memory if from is a multiple of 64.
func (c *Cursor) segment(b []uint64, from, n int) []uint64 {
	if from%64 == 0 {
		return b[from/64:]
	}
	c.scratch.segment = grown(c.scratch.segment, bits.Words(n))
	bits.Copy(c.scratch.segment, 0, b, from, n)
	return c.scratch.segment
}

// setValidity sets the validity of the wanted slots of p, which become those from slot on. It
// returns which of the part's values they have, nil for all, and how many.
func (c *Cursor) setValidity(p *leafPage, dst *vector.Vector, slot int, wanted []uint64) (sel []uint64, n int) {
	build.NeedValidity(dst)
	if wanted == nil {
		bits.Copy(dst.Validity, slot, p.levels.valid, 0, p.len)
		return nil, p.count
	}
	bits.Compress(dst.Validity, slot, p.levels.valid, wanted, p.len)
	sel, _ = c.valuesOf(p, wanted)
	return sel, bits.Count(sel, 0, p.count)
}

// request says which values of a page's part are to be decoded, and where to.
type request struct {
	dst    *vector.Vector
	at     int      // the slot of the first
	wanted []uint64 // by the part's values; nil: all
	n      int      // how many are wanted

	from values.Reader // the page's decoder, or the values that a filter has kept
	upTo int           // of the part's values, the first after all that are wanted
}

// decode decodes the values of a request. If only the front of the body is there and ends
// too early, it decompresses more.
func (c *Cursor) decode(p *leafPage, r request) error {
	if r.n == 0 && !(c.opts.Force.Eager && p.count > 0) {
		return nil
	}
	if r.upTo = p.count; r.wanted != nil && !c.opts.Force.Eager {
		r.upTo = bits.Last(r.wanted, p.count) + 1
	}
	buffers := len(r.dst.Buffers)
	err := c.decodePart(p, r)
	for err != nil && p.body.extent != whole {
		r.dst.Buffers = r.dst.Buffers[:buffers]
		if err = c.extendBody(p); err != nil {
			return err
		}
		err = c.decodePart(p, r)
	}
	return err
}

// decodePart is decode with the body that is there.
func (c *Cursor) decodePart(p *leafPage, r request) error {
	asViews := r.dst.Type.Store() == vector.InViews && r.dst.Form != vector.Dictionary
	copies := r.wanted != nil && c.opts.Force.Copy.or(r.n*copyBelow < p.count && p.body.memory != lentOut)
	if asViews && !copies && p.body.memory == ofFeed && c.showsBody(p) {
		if err := c.extendBody(p); err != nil {
			return err
		}
	}
	r.from = p.values.decoder
	if p.values.kept.Has(p.value, p.value+r.upTo) && r.dst.Form != vector.Dictionary {
		r.from = &p.values.kept
	}
	switch {
	case !asViews:
		return c.decodeInto(p, r)
	case p.values.decoder.Codes() != nil:
		if err := c.needEntries(); err != nil {
			return err
		}
	case copies:
		return c.copyOut(p, r)
	}
	buffers := len(r.dst.Buffers)
	err := c.decodeInto(p, r)
	c.lendBuffers(p, r.dst.Buffers[buffers:])
	return err
}

// decodeInto decodes straight into the vector.
func (c *Cursor) decodeInto(p *leafPage, r request) error {
	if r.wanted != nil && r.n < r.upTo {
		return c.pick(p, r)
	}
	if err := r.from.Seek(p.value); err != nil {
		return err
	}
	return r.from.Next(r.dst, r.at, r.n)
}

// lendBuffers notes that a vector points into those of the buffers that are p's.
func (c *Cursor) lendBuffers(p *leafPage, buffers [][]byte) {
	owner, _ := p.values.decoder.(values.Owner)
	for _, b := range buffers {
		if values := p.body.parts.Values; len(values) > 0 && &b[0] == &values[0] {
			c.bodies.Lend(b, cap(p.body.bytes)-cap(values), p.body.memory == lentOut)
			p.body.memory = lentOut
		} else if owner != nil {
			owner.Lend(b)
		}
	}
}

// copyOut decodes strings to other memory and copies them to the vector.
func (c *Cursor) copyOut(p *leafPage, r request) error {
	copied := r
	copied.dst, copied.at = &c.scratch.vec, 0
	build.Reset(copied.dst, c.src.Leaf.Type)
	build.Extend(copied.dst, r.n)
	if err := c.pick(p, copied); err != nil {
		return err
	}
	values.CopyViews(r.dst, r.at, copied.dst.Views[:r.n], copied.dst.Buffers, c.bodies)
	return nil
}
