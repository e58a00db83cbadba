//go:build !purego

package vector

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// keepWords moves values whose bits are set in whole words of sel to the
// front, in place, and returns for how many words it did and how many values
// these kept.
func keepWords[T any](values []T, sel []uint64) (words, kept int) {
	words = len(values) / 64
	if words == 0 || !cpu.X86.HasAVX2 || !cpu.X86.HasPOPCNT {
		return 0, 0
	}
	first, bits := (*byte)(unsafe.Pointer(&values[0])), &sel[:words][0]
	switch unsafe.Sizeof(values[0]) {
	case 1:
		return words, keep1AVX2(first, bits, words)
	case 4:
		return words, keep4AVX2(first, bits, words)
	case 8:
		return words, keep8AVX2(first, bits, words)
	case 16:
		return words, keep16AVX2(first, bits, words)
	}
	return 0, 0
}
