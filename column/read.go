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
	c.demand.asked = sel
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
	codes := c.opts.Codes && (dst.Len == 0 || dst.Form == vector.Dictionary)
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
	case codes && dict != nil && dst.Len == 0:
		build.UseDictionary(dst, dict.Lend())
	case codes && dict != nil && dst.Dict == dict.Entries():
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
		var n int
		var err error
		if p.count == p.len {
			n, err = slots, c.decode(p, dst, packed, wanted, slots)
		} else {
			n, err = c.decodeSpaced(p, dst, slot, packed, wanted)
		}
		if err != nil {
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

// decodeSpaced sets the validity of slots from slot on and decodes their
// values, packed, to at. It returns how many there are.
func (c *Cursor) decodeSpaced(p *leafPage, dst *vector.Vector, slot, at int, wanted []uint64) (int, error) {
	build.NeedValidity(dst)
	if wanted == nil {
		bits.Copy(dst.Validity, slot, p.levels.valid, 0, p.len)
		return p.count, c.decode(p, dst, at, nil, p.count)
	}
	bits.Compress(dst.Validity, slot, p.levels.valid, wanted, p.len)
	c.scratch.valueSel = grown(c.scratch.valueSel, bits.Words(p.len))
	bits.Compress(c.scratch.valueSel, 0, wanted, p.levels.valid, p.len)
	n := bits.Count(c.scratch.valueSel, 0, p.count)
	return n, c.decode(p, dst, at, c.scratch.valueSel, n)
}

// decode decodes the wanted values of the part, n of them, or all if wanted is nil, to
// the slots from at on. If only the front of the body is there and ends too early, it
// decompresses more.
func (c *Cursor) decode(p *leafPage, dst *vector.Vector, at int, wanted []uint64, n int) error {
	if n == 0 && !(c.opts.Force.Eager && p.count > 0) {
		return nil
	}
	buffers := len(dst.Buffers)
	err := c.decodePart(p, dst, at, wanted, n)
	for err != nil && p.body.partial {
		dst.Buffers = dst.Buffers[:buffers]
		if err = c.extendBody(p); err != nil {
			return err
		}
		err = c.decodePart(p, dst, at, wanted, n)
	}
	return err
}

// decodePart is decode with the body that is there.
func (c *Cursor) decodePart(p *leafPage, dst *vector.Vector, at int, wanted []uint64, n int) error {
	upTo := p.count
	if wanted != nil && !c.opts.Force.Eager {
		upTo = bits.Last(wanted, p.count) + 1
	}
	copies := wanted != nil && c.opts.Force.Copy.or(n*copyBelow < p.count && !p.body.lent)
	if p.body.borrowed && !copies && dst.Type.Store() == vector.InViews && dst.Form != vector.Dictionary && p.values.decoder.Codes() == nil {
		if err := c.extendBody(p); err != nil {
			return err
		}
	}
	var from values.Reader = p.values.decoder
	if p.values.kept.Has(p.value, p.value+upTo) && dst.Form != vector.Dictionary {
		from = &p.values.kept
	}
	decode := func() error {
		if wanted != nil && n < upTo {
			return c.pick(p, from, dst, at, wanted, n, upTo)
		}
		if err := from.Seek(p.value); err != nil {
			return err
		}
		return from.Next(dst, at, n)
	}
	switch {
	case dst.Type.Store() != vector.InViews || dst.Form == vector.Dictionary:
		return decode()
	case p.values.decoder.Codes() != nil:
		c.dict.Lend()
		return decode()
	case copies:
		return c.copyOut(p, from, dst, at, wanted, n, upTo)
	}
	buffers := len(dst.Buffers)
	err := decode()
	c.lendBuffers(p, dst.Buffers[buffers:])
	return err
}

// lendBuffers notes that a vector points into those of the buffers that are p's.
func (c *Cursor) lendBuffers(p *leafPage, buffers [][]byte) {
	owner, _ := p.values.decoder.(values.Owner)
	for _, b := range buffers {
		if values := p.body.parts.Values; len(values) > 0 && &b[0] == &values[0] {
			c.bodies.Lend(b, cap(p.body.bytes)-cap(values), p.body.lent)
			p.body.lent = true
		} else if owner != nil {
			owner.Lend(b)
		}
	}
}

// copyOut is decode for strings that are copied out of their page.
func (c *Cursor) copyOut(p *leafPage, from values.Reader, dst *vector.Vector, at int, wanted []uint64, n, upTo int) error {
	v := &c.scratch.vec
	build.Reset(v, c.src.Leaf.Type)
	build.Extend(v, n)
	if err := c.pick(p, from, v, 0, wanted, n, upTo); err != nil {
		return err
	}
	values.CopyViews(dst, at, v.Views[:n], v.Buffers, c.bodies)
	return nil
}
