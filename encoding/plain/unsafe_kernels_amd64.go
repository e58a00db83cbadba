//go:build !purego

package plain

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding"
)

// vectorGather goes through some of the words of sel, all of whose values are
// in body, and returns how many words, and how many values it stored.
func vectorGather[T encoding.Number](dst []T, body []byte, sel []uint64) (words, kept int) {
	if !cpu.X86.HasBMI1 || !cpu.X86.HasPOPCNT || len(dst) == 0 || len(sel) == 0 {
		return 0, 0
	}
	to := unsafe.Pointer(&dst[0]) // as unsigned integers of the same size
	if sizeOf[T]() == 4 {
		return gather4BMI((*uint32)(to), &body[0], &sel[0], len(sel), len(dst))
	}
	return gather8BMI((*uint64)(to), &body[0], &sel[0], len(sel), len(dst))
}

// prefetch asks for bytes that will be read soon.
func prefetch(b []byte) {
	if len(b) >= 64 {
		prefetchLines(&b[0], len(b)/64)
	}
}

// vectorBits stores a byte 0 or 1 for bits of src, as many as it can.
func vectorBits(dst, src []byte) int {
	groups := len(dst) / 32
	if !cpu.X86.HasAVX2 || groups == 0 {
		return 0
	}
	_ = src[groups*4-1]
	expandBitsAVX2(&dst[0], &src[0], groups)
	return groups * 32
}
