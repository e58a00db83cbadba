package bitpack

import "encoding/binary"

// Pick32 unpacks the values number first+positions[k], of at most 32 bits, to
// dst[k].
func Pick32(dst []uint32, src []byte, width uint, positions []uint32, first int) {
	dst = dst[:len(positions)]
	mask := uint64(1)<<width - 1
	// Within the bytes before end a load of 8 stays inside of src.
	src = src[:cap(src)]
	for k, p := range positions {
		at := uint64(first+int(p)) * uint64(width)
		if i := at / 8; i+8 <= uint64(len(src)) {
			dst[k] = uint32(binary.LittleEndian.Uint64(src[i:]) >> (at % 8) & mask)
		} else {
			dst[k] = uint32(get(src, first+int(p), width))
		}
	}
}

// Largest returns the largest of some codes, 0 if there are none.
func Largest(codes []uint32) uint32 {
	n, largest := vectorLargest(codes)
	var a, b, c uint32
	codes = codes[n:]
	for ; len(codes) >= 4; codes = codes[4:] {
		v := codes[:4:4]
		a, b = max(a, v[0]), max(b, v[1])
		c, largest = max(c, v[2]), max(largest, v[3])
	}
	for _, v := range codes {
		a = max(a, v)
	}
	return max(a, b, c, largest)
}
