package pred

import "github.com/winnow-scan/winnow/column/vector"

// addKey adds a value of a fixed size to the sieve that likely tests.
func (s *texts) addKey(text []byte) {
	if len(text) == 0 {
		return
	}
	var room [vector.MaxFixed]byte
	copy(room[:], text)
	key := keyOf(room[:])
	h := fixedHash(key[0], key[1], len(text)) >> s.shift
	s.keys[h/64] |= 1 << (h % 64)
}

// fixedHash hashes the key of a value of width bytes. Its highest bits are well distributed.
func fixedHash(high, low uint64, width int) uint64 {
	if width <= 8 {
		return hash(high >> (uint(64-8*width) & 63))
	}
	return hash(low>>(uint(128-8*min(width, keyBytes))&63) ^ hash(high))
}
