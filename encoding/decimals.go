package encoding

import (
	"encoding/binary"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// outside returns 1 for the key of a decimal that is not within the bounds, else 0.
func (m *Match) outside(high, low uint64) uint64 {
	_, c := mathbits.Sub64(low, m.least[1], 0)
	_, below := mathbits.Sub64(high, m.least[0], c)
	_, c = mathbits.Sub64(m.most[1], low, 0)
	_, above := mathbits.Sub64(m.most[0], high, c)
	return below | above
}

// decimals keeps the strings that are decimals within m's bounds.
func (t Texts) decimals(w uint64, m *Match) uint64 {
	end := mathbits.Len64(w)
	at, failed := t.At[0], uint64(0)
	for _, next := range t.At[1:][:end] {
		failed = failed>>1 | m.outside(decimalKey(t.Body, at+t.Gap, next))<<63
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
