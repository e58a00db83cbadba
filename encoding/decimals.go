package encoding

import (
	"encoding/binary"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Decimals keeps the strings that, as big-endian two's complement numbers, are from lo
// to hi. Bounds are results of bits.DecimalKey, high first.
func (t Texts) Decimals(w uint64, lo, hi [2]uint64) uint64 {
	outside := func(high, low uint64) uint64 {
		_, c := mathbits.Sub64(low, lo[1], 0)
		_, below := mathbits.Sub64(high, lo[0], c)
		_, c = mathbits.Sub64(hi[1], low, 0)
		_, above := mathbits.Sub64(hi[0], high, c)
		return below | above
	}
	var failed uint64
	if mathbits.OnesCount64(w) <= few {
		for rest := w; rest != 0; rest &= rest - 1 {
			i := mathbits.TrailingZeros64(rest)
			failed |= outside(bits.DecimalKey(t.text(i))) << i
		}
		return w &^ failed
	}
	end := mathbits.Len64(w)
	at := t.At[0]
	for _, next := range t.At[1:][:end] {
		failed = failed>>1 | outside(decimalKey(t.Body, at+t.Gap, next))<<63
		at = next
	}
	return w &^ (failed >> (64 - uint(end)))
}

// decimalKey is bits.DecimalKey of body[from:to]. Lengths often differ at random, so there is no branch on them: the 16
// bytes up to the end are loaded, and what is in front of the number is shifted out.
func decimalKey(body []byte, from, to int32) (high, low uint64) {
	n := uint(to - from)
	if n-1 >= 16 || to < 16 {
		return bits.DecimalKey(body[from:to])
	}
	b := body[to-16:][:16]
	high, low = binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
	front := (64 - 8*min(n, 8)) & 63 // bits of low that belong to bytes before the number
	low = uint64(int64(low<<front) >> front)
	front = (128 - 8*max(n, 9)) & 63
	high = uint64(int64(high<<front) >> front)
	if n <= 8 {
		high = uint64(int64(low) >> 63)
	}
	return high ^ 1<<63, low
}
