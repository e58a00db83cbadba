package column

import (
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/invariants"
	"github.com/winnow-scan/winnow/thrift"
)

// Levels are decoded a block of maxSlots slots at a time, which is more than most pages have:
// a few bytes can claim very many slots. If more than a block is wanted of a page, it must
// have a byte for every slotsOfByte slots.
const (
	maxSlots    = 1 << 22
	slotsOfByte = 64
)

// startRepetition starts p.levels.repDecoder on a page's repetition levels.
func (c *Cursor) startRepetition(p *leafPage) error {
	return p.inRepetition(startLevels(&p.levels.repDecoder, p.header.RepetitionEncoding, p.body.parts.Repetition, c.src.Leaf.MaxRep, int(p.header.NumValues)))
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
	if ahead := p.levels.repDecoder; n > 0 {
		if _, err := ahead.Next(first[:]); err != nil {
			return p.inRepetition(err)
		}
	}
	goesOn, err := p.continuesRow(first[0])
	if err != nil {
		return err
	}
	inner, err := p.levels.repDecoder.Count(n, 1)
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
	if p.header.Type != thrift.DataPageV2 || c.src.Unpacker.Encrypted() || n > p.end-p.bodyAt {
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

// startRepeated decodes the first block of levels of a page, and checks its rows.
func (c *Cursor) startRepeated(p *leafPage) error {
	l := &p.levels
	l.rep, l.def, l.begun = l.rep[:0], l.def[:0], 0
	if err := c.restartRepeated(p); err != nil {
		return err
	}
	if err := c.decodeLevels(p); err != nil {
		return err
	}
	goesOn := false
	if len(l.rep) > 0 {
		var err error
		if goesOn, err = p.continuesRow(l.rep[0]); err != nil {
			return err
		}
	}
	ahead, left := l.repDecoder, int(p.header.NumValues)-len(l.rep)
	inner, err := ahead.Count(left, 1)
	if err != nil {
		return p.inRepetition(err)
	}
	rows := l.begun + left - inner
	if goesOn {
		if c.src.Index != nil {
			return p.inRepetition(corrupt.At(-1, "the page starts within a row"))
		}
		bits.Set(l.starts, 0)
		l.begun++
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
	p.row, p.slot, p.value = 0, 0, 0
	return c.checkLevels(p, l.def)
}

// restartRepeated starts the decoders of a page's levels, behind those that are decoded.
func (c *Cursor) restartRepeated(p *leafPage) error {
	if err := c.startRepetition(p); err != nil {
		return err
	}
	if _, err := p.levels.repDecoder.Count(len(p.levels.rep), 1); err != nil {
		return p.inRepetition(err)
	}
	return p.startDefinition(c.src.Leaf.MaxDef, len(p.levels.def))
}

// decodeLevels decodes the next block of a page's levels, as many again as there are.
func (c *Cursor) decodeLevels(p *leafPage) error {
	l, n, block := &p.levels, int(p.header.NumValues), maxSlots
	from := len(l.rep)
	if size := int64(p.header.UncompressedSize) + p.end - p.bodyAt; from >= maxSlots && int64(n/slotsOfByte) > size {
		return p.fault(corrupt.NotSupported("page of ", n, " values in ", p.header.UncompressedSize, " bytes"))
	}
	if c.opts.Force.Stop == Always {
		block = 64
	}
	to := min(max(2*from, block), n)
	l.rep, l.def = grown(l.rep, to), grown(l.def, to)
	if _, err := l.repDecoder.Next(l.rep[from:]); err != nil {
		return p.inRepetition(err)
	}
	if _, err := l.defDecoder.Next(l.def[from:]); err != nil {
		return p.inDefinition(err)
	}
	l.starts, l.valid = grown(l.starts, bits.Words(to)), grown(l.valid, bits.Words(to))
	bits.AtLeast(l.starts[from/64:], l.rep[from:], 1)
	bits.Not(l.starts, from, to)
	bits.AtLeast(l.valid[from/64:], l.def[from:], uint8(c.src.Leaf.MaxDef))
	l.begun += bits.Count(l.starts, from, to)
	return nil
}

// enterRepeated makes the slots of the page's rows [from, to) its part in the window.
func (c *Cursor) enterRepeated(p *leafPage, from, to int) error {
	n := len(p.levels.rep)
	for n < int(p.header.NumValues) && p.levels.begun <= to {
		if err := c.decodeLevels(p); err != nil {
			return err
		}
		if err := c.checkLevels(p, p.levels.def[n:]); err != nil {
			return err
		}
		n = len(p.levels.rep)
	}
	if p.window != c.windowNumber {
		invariants.Assert(p.row <= from, "column: a page goes back")
		slot := n
		if from < p.rows {
			slot = bits.Select(p.levels.starts, p.slot, n, from-p.row)
		}
		p.value += bits.Count(p.levels.valid, p.slot, slot)
		p.row, p.slot, p.window, p.partRows = from, slot, c.windowNumber, -1
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

// slotsOf returns which slots of the page's part are those of selected rows, in scratch
// memory. sel has a bit for each row of the part.
func (c *Cursor) slotsOf(p *leafPage, sel []uint64) []uint64 {
	x, words := &c.scratch, bits.Words(p.len)
	x.starts, x.slotSel = grown(x.starts, words), grown(x.slotSel, words)
	bits.Copy(x.starts, 0, p.levels.starts, p.slot, p.len)
	if bits.All(sel, 0, p.partRows) {
		bits.SetRange(x.slotSel, 0, p.len)
	} else {
		bits.Spread(x.slotSel, sel, x.starts, p.len)
	}
	return x.slotSel
}
