package pred

import "github.com/winnow-scan/winnow/encoding/bits"

// addKey sets the bit by which likely finds a value of a fixed size.
func (s *texts) addKey(text []byte) {
	if len(text) == 0 {
		return
	}
	var k keys
	k.load(text, len(text), 0)
	h := k.hash(0, len(text)) >> s.shift
	s.keys[h/64] |= 1 << (h % 64)
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
func (s *texts) likely(k *keys, values []byte, width int) (w uint64) {
	k.load(values, width, 0)
	n := len(values) / width
	for i := range n {
		h := k.hash(i, width) >> s.shift
		w |= s.keys[h/64] >> (h % 64) & 1 << i
	}
	return w & bits.Low(n)
}
