//go:build !purego

package bitpack

import "golang.org/x/sys/cpu"

// hasAVX2 stands for AVX2 and BMI2: every processor with one has the other.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI2

// hasPermute reports whether instructions exist that look up 64 bytes at once.
var hasPermute = hasAVX2 && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512BW

// mostPermuted is the largest width of codes that are looked up in tables of 64 bytes.
const mostPermuted = 13

func unpackKernel[T lane](dst []T, src []byte, groups int, width uint) {
	s, w := &src[:1][0], int(width)
	switch d := any(&dst[0]).(type) {
	case *uint8:
		unpack8AVX2(d, s, groups, w)
	case *uint32:
		unpack32AVX2(d, s, groups, w, 1, 0)
	case *uint64:
		unpack64AVX2(d, s, groups, w)
	}
}

func unpackRunsKernel(dst []uint32, src []byte, groups int, width uint, runs, gap int) {
	unpack32AVX2(&dst[0], &src[:1][0], groups, int(width), runs, gap)
}

func testWordsKernel(out []uint64, src []byte, at *steps, width uint, mask *Mask) uint32 {
	o, s, words, w := &out[0], &src[:1][0], &at[0], int(width)
	switch {
	case width <= 4:
		return testNibblesAVX2(o, s, words, w, &mask.bytes[0])
	case width <= 8:
		return testBytesAVX2(o, s, words, w, &mask.filled[0])
	case width <= 16 && mask.span.is:
		r := &mask.span
		return testRangeAVX2(o, s, words, w, uint16(r.lo), uint16(r.hi-r.lo), r.flip)
	case width <= 10:
		return testTables(o, s, words, w, &mask.filled[0])
	case hasPermute && width <= mostPermuted:
		return testTables(o, s, words, w, &mask.padded[0])
	case width == 16:
		return test16BitsAVX2(o, s, words, w, &mask.padded[0])
	}
	return testWideAVX2(o, s, words, w, &mask.padded[0])
}

// testTables tests codes of 9 bits to mostPermuted, or 10.
func testTables(out *uint64, src *byte, steps *int, width int, table *uint64) uint32 {
	switch {
	case !hasPermute && width == 9:
		return test9BitsAVX2(out, src, steps, width, table)
	case !hasPermute:
		return test10BitsAVX2(out, src, steps, width, table)
	case width == 9:
		return test9BitsVBMI(out, src, steps, width, table)
	case width == 10:
		return test10BitsVBMI(out, src, steps, width, table)
	case width == 11:
		return test11BitsVBMI(out, src, steps, width, table)
	case width == 12:
		return test12BitsVBMI(out, src, steps, width, table)
	}
	return test13BitsVBMI(out, src, steps, width, table)
}

func testUnpackedKernel(out []uint64, codes []uint32, words int, mask *Mask) {
	testUnpackedAVX2(&out[0], &codes[0], words, &mask.bits[0])
}

func pickKernel(dst []uint32, src []byte, positions []uint32, width uint, first int, inverse, gapBits uint64) bool {
	n := len(positions)
	last := uint64(first+int(positions[n-1])) * uint64(width)
	if n < 8 || width > pickedWidth || last >= 1<<32 {
		return false
	}
	pick32AVX2(&dst[0], &src[0], &positions[0], n, int(width), first, inverse, int(gapBits/8))
	return true
}

// pickedWidth is the largest width with which each value lies in four bytes, from
// the byte on in which it begins.
const pickedWidth = 25

func largestKernel(codes []uint32, blocks int) uint32 { return largestAVX2(&codes[0], blocks) }
