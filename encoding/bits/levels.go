package bits

import "encoding/binary"

// AtLeast sets each of the first len(levels) bits of dst to whether its level is at
// least c, and clears the bits after them in the last word.
//
//	levels  2 0 3 1 2 3 0 0
//	c = 2   1 0 1 0 1 1 0 0
func AtLeast(dst []uint64, levels []uint8, c uint8) {
	words := len(levels) / 64
	dst = dst[:Words(len(levels))]
	wholeAtLeast(dst[:words], levels, c)
	if rest := levels[words*64:]; len(rest) > 0 {
		var full [64]uint8
		copy(full[:], rest)
		wholeAtLeast(dst[words:], full[:], c)
		dst[words] &= Low(len(rest))
	}
}

// wholeAtLeastGo is AtLeast for words of 64 levels each.
func wholeAtLeastGo(dst []uint64, levels []uint8, c uint8) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	every := uint64(c&0x7f) * ones
	for i := range dst {
		var w uint64
		for k, eight := 0, levels[i*64:][:64]; k < 64; k += 8 {
			x := binary.LittleEndian.Uint64(eight[k:])
			// With the high bit set, no byte borrows from the next one.
			m := (x | highs) - every
			if c < 0x80 {
				m |= x
			} else {
				m &= x
			}
			w |= (m & highs) >> 7 * 0x0102040810204080 >> 56 << k // the product collects the bits
		}
		dst[i] = w
	}
}
