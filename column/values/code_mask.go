package values

import (
	"slices"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// CodeMask says which entries of a dictionary pass a test.
type CodeMask struct {
	None, All bool // no entry passes, or all do
	entries   []uint64
	mask      bitpack.Mask
}

// Make tests the entries of a dictionary, which has some. Memory of m is used again.
func (m *CodeMask) Make(dict *Dictionary, t *pred.Test) error {
	n := dict.Len()
	if t.Kind == pred.Codes {
		m.entries = append(m.entries[:0], t.Bits...)
		if t.Negate {
			bits.Not(m.entries, 0, n)
		}
	} else {
		words := bits.Words(n)
		m.entries = slices.Grow(m.entries[:0], words)[:words]
		if err := dict.Test(m.entries, t); err != nil {
			return err
		}
	}
	m.mask = bitpack.MakeMask(m.entries, uint32(n))
	m.None, m.All = !bits.Any(m.entries, 0, n), bits.All(m.entries, 0, n)
	return nil
}

// Filter clears in sel those of the next n codes whose entries do not pass. A
// mask of nothing or all looks at no codes.
func (m *CodeMask) Filter(from Decoder, sel []uint64, n int) error {
	switch {
	case m.None:
		bits.ClearRange(sel, 0, n)
		return nil
	case m.All:
		return nil
	}
	return from.Mask(sel, n, &m.mask)
}
