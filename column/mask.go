package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// codeMask says which entries of the chunk's dictionary pass a test.
type codeMask struct {
	test    *pred.Test
	tested  int // values that were tested one by one
	entries []uint64
	mask    bitpack.Mask
	made    bool
	none    bool // no entry passes
	full    bool // all do
}

// mask returns the mask for a test; nil while testing values costs less than
// testing all entries, since fewer were tested and are to be tested in the
// window. n more values are.
func (c *Cursor) mask(t *pred.Test, n int) *codeMask {
	dict := &c.dict.vec
	m := c.maskOf(t)
	if m.made {
		return m
	}
	if dict.Len == 0 {
		return nil // any code is an error, which decoding finds
	}
	m.tested += n
	price := dict.Len
	if t.Kind == pred.Range && (numeric(dict.Type) || dict.Type.Store() == vector.InFixed && t.KeepsFixed(dict.Type.Width())) {
		price /= 24 // a kernel tests six entries while one row is looked up, and rows of other windows will be, too
	}
	if !c.opts.Force.Mask.or(max(m.tested, c.ahead) >= price) && t.Kind != pred.Codes {
		return nil
	}
	if t.Kind == pred.Codes {
		m.entries = append(m.entries[:0], t.Bits...)
		if t.Negate {
			bits.Not(m.entries, 0, dict.Len)
		}
	} else {
		m.entries = grown(m.entries, bits.Words(dict.Len))
		bits.SetRange(m.entries, 0, dict.Len)
		narrowFlat(m.entries, dict, t)
	}
	m.mask = bitpack.MakeMask(m.entries, uint32(dict.Len))
	m.made = true
	m.none, m.full = !bits.Any(m.entries, 0, dict.Len), bits.All(m.entries, 0, dict.Len)
	return m
}

// maskOf finds or makes the entry for a test.
func (c *Cursor) maskOf(t *pred.Test) *codeMask {
	for i := range c.masks {
		if c.masks[i].test == t {
			return &c.masks[i]
		}
	}
	if n := len(c.masks); n < cap(c.masks) {
		c.masks = c.masks[:n+1]
	} else {
		c.masks = append(c.masks, codeMask{})
	}
	m := &c.masks[len(c.masks)-1]
	*m = codeMask{test: t, entries: m.entries[:0]}
	return m
}

// narrowCodes lets codes meet the mask. One of nothing or all needs no codes.
func (c *Cursor) narrowCodes(p *leafPage, sel []uint64, n int, m *codeMask) error {
	if m.none {
		bits.ClearRange(sel, 0, n)
		return nil
	}
	if m.full {
		return nil
	}
	return p.values.mask(sel, n, &m.mask)
}
