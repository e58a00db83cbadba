package column

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/thrift"
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
	c.demand.expected, c.demand.expectedFrom = sel, from
}

// prefixes counts how often decompression stopped early, and how often that was wrong:
// a caller that asks for more each time is not worth listening to.
type prefixes struct{ stopped, completed int }

// Stopping is worth it if so many bytes, and a third of the page, are not made:
// some codecs need longer for a part than they need for as much of a whole.
const minSaved = 8 << 10

// slotsWanted returns how many of a page's slots, from the first on, are
// wanted: all unless something says otherwise.
func (c *Cursor) slotsWanted(p *leafPage) int {
	n := int(p.header.NumValues)
	if c.src.repeated() || c.opts.Force.Stop == Never || c.opts.Force.Eager {
		return n
	}
	end := p.endRow()
	last := int64(-1)
	switch {
	case c.demand.expected != nil && c.demand.expectedFrom <= max(c.at, p.first) && end <= c.demand.expectedFrom+int64(c.demand.expected.N):
		last = lastRow(c.demand.expected, c.demand.expectedFrom, end)
		if c.demand.asked != nil {
			last = max(last, lastRow(c.demand.asked, c.at, min(end, c.to)))
		} else {
			last = max(last, min(end, c.to)-1)
		}
	case c.demand.asked != nil && (end <= c.to || c.opts.Force.Stop == Always):
		last = lastRow(c.demand.asked, c.at, min(end, c.to))
	default:
		return n
	}
	return int(max(last+1-p.first, 0))
}

// lastRow returns the last row before end that is in sel, whose first bit is
// row from, or -1.
func lastRow(sel *vector.Selection, from, end int64) int64 {
	if end <= from {
		return -1
	}
	i := bits.Last(sel.Bits, int(end-from))
	if i < 0 {
		return -1
	}
	return from + int64(i)
}

// bodyNeeded returns how many bytes of a page's body are wanted, or about; all
// where stopping before the end saves little, or cannot be done.
func (c *Cursor) bodyNeeded(p *leafPage) int {
	h, size := &p.header, int64(p.header.UncompressedSize)
	levels, known := c.sizeOfLevels(h)
	need := size
	switch {
	case !known || levels >= size || h.NumValues == 0:
	case c.opts.NoValues && c.opts.Force.Stop != Never:
		need = levels
	case h.Encoding == wire.Encoding_PLAIN:
		need = levels + c.sizeOfValues(p, size-levels)
	}
	if (size-need < minSaved || need > size/3*2 || c.prefixes.completed > c.prefixes.stopped/8+1) && c.opts.Force.Stop != Always {
		return int(size)
	}
	if need < size {
		c.prefixes.stopped++
	}
	return int(min(need, size))
}

// sizeOfLevels returns how many bytes a page's levels take, about: Split says
// if it is more. Where they are as old writers packed them it must be seen
// whether all of a page agrees with that.
func (c *Cursor) sizeOfLevels(h *thrift.PageHeader) (bytes int64, known bool) {
	if h.Type == wire.PageType_DATA_PAGE_V2 {
		return int64(h.RepetitionLength) + int64(h.DefinitionLength), true
	}
	for _, kind := range []struct {
		most     int
		encoding wire.Encoding
	}{{c.src.Leaf.MaxRep, h.RepetitionEncoding}, {c.src.Leaf.MaxDef, h.DefinitionEncoding}} {
		if kind.most == 0 {
			continue
		}
		if kind.encoding != wire.Encoding_RLE {
			return 0, false
		}
		// Packed, in runs that are not very short.
		n := int64(h.NumValues)
		bytes += 8 + n/8*int64(mathbits.Len(uint(kind.most))) + n/64
	}
	return bytes, true
}

// sizeOfValues returns how many bytes of size the wanted values of a PLAIN page
// take, about.
func (c *Cursor) sizeOfValues(p *leafPage, size int64) int64 {
	n, wanted := int64(p.header.NumValues), int64(c.slotsWanted(p))
	t := c.src.Leaf.Type
	switch {
	case wanted >= n:
	case t.Width() > 0:
		return wanted * int64(t.Width())
	case t.Store() == vector.InViews:
		// Nobody knows beforehand: values that are alike in length, and some more.
		need := size/n*wanted + size%n*wanted/n
		return need + need/16 + 512
	}
	return size
}

// completeBody decompresses a page again of which only the front was, and has its
// levels and values stand where they stood.
func (c *Cursor) completeBody(p *leafPage) error {
	if p.body.lent {
		c.bodies.Leave(p.body.parts.Values)
		p.body.bytes, p.body.lent = nil, false
	}
	if p.body.borrowed || p.values.direct.ReadAt != nil {
		p.body.bytes = nil // it is the feed's
	} else {
		c.counters.Redecompressed++
		c.prefixes.completed++
	}
	p.values.kept.Forget()
	if err := c.inflate(p, true); err != nil {
		return p.fault(err)
	}
	if p.loaded && !c.src.repeated() {
		if err := p.restartFlat(c.src.Leaf.MaxDef); err != nil {
			return err
		}
	}
	if !p.values.ready {
		return nil
	}
	if err := c.chooseDecoder(p); err != nil {
		return p.fault(err)
	}
	p.values.markedFor = c.seq
	return p.inValues(p.values.decoder.Begin(p.value, p.count))
}
