package assemble

import "encoding/binary"

// A block is 64 levels, of which a mask has one bit each.
const block = 64

const highs = 0x8080808080808080

// atLeast returns which of up to 64 levels are at least c.
func atLeast(levels []uint8, c uint8) uint64 {
	if c == 0 {
		return lowest(len(levels))
	}
	if len(levels) < block {
		var full [block]uint8
		copy(full[:], levels)
		return atLeast(full[:], c)
	}
	levels = levels[:block]
	every := uint64(c&0x7f) * 0x0101010101010101
	var m uint64
	if c < 0x80 {
		// With the high bit set, no byte borrows from the next one.
		for i := 0; i < block; i += 8 {
			x := binary.LittleEndian.Uint64(levels[i:])
			m |= pack(((x|highs)-every|x)&highs) << i
		}
		return m
	}
	for i := 0; i < block; i += 8 {
		x := binary.LittleEndian.Uint64(levels[i:])
		m |= pack(((x|highs)-every)&x&highs) << i
	}
	return m
}

// pack moves the high bits of the eight bytes of x to the lowest eight bits.
func pack(x uint64) uint64 { return (x >> 7) * 0x0102040810204080 >> 56 }

// lowest returns a mask of the first n bits, 0 <= n <= 64.
func lowest(n int) uint64 { return uint64(1)<<uint(n) - 1 }

// A bitWriter fills a bitmap from its first bit on.
type bitWriter struct {
	words []uint64 // those not yet written
	word  uint64
	n     uint // bits in word, fewer than 64
}

// put adds the lowest n bits of w, 0 < n <= 64. The others are 0.
func (b *bitWriter) put(w uint64, n uint) {
	b.word |= w << b.n
	if b.n += n; b.n < 64 {
		return
	}
	b.words[0] = b.word
	b.words = b.words[1:]
	b.n -= 64
	b.word = w >> (n - b.n)
}

// flush writes what is left.
func (b *bitWriter) flush() {
	if b.n > 0 {
		b.words[0] = b.word
	}
}
