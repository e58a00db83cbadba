package bitpack

// FromMSB appends to dst the n values that src packs from the most significant
// bit on, packed from the least significant bit on: the same number of bytes.
// The width is at most 32.
func FromMSB(dst, src []byte, n int, width uint) []byte {
	src = src[:Size(n, width)]
	var in, out uint64       // bits that are read but not taken, and taken but not written
	var inBits, outBits uint // how many
	mask := uint64(1)<<width - 1
	for range n {
		for inBits < width {
			in = in<<8 | uint64(src[0])
			src = src[1:]
			inBits += 8
		}
		inBits -= width
		out |= in >> inBits & mask << outBits
		for outBits += width; outBits >= 8; outBits -= 8 {
			dst = append(dst, byte(out))
			out >>= 8
		}
	}
	if outBits > 0 {
		dst = append(dst, byte(out))
	}
	return dst
}
