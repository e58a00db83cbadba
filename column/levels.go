package column

import (
	mathbits "math/bits"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Levels are rows of a leaf before they are assembled: a repetition and a definition
// level for each slot, and the values of the slots that have one.
type Levels struct {
	Rep    []uint8 // empty if the column's maximum level is 0
	Def    []uint8 // empty if the column's maximum level is 0
	Slots  int
	Values vector.Vector // packed, without NULLs
}

// Reset makes l empty, for values of type t. Memory stays.
func (l *Levels) Reset(t vector.Type) {
	l.Rep, l.Def, l.Slots = l.Rep[:0], l.Def[:0], 0
	build.Reset(&l.Values, t)
}

// ReadLevels appends the window's rows to dst, of any column: those in sel, or all if
// sel is nil. With the option NoValues dst.Values stays as it is.
func (c *Cursor) ReadLevels(sel *Selection, dst *Levels) error {
	if c.err != nil {
		return c.err
	}
	return c.fail(c.readLevels(sel, dst))
}

func (c *Cursor) readLevels(sel *Selection, dst *Levels) error {
	if c.at == c.to || sel != nil && sel.None() {
		return nil
	}
	if sel != nil && sel.All() {
		sel = nil
	}
	if err := c.prepare(c.decodedRows(sel)); err != nil {
		return err
	}
	if !c.opts.NoValues {
		if err := c.chooseForm(c.decodedRows(sel), &dst.Values); err != nil {
			return err
		}
	}
	for _, p := range c.pages {
		if !c.hasSelected(p, sel) {
			continue
		}
		from, to := c.rowsOn(p)
		var wanted []uint64
		if sel != nil {
			wanted = c.segment(sel.Bits, from, to-from)
			if bits.All(wanted, 0, to-from) {
				wanted = nil
			}
		}
		if err := c.appendSlots(p, dst, wanted); err != nil {
			return err
		}
	}
	return nil
}

// appendSlots appends the slots of the wanted rows of p; all if wanted is nil.
func (c *Cursor) appendSlots(p *leafPage, dst *Levels, wanted []uint64) error {
	var rep, def []uint8
	if c.src.repeated() {
		rep = p.levels.rep[p.slot:][:p.len]
	}
	if c.src.Leaf.MaxDef > 0 {
		var err error
		if def, err = c.definitions(p); err != nil {
			return err
		}
	}
	if wanted == nil {
		dst.Rep, dst.Def = append(dst.Rep, rep...), append(dst.Def, def...)
		dst.Slots += p.len
		return c.appendValues(p, dst, nil, p.count)
	}
	if c.src.repeated() {
		wanted = c.slotsOf(p, wanted)
	}
	dst.Rep, dst.Def = appendSelected(dst.Rep, rep, wanted), appendSelected(dst.Def, def, wanted)
	dst.Slots += bits.Count(wanted, 0, p.len)
	wanted, _ = c.valuesOf(p, wanted)
	return c.appendValues(p, dst, wanted, bits.Count(wanted, 0, p.count))
}

// valuesOf returns which of the part's values are those of the wanted slots, and which slots
// are values, nil for all.
func (c *Cursor) valuesOf(p *leafPage, wanted []uint64) (sel, valid []uint64) {
	if p.count == p.len {
		return wanted, nil
	}
	if valid = p.levels.valid; c.src.repeated() { // from the front of the page on
		c.scratch.partValid = grown(c.scratch.partValid, bits.Words(p.len))
		bits.Copy(c.scratch.partValid, 0, valid, p.slot, p.len)
		valid = c.scratch.partValid
	}
	c.scratch.valueSel = grown(c.scratch.valueSel, bits.Words(p.len))
	bits.Compress(c.scratch.valueSel, 0, wanted, valid, p.len)
	return c.scratch.valueSel, valid
}

// definitions returns the definition levels of the part's slots.
func (c *Cursor) definitions(p *leafPage) ([]uint8, error) {
	if c.src.repeated() {
		return p.levels.def[p.slot:][:p.len], nil
	}
	p.levels.def = grown(p.levels.def, p.len)
	d := p.levels.partDefDecoder
	_, err := d.Next(p.levels.def)
	if err == nil {
		err = c.checkLevels(p, p.levels.def)
	}
	return p.levels.def, p.inDefinition(err)
}

// checkLevels returns an error if levels of a page are among those that by the metadata it does
// not have: rows were chosen by them, and may be the wrong ones.
func (c *Cursor) checkLevels(p *leafPage, levels []uint8) error {
	if c.opts.EmptyLevels == nil {
		return nil
	}
	empty := c.opts.EmptyLevels(p.ordinal, vector.Range{From: p.first, To: p.endRow()})
	if empty == 0 {
		return nil
	}
	there := uint64(0)
	for _, level := range levels {
		there |= 1 << level // nothing for levels from 64 on, which are never empty
	}
	return p.contradicts(empty & there)
}

// checkNulls is checkLevels for the part of a flat column's page, of which only is known which
// slots are values.
func (c *Cursor) checkNulls(p *leafPage) error {
	most := c.src.Leaf.MaxDef
	if most == 0 || most > 63 || p.len == 0 {
		return nil
	}
	empty, nulls := c.opts.EmptyLevels(p.ordinal, vector.Range{From: p.first, To: p.endRow()}), uint64(1)<<most-1
	switch {
	case p.count > 0 && empty>>most&1 > 0:
		return p.contradicts(1 << most)
	case p.count < p.len && empty&nulls == nulls:
		return p.contradicts(nulls)
	}
	return nil
}

// contradicts is the error for levels that the metadata deny.
func (p *leafPage) contradicts(levels uint64) error {
	if levels == 0 {
		return nil
	}
	return p.fault(corrupt.At(-1, "definition level ", mathbits.TrailingZeros64(levels), ", of which statistics or an index say that there is none: rows were chosen by them"))
}

// appendValues appends the n wanted values of p; all if wanted is nil.
func (c *Cursor) appendValues(p *leafPage, dst *Levels, wanted []uint64, n int) error {
	if n == 0 || c.opts.NoValues {
		return nil
	}
	at := build.Extend(&dst.Values, n)
	err := c.decode(p, request{dst: &dst.Values, at: at, wanted: wanted, n: n})
	if err != nil {
		dst.Values.Len = at
	}
	c.counters.Values += int64(n)
	return p.inValues(err)
}

// appendSelected appends the levels whose bits are set.
func appendSelected(dst, src []uint8, sel []uint64) []uint8 {
	at := len(dst)
	dst = slices.Grow(dst, len(src))[:at+len(src)]
	return dst[:at+pack.Values(dst[at:], src, sel)]
}
