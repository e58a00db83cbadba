package pred

import "github.com/winnow-scan/winnow/encoding/bits"

// addKey adds a value of a fixed size to the sieve that likely tests.
func (s *texts) addKey(text []byte) {
	if len(text) == 0 {
		return
	}
	var k keys
	k.load(text, len(text), 0)
	h := k.hash(0, len(text)) >> s.shift
	s.keys[h/64] |= 1 << (h % 64)
}

// hash hashes key i, of a value of width bytes. Its highest bits are well distributed.
func (k *keys) hash(i, width int) uint64 {
	if width <= 8 {
		return hash(k.low[i])
	}
	return hash(k.low[i] ^ hash(k.high[i]))
}

// likely returns a bit for each of up to 64 values of width bytes: set for every value of the set, and for few others.
func (s *texts) likely(k *keys, values []byte, width int) (w uint64) {
	k.load(values, width, 0)
	n := len(values) / width
	for i := range n {
		h := k.hash(i, width) >> s.shift
		w |= s.keys[h/64] >> (h % 64) & 1 << i
	}
	return w & bits.Low(n)
}
