package column

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// A page whose last rows nobody wants need not be decompressed to its end:
//
//	rows     first                 last wanted           first+rows
//	         ├──────────────────────────┼────────────────────┤
//	body     levels │ values, one behind the other │ not made
//
// What is wanted is told by the selection of the call that comes to the page
// first, where the page ends within the window, or by Expect. If more is asked
// for later, decoding fails at the end of what there is; then the page is
// decompressed again, all of it.

// Expect says that of the rows [from, from+sel.N) no others than those in sel
// will be asked for. sel must stay as it is until the window is behind them, or
// Expect(nil, 0) takes the word back. It is a hint: breaking it costs time.
func (c *Cursor) Expect(sel *vector.Selection, from int64) {
	c.expected, c.expectedFrom = sel, from
}

// Stopping is worth it if so many bytes, and a third of the page, are not made:
// some codecs need longer for a part than they need for as much of a whole.
const worthIt = 8 << 10

// slotsWanted returns how many of a page's slots, from the first on, are
// wanted: all unless something says otherwise.
func (c *Cursor) slotsWanted(p *leafPage) int {
	if c.src.repeated() || c.policy.stop == never {
		return p.rows
	}
	end := p.first + int64(p.rows)
	last := int64(-1)
	switch {
	case c.expected != nil && c.expectedFrom <= max(c.at, p.first) && end <= c.expectedFrom+int64(c.expected.N):
		last = lastRow(c.expected, c.expectedFrom, end)
		if c.asked != nil {
			last = max(last, lastRow(c.asked, c.at, min(end, c.to)))
		} else {
			last = max(last, min(end, c.to)-1)
		}
	case c.asked != nil && (end <= c.to || c.policy.stop == always):
		last = lastRow(c.asked, c.at, min(end, c.to))
	default:
		return p.rows
	}
	return int(max(last+1-p.first, 0))
}

// lastRow returns the last row before end that is in sel, whose first bit is
// row from, or -1.
func lastRow(sel *vector.Selection, from, end int64) int64 {
	if end <= from {
		return -1
	}
	i := lastOf(sel.Bits, int(end-from))
	if i < 0 {
		return -1
	}
	return from + int64(i)
}

// prefix returns how many bytes of a page's body are wanted, or about; all
// where stopping before the end saves little, or cannot be done.
func (c *Cursor) prefix(p *leafPage) int {
	h, most, size := &p.header, c.src.Leaf.MaxDef, int64(p.header.UncompressedSize)
	v1 := h.Type == wire.PageType_DATA_PAGE
	if h.Encoding != wire.Encoding_PLAIN || v1 && most > 0 && h.DefinitionEncoding != wire.Encoding_RLE {
		return int(size)
	}
	n, wanted := int64(h.NumValues), int64(c.slotsWanted(p))
	levels := int64(h.RepetitionLength) + int64(h.DefinitionLength)
	if v1 && most > 0 {
		levels = 4 + n/8*int64(mathbits.Len(uint(most))) + n/64 // packed, in runs that are not very short
	}
	need := size
	switch t := c.src.Leaf.Type; {
	case wanted >= n || levels >= size:
	case t.Width() > 0:
		need = levels + wanted*int64(t.Width())
	case t.Store() == vector.InViews:
		// Nobody knows beforehand: values that are alike in length, and some more.
		need = levels + (size-levels)/n*wanted + (size-levels)%n*wanted/n
		need += need/16 + 512
	}
	if (size-need < worthIt || need > size/3*2) && c.policy.stop != always {
		return int(size)
	}
	return int(min(need, size))
}

// makeWhole decompresses a page again of which only the front was, and has its
// levels and values stand where they stood.
func (c *Cursor) makeWhole(p *leafPage) error {
	if p.lent {
		c.bodies.leave(p.parts.Values)
		p.body, p.lent = nil, false
	}
	c.count.Again++
	p.kept.forget()
	if err := c.inflate(p, true); err != nil {
		return p.fault(err)
	}
	if p.ready && !c.src.repeated() {
		if err := p.restartFlat(c.src.Leaf.MaxDef); err != nil {
			return err
		}
	}
	if !p.started {
		return nil
	}
	if err := c.chooseDecoder(p); err != nil {
		return p.fault(err)
	}
	p.began = c.seq
	return p.ofValues(p.values.begin(p.value, p.count))
}
