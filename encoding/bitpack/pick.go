package bitpack

import "encoding/binary"

// Pick32 unpacks the values with numbers first+positions[k], of at most 32 bits, to
// dst[k]. Positions ascend.
func Pick32(dst []uint32, src []byte, width uint, positions []uint32, first int) {
	PickRuns32(dst, src, width, positions, first, 0, 0)
}

// LongestRun is the largest count for PickRuns32.
const LongestRun = 4096

// PickRuns32 is Pick32 for values in runs. Each run has count values, a multiple of
// 8, and after it gap bytes that are no values; count 0 means one run. src is the first
// run; the others follow within its capacity. first+positions[k] is below 1<<20.
func PickRuns32(dst []uint32, src []byte, width uint, positions []uint32, first, count, gap int) {
	dst = dst[:len(positions)]
	var inverse uint64
	if count > 0 {
		inverse = (1<<32 + uint64(count) - 1) / uint64(count)
	}
	gapBits := uint64(gap) * 8
	src = src[:cap(src)]
	mask := uint64(1)<<width - 1
	for k := vectorPick(dst, src, width, positions, first, inverse, gapBits); k < len(dst); k++ {
		v := uint64(first + int(positions[k]))
		at := v*uint64(width) + v*inverse>>32*gapBits
		if i := at / 8; i+8 <= uint64(len(src)) {
			dst[k] = uint32(binary.LittleEndian.Uint64(src[i:]) >> (at % 8) & mask)
		} else {
			var tail [8]byte
			copy(tail[:], src[i:])
			dst[k] = uint32(binary.LittleEndian.Uint64(tail[:]) >> (at % 8) & mask)
		}
	}
}

// Largest returns the largest code, 0 if there are none.
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
