package pred

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// A span is the bounds of a Range among keys of values, of which width says how many words they have. A key is the first
// bytes of a value as big-endian numbers. Behind a shorter value a key has what follows in memory, which decides nothing:
//
//	width    values          first word    second word
//	5        a b c d e f …   a b c d e f …
//	12       a … l m …       a … h         i … l m …
//	20       a … t           a … h         i … p         the rest decides where the key is that of a bound
//
// highest - lowest, in wrapping arithmetic, is the size of the span: so signed numbers are tested as unsigned ones are.
type span struct{ lowest, highest [2]uint64 }

const keyBytes = 16

// keyRoom has room for 64 values where they must be copied: keys of the last ones reach beyond them.
type keyRoom [(64 + 1) * keyBytes]byte

// KeepsFixed reports whether KeepFixed has a kernel for t and values of width bytes. Negate does not matter.
func (t *Test) KeepsFixed(width int) bool {
	switch {
	case width <= 0 || width > vector.MaxFixed:
		return false
	case t.Kind == Set:
		return t.set.domain == domainBytes
	case t.Kind != Range:
		return t.Kind == Equal
	}
	switch t.domain {
	case domainFloat16s:
		return width == 2
	case domainInt96s, domainLongStamps:
		return width == int96Width && (t.blo == nil || len(t.blo) == width) && (t.bhi == nil || len(t.bhi) == width)
	}
	return t.domain == domainBytes || t.domain == domainDecimals
}

// KeepFixed clears in sel the bit of each value that does not pass t, without regard to Negate. The values are width
// bytes each and packed. KeepsFixed must have returned true for t and width.
func (t *Test) KeepFixed(sel []uint64, values []byte, width int) {
	n := len(values) / width
	sel = sel[:bits.Words(n)]
	var s span
	if t.Kind != Set {
		var ok bool
		if s, ok = t.span(width); !ok {
			bits.ClearRange(sel, 0, n)
			return
		}
	}
	var room keyRoom
	const few = 4 // up to few selected values are tested one by one, without keys
	for i, w := range sel {
		part := min(64, n-i*64)
		if w &= bits.Low(part); w == 0 {
			continue
		}
		block := values[i*64*width:]
		kept, undecided := w, w
		if mathbits.OnesCount64(w) > few {
			kept, undecided = t.keepKeys(&room, &s, w, block, width, part)
		}
		for ; undecided != 0; undecided &= undecided - 1 {
			if b := mathbits.TrailingZeros64(undecided); !t.passes(block[b*width:][:width]) {
				kept &^= 1 << b
			}
		}
		sel[i] &= kept | ^bits.Low(part)
	}
}

// keepKeys drops those of the first n values whose bits in w are set and whose keys rule them out. undecided are those of
// the kept values whose keys do not decide the test: the caller tests the values themselves.
func (t *Test) keepKeys(room *keyRoom, s *span, w uint64, values []byte, width, n int) (kept, undecided uint64) {
	if t.Kind == Range && t.domain == domainInt96s {
		within, carrying := s.withinInt96s(values, n)
		return w & (within | carrying), w & carrying
	}
	if t.Kind == Range && t.domain == domainLongStamps {
		return w & s.withinLongStamps(values, n), 0
	}
	if width < keyBytes && len(values) < n*width+keyBytes {
		copy(room[:], values)
		values = room[:]
	}
	switch {
	case t.Kind == Set:
		kept = w & t.set.texts.likely(values, width, n)
		return kept, kept
	case t.Kind == Range && t.domain == domainFloat16s:
		return w & s.withinFloat16s(values, n), 0
	}
	kept = w & s.within(values, width, n)
	if width > keyBytes && kept != 0 {
		first, last := span{s.lowest, s.lowest}, span{s.highest, s.highest}
		undecided = kept & (first.within(values, width, n) | last.within(values, width, n))
	}
	return kept, undecided
}
