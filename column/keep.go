package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// keepsDecoded reports whether the part's first n values, of which those in sel are
// to be tested, are best decoded and kept: where a test must decode them
// anyway, and most of them.
func (c *Cursor) keepsDecoded(p *leafPage, sel []uint64, n int) bool {
	force := c.opts.Force.Keep
	if !c.opts.Returned || force != ByCost {
		return c.opts.Returned && force == Always && p.values.decoder.Codes() == nil
	}
	switch p.header.Encoding { // of others kernels test what they need not store, or decode at no cost
	case wire.Encoding_DELTA_BINARY_PACKED, wire.Encoding_ALP:
		return c.demand.tested == c.demand.asked.N || 4*bits.Count(sel, 0, n) >= n
	}
	return false
}

// keepAndNarrow decodes the part's first n values, unless they are kept, tests and keeps them.
func (c *Cursor) keepAndNarrow(p *leafPage, sel []uint64, n int, t *pred.Test) error {
	return p.values.kept.DecodeAndNarrow(p.values.decoder, c.src.Leaf.Type, p.value, sel, n, t)
}

// keptNumbers reports whether the part's first n values are numbers that are kept:
// then their decoder need not come to them.
func (p *leafPage) keptNumbers(n int) bool {
	return p.values.kept.HasNumbers(p.value, p.value+n)
}
