package column

import (
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/invariants"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// A few bytes can claim very many slots, and all levels of a page are decoded at once.
// A page with more than maxSlots slots must have a byte for every slotsOfByte of them.
const (
	maxSlots    = 1 << 22
	slotsOfByte = 64
)

// startRepetition starts p.levels.def on a page's repetition levels.
func (c *Cursor) startRepetition(p *leafPage) error {
	packed := p.header.RepetitionEncoding == wire.Encoding_BIT_PACKED
	return p.inRepetition(startLevels(&p.levels.def, packed, p.body.parts.Repetition, c.src.Leaf.MaxRep, int(p.header.NumValues)))
}

// continuesRow reports whether a page whose first repetition level is level goes on with
// the last row of the page before.
func (p *leafPage) continuesRow(level uint8) (bool, error) {
	if level > 0 && p.first == 0 && !p.frontKnown {
		return false, p.inRepetition(corrupt.At(-1, "the first row starts with level ", level))
	}
	return level > 0, nil
}

// inRepetition adds to err, of a repetition level, where it is.
func (p *leafPage) inRepetition(err error) error {
	return p.inPart(err, "repetition levels", p.body.parts.Repetition)
}

// countRows counts a page's rows by its repetition levels.
func (c *Cursor) countRows(p *leafPage) error {
	if err := c.loadRepetition(p); err != nil {
		return p.fault(err)
	}
	if err := c.startRepetition(p); err != nil {
		return err
	}
	n := int(p.header.NumValues)
	var first [1]uint8
	if ahead := p.levels.def; n > 0 {
		if _, err := ahead.Next(first[:]); err != nil {
			return p.inRepetition(err)
		}
	}
	goesOn, err := p.continuesRow(first[0])
	if err != nil {
		return err
	}
	inner, err := p.levels.def.Count(n, 1)
	if err != nil {
		return p.inRepetition(err)
	}
	p.rows, p.frontKnown = n-inner, true
	p.joinRow(goesOn)
	return nil
}

// loadRepetition makes a page's repetition levels available. Those of v2 pages are not
// compressed and stand first, so nothing else is read of these.
func (c *Cursor) loadRepetition(p *leafPage) error {
	n := int64(p.header.RepetitionLength)
	if p.header.Type != wire.PageType_DATA_PAGE_V2 || c.src.Unpacker.Encrypted() || n > p.end-p.bodyAt {
		return c.loadBody(p)
	}
	if n == 0 {
		return nil
	}
	var err error
	p.body.parts.Repetition, err = c.feed.Read(p.bodyAt, p.bodyAt+n)
	return err
}

// joinRow counts the last row of the page before as the first of this one, if yes.
func (p *leafPage) joinRow(yes bool) {
	if yes {
		p.first--
		p.rows++
	}
}

// startRepeated decodes all levels of a page, and checks its rows.
func (c *Cursor) startRepeated(p *leafPage) error {
	n := int(p.header.NumValues)
	if size := int64(len(p.body.bytes)) + p.end - p.bodyAt; n > maxSlots && int64(n/slotsOfByte) > size {
		return p.fault(corrupt.NotSupported("page of ", n, " values in ", len(p.body.bytes), " bytes"))
	}
	if err := c.startRepetition(p); err != nil {
		return err
	}
	p.levels.rep = grown(p.levels.rep, n)
	if _, err := p.levels.def.Next(p.levels.rep); err != nil {
		return p.inRepetition(err)
	}
	p.levels.starts = grown(p.levels.starts, bits.Words(n))
	bits.AtLeast(p.levels.starts, p.levels.rep, 1)
	bits.Not(p.levels.starts, 0, n)
	rows, goesOn := bits.Count(p.levels.starts, 0, n), false
	if n > 0 {
		var err error
		if goesOn, err = p.continuesRow(p.levels.rep[0]); err != nil {
			return err
		}
	}
	if goesOn {
		if c.src.Index != nil {
			return p.inRepetition(corrupt.At(-1, "the page starts within a row"))
		}
		bits.Set(p.levels.starts, 0)
		if p.frontKnown {
			rows++ // joinRow has counted the row it goes on with
		}
	}
	if rows != p.rows { // the header lies, or the levels have changed since they were counted
		return p.fault(corrupt.At(-1, "page of ", rows, " rows, promised are ", p.rows))
	}
	if !p.frontKnown {
		p.frontKnown = true
		p.joinRow(goesOn)
	}
	maxDef := c.src.Leaf.MaxDef
	packed := p.header.DefinitionEncoding == wire.Encoding_BIT_PACKED
	err := startLevels(&p.levels.def, packed, p.body.parts.Definition, maxDef, n)
	if err == nil {
		p.levels.defs = grown(p.levels.defs, n)
		_, err = p.levels.def.Next(p.levels.defs)
	}
	if err != nil {
		return p.inPart(err, "definition levels", p.body.parts.Definition)
	}
	if err := c.checkLevels(p, p.levels.defs); err != nil {
		return err
	}
	p.levels.valid = grown(p.levels.valid, bits.Words(n))
	bits.AtLeast(p.levels.valid, p.levels.defs, uint8(maxDef))
	p.row, p.slot, p.value = 0, 0, 0
	return nil
}

// enterRepeated makes the slots of the page's rows [from, to) its part in the window.
func (c *Cursor) enterRepeated(p *leafPage, from, to int) error {
	n := len(p.levels.rep)
	if p.seq != c.seq {
		invariants.Assert(p.row <= from, "column: a page goes back")
		slot := n
		if from < p.rows {
			slot = bits.Select(p.levels.starts, p.slot, n, from-p.row)
		}
		p.value += bits.Count(p.levels.valid, p.slot, slot)
		p.row, p.slot, p.seq, p.partRows = from, slot, c.seq, -1
	}
	if p.partRows == to-from {
		return nil
	}
	end := n
	if to < p.rows {
		end = bits.Select(p.levels.starts, p.slot, n, to-from)
	}
	p.partRows = to - from
	p.len, p.count = end-p.slot, bits.Count(p.levels.valid, p.slot, end)
	return nil
}

// slotsOf sets the bits of dst, which has one for each slot of the page's part,
// to the slots of selected rows. sel has a bit for each row of the part.
//
//	starts      1 0 0 1 1 0
//	sel         1     0 1        by rows
//	changes     1     1 1        where a row's bit differs from the row before
//	  by slots  1 0 0 1 1 0
//	dst         1 1 1 0 1 1      where the number of changes so far is odd
func (c *Cursor) slotsOf(p *leafPage, dst, sel []uint64) {
	rows, words := bits.Words(p.partRows), bits.Words(p.len)
	c.scratch.changes, c.scratch.starts = grown(c.scratch.changes, rows), grown(c.scratch.starts, words)
	before := uint64(0)
	for i, w := range sel[:rows] {
		c.scratch.changes[i] = w ^ (w<<1 | before)
		before = w >> 63
	}
	bits.Copy(c.scratch.starts, 0, p.levels.starts, p.slot, p.len)
	bits.Deposit(dst, c.scratch.changes, 0, c.scratch.starts, p.len)
	odd := uint64(0)
	for i, w := range dst[:words] {
		for shift := 1; shift < 64; shift *= 2 {
			w ^= w << shift
		}
		w ^= odd
		dst[i] = w
		odd = -(w >> 63)
	}
}
