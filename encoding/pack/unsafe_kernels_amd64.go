//go:build !purego

package pack

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasAVX2 reports what the kernels of that name need. AVX-512 is used only on
// processors that do not slow down for it: those with VBMI2.
var (
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT && cpu.X86.HasBMI1
	hasAVX512 = hasAVX2 && cpu.X86.HasBMI2 && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VBMI2
	hasFetch  = hasAVX512 && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512BITALG
)

func first[T any](v []T) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(v))) }

func fetchKernel[T any](dst, src []T, sel []uint64, words, room int) (kept, left int) {
	to, from := first(dst), first(src)
	if unsafe.Sizeof(dst[0]) == 4 {
		return fetch4VBMI2(to, room, &sel[0], words, from)
	}
	return fetch8VBMI2(to, room, &sel[0], words, from)
}

func packKernel[T any](dst, src []T, sel []uint64, words, room int) (done, kept int) {
	to, from, w := first(dst), first(src), &sel[0]
	switch size := unsafe.Sizeof(dst[0]); {
	case size == 1 && hasAVX512:
		return pack1VBMI2(to, from, w, words, room)
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
	case size == 16:
		return pack16AVX2(to, from, w, words, room)
	}
	return 0, 0
}
