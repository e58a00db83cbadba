package pred

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// makeSieve makes the bits by which likely drops most values that are not in the set.
func (s *set) makeSieve() {
	const least, perValue = 1 << 12, 64 // bits
	size := mathbits.Len64(uint64(max(least, perValue*len(s.strings)) - 1))
	s.sieve, s.holes = make([]uint64, 1<<size/64), uint(64-size)
	var k keys
	for x := range s.strings {
		if len(x) > 0 {
			k.load([]byte(x), len(x), 0)
			h := k.hash(0, len(x)) >> s.holes
			s.sieve[h/64] |= 1 << (h % 64)
		}
	}
}

// hash returns a number of key i, of a value of a width, whose highest bits are spread well.
func (k *keys) hash(i, width int) uint64 {
	if width <= 8 {
		return hash(k.low[i])
	}
	return hash(k.low[i] ^ hash(k.high[i]))
}

// likely returns a bit for each value of a width, up to 64 of them, whether it may be in the set: all that are have it,
// and few others.
func (s *set) likely(k *keys, values []byte, width int) (w uint64) {
	k.load(values, width, 0)
	n := len(values) / width
	for i := range n {
		h := k.hash(i, width) >> s.holes
		w |= s.sieve[h/64] >> (h % 64) & 1 << i
	}
	return w & bits.Low(n)
}
