package pred

import (
	"encoding/binary"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// keys are numbers of 128 bits that compare as the values do that they are made
// of, up to 64: those of one word of a selection. Values of up to 8 bytes need only low.
//
//	width    value          high        low
//	1        a              -           a
//	2, 3     a b c          -           ab bc       halves overlap where the width is odd: where they do, they are equal,
//	4 - 7    a b c d e      -           abcd bcde   so the numbers compare as the bytes do
//	8        a … h          -           a…h
//	9 - 16   a … l          a…h         e…l
//	17 -     a … z          a…h         i…p         the first 16 bytes
type keys struct{ high, low [64]uint64 }

// A span is the bounds of a Range among keys: low <= key <= high.
type span struct {
	lowest, highest [2]uint64 // high and low of a key
	sign            uint64    // decimals: the sign bit, which load flips so that keys compare as unsigned; else 0
}

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
	case domainInt96s:
		return width == int96Width && (t.blo == nil || len(t.blo) == width) && (t.bhi == nil || len(t.bhi) == width)
	}
	return t.domain == domainBytes || t.domain == domainDecimals
}

// KeepFixed clears in sel the bit of each value that does not pass t, without regard to Negate. The values are width
// bytes each and packed. KeepsFixed must have returned true for t and width.
func (t *Test) KeepFixed(sel []uint64, values []byte, width int) {
	n := len(values) / width
	sel = sel[:bits.Words(n)]
	var k keys
	var s span
	if t.Kind != Set {
		var ok bool
		if s, ok = t.span(&k, width); !ok {
			bits.ClearRange(sel, 0, n)
			return
		}
	}
	const few = 4 // up to few selected values are tested one by one, without making 64 keys
	for i, w := range sel {
		part := min(64, n-i*64)
		if w &= bits.Low(part); w == 0 {
			continue
		}
		block := values[i*64*width:][:part*width]
		kept, undecided := w, w
		if mathbits.OnesCount64(w) > few {
			kept, undecided = t.keepKeys(&k, &s, w, block, width)
		}
		for ; undecided != 0; undecided &= undecided - 1 {
			if b := mathbits.TrailingZeros64(undecided); !t.passes(block[b*width:][:width]) {
				kept &^= 1 << b
			}
		}
		sel[i] &= kept | ^bits.Low(part)
	}
}

// keepKeys drops the values of w whose keys rule them out. undecided are those of the kept values whose keys do not
// decide the test: the caller tests the values themselves.
func (t *Test) keepKeys(k *keys, s *span, w uint64, values []byte, width int) (kept, undecided uint64) {
	n := len(values) / width
	switch {
	case t.Kind == Set:
		kept = w & t.set.texts.likely(k, values, width)
		return kept, kept
	case t.domain == domainInt96s:
		carrying := k.loadInt96s(values)
		kept = w & (k.within(s, n) | carrying)
		return kept, kept & carrying
	case t.domain == domainFloat16s:
		k.loadFloat16s(values)
	default:
		k.load(values, width, s.sign)
	}
	if width <= 8 {
		return w & k.withinLow(s, n), 0
	}
	kept = w & k.within(s, n)
	if width > 16 && kept != 0 {
		undecided = kept & (k.equal(s.lowest, n) | k.equal(s.highest, n))
	}
	return kept, undecided
}

// load makes the keys of packed values, and flips the bits of sign in the number that holds a value's first byte.
func (k *keys) load(values []byte, width int, sign uint64) {
	n := len(values) / width
	high, low := k.high[:n], k.low[:n]
	switch {
	case width > 8:
		second := min(width, 16) - 8
		for i := range high {
			high[i] = binary.BigEndian.Uint64(values) ^ sign
			low[i] = binary.BigEndian.Uint64(values[second:])
			values = values[width:]
		}
	case width == 8:
		for i := range low {
			low[i] = binary.BigEndian.Uint64(values[i*8:]) ^ sign
		}
	case width >= 4:
		second := width - 4
		for i := range low {
			first, last := binary.BigEndian.Uint32(values), binary.BigEndian.Uint32(values[second:])
			low[i] = uint64(first)<<32 | uint64(last) ^ sign
			values = values[width:]
		}
	case width >= 2:
		second := width - 2
		for i := range low {
			first, last := binary.BigEndian.Uint16(values), binary.BigEndian.Uint16(values[second:])
			low[i] = uint64(first)<<16 | uint64(last) ^ sign
			values = values[width:]
		}
	default:
		for i := range low {
			low[i] = uint64(values[i]) ^ sign
		}
	}
}

// signBit returns the sign bit of a value of width bytes in the number of its key that holds its first byte.
func signBit(width int) uint64 {
	switch {
	case width >= 4:
		return 1 << 63
	case width >= 2:
		return 1 << 31
	}
	return 1 << 7
}

// within returns a bit for each of n keys: set if the key is in s.
//
// In wrapping arithmetic, a key is in s if key - lowest <= highest - lowest. Adding the complement of the right side
// carries exactly for the keys outside; the carries are shifted into a word.
func (k *keys) within(s *span, n int) (w uint64) {
	l, h := s.lowest[1], s.lowest[0]
	moreLow, c := mathbits.Sub64(s.highest[1], l, 0)
	moreHigh, _ := mathbits.Sub64(s.highest[0], h, c)
	moreLow, moreHigh = ^moreLow, ^moreHigh
	high, low := k.high[:n], k.low[:n]
	for i, x := range low {
		a, borrow := mathbits.Sub64(x, l, 0)
		b, _ := mathbits.Sub64(high[i], h, borrow)
		_, c := mathbits.Add64(a, moreLow, 0)
		_, c = mathbits.Add64(b, moreHigh, c)
		w, _ = mathbits.Add64(w, w, c)
	}
	return ^mathbits.Reverse64(w) >> (64 - n)
}

// withinLow is within for keys that have only low.
func (k *keys) withinLow(s *span, n int) (w uint64) {
	l := s.lowest[1]
	more := ^(s.highest[1] - l)
	for _, x := range k.low[:n] {
		_, c := mathbits.Add64(x-l, more, 0)
		w, _ = mathbits.Add64(w, w, c)
	}
	return ^mathbits.Reverse64(w) >> (64 - n)
}

// equal returns a bit for each of n keys: set if it equals key.
func (k *keys) equal(key [2]uint64, n int) (w uint64) {
	for i, x := range k.low[:n] {
		w |= bit(k.high[i] == key[0] && x == key[1]) << i
	}
	return w
}
