//go:build !amd64 || purego

package bitpack

import (
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// With the tag invariants, twins in Go take the place of kernels, so that their callers are tested on every machine.
const hasAVX2 = invariants.On

func unpackKernel[T lane](dst []T, src []byte, groups int, width uint) {
	for i := range groups * 8 {
		dst[i] = T(get(src, i, width))
	}
}

func unpackRunsKernel(dst []uint32, src []byte, groups int, width uint, runs, gap int) {
	for ; runs > 1; runs-- {
		unpackKernel(dst, src, groups, width)
		dst, src = dst[groups*8:], src[groups*int(width)+gap:cap(src)]
	}
	unpackKernel(dst, src, groups, width)
}

func testWordsKernel(out []uint64, src []byte, at *steps, width uint, mask *Mask) (largest uint32) {
	for word, to := range at.words(width) {
		var passing [1]uint64
		for i := range 64 {
			c := uint32(get(src[word:cap(src)], i, width))
			if largest = max(largest, c); c < mask.limit && mask.Passes(c) {
				passing[0] |= 1 << i
			}
		}
		bits.Copy(out, to, passing[:], 0, 64)
	}
	return largest
}

func testUnpackedKernel(out []uint64, codes []uint32, words int, mask *Mask) {
	clear(out[:words])
	for i, c := range codes[:words*64] {
		out[i/64] |= highBit(mask.bits, c) >> (63 - i%64)
	}
}

func pickKernel(dst []uint32, src []byte, positions []uint32, width uint, first int, inverse, gapBits uint64) bool {
	for k, p := range positions {
		v := uint64(first + int(p))
		dst[k] = uint32(get(src[v*inverse>>32*gapBits/8:], int(v), width))
	}
	return true
}

func largestKernel(codes []uint32, blocks int) (largest uint32) {
	for _, c := range codes[:blocks*32] {
		largest = max(largest, c)
	}
	return largest
}
