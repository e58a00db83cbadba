package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/thrift"
)

// keepsDecoded reports whether decoding and keeping the part's first n values is the
// best way to test those in sel: if the test must decode most of them anyway.
func (c *Cursor) keepsDecoded(p *leafPage, sel []uint64, n int) bool {
	force := c.opts.Force.Keep
	if !c.opts.Returned || force != ByCost {
		return c.opts.Returned && force == Always && p.values.decoder.Codes() == nil
	}
	//every:encoding kept but PLAIN RLE BIT_PACKED PLAIN_DICTIONARY RLE_DICTIONARY DELTA_LENGTH_BYTE_ARRAY DELTA_BYTE_ARRAY BYTE_STREAM_SPLIT (tested without storing values, or decoded at no cost)
	switch p.header.Encoding {
	case thrift.EncodingDeltaBinaryPacked, thrift.EncodingALP:
		return c.demand.tested == c.demand.asked.N || 4*bits.Count(sel, 0, n) >= n
	}
	return false
}

// keepAndFilter tests the part's first n values and keeps them: it decodes them unless
// they are kept already.
func (c *Cursor) keepAndFilter(p *leafPage, sel []uint64, n int, t *pred.Test) error {
	return p.values.kept.DecodeAndFilter(p.values.decoder, c.src.Leaf.Type, p.value, sel, n, t)
}

// keptNumbers reports whether the part's first n values are numbers and kept: then
// their decoder is not needed.
func (p *leafPage) keptNumbers(n int) bool {
	return p.values.kept.HasNumbers(p.value, p.value+n)
}
