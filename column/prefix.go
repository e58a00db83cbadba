package column

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/thrift"
)

// A page is decompressed up to its last wanted row only:
//
//	rows     first                 last wanted           first+rows
//	         ├──────────────────────────┼────────────────────┤
//	body     levels │ values, one after the other │ not made
//
// Which rows are wanted is known from the selection of the call that loads the page, if
// the page ends within the window, or from Expect. If a later call wants more, decoding
// fails at the end of what there is; then extendBody decompresses the page again.
//
// A page of few bytes may claim very many. Its body is decompressed in steps, whatever was
// estimated: first a front of firstFront bytes, then again, frontGrowth times as many, as
// often as decoding comes to the end of them.

// Expect says that of the rows [from, from+sel.N) only those in sel will be read. sel
// must not change until the window has passed them, or until Expect(nil, 0) withdraws
// it. It is a hint: reading other rows costs time.
func (c *Cursor) Expect(sel *Selection, from int64) {
	c.demand.expected, c.demand.expectedFrom = sel, from
}

// prefixes counts how often decompression stopped early, and how often that was wrong:
// if callers keep wanting more, pages are decompressed whole.
type prefixes struct {
	stopped, completed int
	largest            int64 // bytes of a body whose last step was wanted
}

// minSaved is how many bytes stopping early must save, and a third of the page: some
// codecs take longer for the front of a page than for as many bytes of all of it. On
// Zen 4, ten strings of a Snappy file (LIMIT 10) take 1.3 times as long if no page stops
// early; filters that leave one row of 10,000 or more, 1.00 to 1.04 times. Measure
// again when a codec's DecodePrefix changes.
const minSaved = 8 << 10

// Pages of up to firstFront bytes are decompressed at once. So are pages that have a byte for
// every trustedRatio bytes that they claim, and pages no larger than one that was wanted to
// its end: few pages of honest writers are neither. Of these, frontGrowth bounds what
// decompressing again costs, a seventh. Not measured: steps bound the time and memory that a
// hostile page can get.
const (
	firstFront   = 4 << 20
	frontGrowth  = 8
	trustedRatio = 16
)

// steps reports whether a page's body is decompressed in steps. The streams of
// BYTE_STREAM_SPLIT go through all of a page, so the body is wanted whole.
func (c *Cursor) steps(p *leafPage) bool {
	size := int64(p.header.UncompressedSize)
	if p.header.Encoding == thrift.EncodingByteStreamSplit {
		return false
	}
	return c.opts.Force.Stop.or(size > firstFront && size/trustedRatio > p.end-p.bodyAt)
}

// slotsWanted returns how many slots there are up to the last wanted one: all of them
// unless the call's selection or Expect say less.
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
func lastRow(sel *Selection, from, end int64) int64 {
	if end <= from {
		return -1
	}
	i := bits.Last(sel.Bits, int(end-from))
	if i < 0 {
		return -1
	}
	return from + int64(i)
}

// bodyNeeded estimates how many bytes of a page's body are wanted. It returns the size
// of the body if stopping before its end saves little, or is impossible.
func (c *Cursor) bodyNeeded(p *leafPage) int {
	h, size := &p.header, int64(p.header.UncompressedSize)
	levels, known := c.sizeOfLevels(h)
	need := size
	switch {
	case !known || levels >= size || h.NumValues == 0:
	case c.opts.NoValues && c.opts.Force.Stop != Never:
		need = levels
	case h.Encoding == thrift.EncodingPlain:
		need = levels + c.sizeOfValues(p, size-levels)
	}
	if (size-need < minSaved || need > size/3*2 || c.prefixes.completed > c.prefixes.stopped/8+1) && c.opts.Force.Stop != Always {
		need = size
	}
	if need < size {
		c.prefixes.stopped++
	}
	if known && c.steps(p) {
		need = min(need, c.firstStep(size))
	}
	return int(min(need, size))
}

// firstStep returns how many of a body's bytes to decompress first.
func (c *Cursor) firstStep(size int64) int64 {
	if c.opts.Force.Stop == Always {
		return size / frontGrowth
	}
	return max(firstFront, c.prefixes.largest)
}

// sizeOfLevels estimates how many bytes a page's levels take: page.Split says if they
// take more. It is unknown for BIT_PACKED levels, whose bit order is found by looking
// at all of the page.
func (c *Cursor) sizeOfLevels(h *thrift.PageHeader) (bytes int64, known bool) {
	if h.Type == thrift.DataPageV2 {
		return int64(h.RepetitionLength) + int64(h.DefinitionLength), true
	}
	for _, kind := range []struct {
		most     int
		encoding thrift.Encoding
	}{{c.src.Leaf.MaxRep, h.RepetitionEncoding}, {c.src.Leaf.MaxDef, h.DefinitionEncoding}} {
		if kind.most == 0 {
			continue
		}
		if kind.encoding != thrift.EncodingRLE {
			return 0, false
		}
		// Taken to be bit-packed, in runs that are not very short.
		n := int64(h.NumValues)
		bytes += 8 + n/8*int64(mathbits.Len(uint(kind.most))) + n/64
	}
	return bytes, true
}

// sizeOfValues estimates how many of the size bytes of a PLAIN page's values the wanted
// values take.
func (c *Cursor) sizeOfValues(p *leafPage, size int64) int64 {
	n, wanted := int64(p.header.NumValues), int64(c.slotsWanted(p))
	t := c.src.Leaf.Type
	switch {
	case wanted >= n:
	case t.Width() > 0:
		return wanted * int64(t.Width())
	case t.Store() == vector.InViews:
		// Strings are taken to be alike in length, with some bytes to spare.
		need := size/n*wanted + size%n*wanted/n
		return need + need/16 + 512
	}
	return size
}

// extendBody decompresses more of a page of which only the front is there, or all of it, and
// sets its levels and its decoder to where they stood.
func (c *Cursor) extendBody(p *leafPage) error {
	least := int(p.header.UncompressedSize)
	if c.steps(p) {
		size := int64(least)
		if least = int(min(int64(len(p.body.bytes)+1)*frontGrowth, size)); int64(least) == size {
			c.prefixes.largest = max(c.prefixes.largest, size)
		}
	}
	switch p.body.memory {
	case lentOut:
		c.bodies.Leave(p.body.parts.Values)
		p.body.bytes, p.body.memory = nil, ofCursor
	case ofFeed:
		p.body.bytes = nil
	}
	if p.body.memory == ofCursor {
		c.counters.Redecompressed++
		if !c.steps(p) {
			c.prefixes.completed++
		}
	}
	p.values.kept.Forget()
	if err := c.inflate(p, least); err != nil {
		return p.fault(err)
	}
	if p.loaded {
		var err error
		if c.src.repeated() {
			err = c.restartRepeated(p)
		} else {
			err = p.startFlat(c.src.Leaf.MaxDef)
		}
		if err != nil {
			return err
		}
	}
	if !p.values.ready {
		return nil
	}
	p.values.ready, p.values.markedFor = false, -1
	return c.startValues(p, p.count)
}
