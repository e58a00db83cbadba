//go:build !purego

package pack

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasAVX2 stands for what the kernels of that name need. AVX-512 is only used
// where processors do not slow down for it: those that have VBMI2.
var (
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT && cpu.X86.HasBMI1
	hasAVX512 = hasAVX2 && cpu.X86.HasBMI2 && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VBMI2
)

// whole is Values for the first whole words of sel. It returns for how many it
// did it, and how many values these kept.
func whole[T any](dst, src []T, sel []uint64) (words, kept int) {
	words = len(src) / 64
	if words == 0 || len(dst) == 0 || !hasAVX2 {
		return 0, 0
	}
	to, from, w, room := (*byte)(unsafe.Pointer(&dst[0])), (*byte)(unsafe.Pointer(&src[0])), &sel[:words][0], len(dst)
	if to == from {
		room = len(src) + 64 // what kernels store is never behind what they loaded
	}
	switch size := unsafe.Sizeof(src[0]); {
	case size == 1:
		return pack1AVX2(to, from, w, words, room)
	case size == 4 && hasAVX512:
		return pack4AVX512(to, from, w, words, room)
	case size == 4:
		return pack4AVX2(to, from, w, words, room)
	case size == 8 && hasAVX512:
		return pack8AVX512(to, from, w, words, room)
	case size == 8:
		return pack8AVX2(to, from, w, words, room)
	case size == 16 && hasAVX512:
		return pack16AVX512(to, from, w, words, room)
	case size == 16:
		return pack16AVX2(to, from, w, words, room)
	}
	return 0, 0
}
