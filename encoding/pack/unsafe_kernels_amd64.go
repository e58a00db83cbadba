//go:build !purego

package pack

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// hasAVX2 reports what the kernels of that name need. AVX-512 is used only on
// processors that do not slow down for it: those with VBMI2.
var (
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT && cpu.X86.HasBMI1
	hasAVX512 = hasAVX2 && cpu.X86.HasBMI2 && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VBMI2
	hasFetch  = hasAVX512 && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512BITALG
)

// If at most one in rare values of the first words, a sample, is wanted, values are
// fetched one by one; else stretch words are packed before the next sample. Measured by
// go run ./skips -only='PLAIN int' in internal/compare: Gather of 1 % takes 0.16 (int32) and
// 0.10 (int64) of Next. The neighbours of rare were not recorded.
const (
	sample  = 8
	rare    = 16
	stretch = 64
)

// whole is Values for the first whole words of sel. It returns how many words it did,
// and how many values it kept.
func whole[T any](dst, src []T, sel []uint64) (words, kept int) {
	if !hasAVX2 {
		return 0, 0
	}
	all, size := len(src)/64, unsafe.Sizeof(src[0])
	for words < all && kept < len(dst) {
		to, from, w := unsafe.Pointer(&dst[kept]), unsafe.Pointer(&src[words*64]), &sel[:all][words]
		room, part := len(dst)-kept, all-words
		if hasFetch && part >= 2*sample && (size == 4 || size == 8) {
			if bits.Count(sel, words*64, (words+sample)*64) <= sample*64/rare {
				n, left := fetch(to, from, w, part, room, size)
				if words, kept = all-left, kept+n; left < part {
					continue
				}
			}
			part = min(part, stretch)
		}
		if unsafe.Pointer(&dst[0]) == unsafe.Pointer(&src[0]) {
			room = len(src) - kept + 64 // kernels store nothing beyond what they loaded
		}
		done, n := pack(to, from, w, part, room, size)
		if words, kept = words+done, kept+n; done < part {
			break
		}
	}
	return words, kept
}

// rest is Values for the values that whole left: a part of a word, and words for which dst
// has little room.
func rest[T any](dst, src []T, sel []uint64) (kept int) {
	count := bits.Count(sel, 0, len(src))
	if count == 0 || !hasAVX512 {
		return restGo(dst, src, sel)
	}
	to, from := (*byte)(unsafe.Pointer(&dst[:count][0])), (*byte)(unsafe.Pointer(&src[0]))
	switch unsafe.Sizeof(src[0]) {
	case 1:
		return last1VBMI2(to, from, &sel[0], len(src))
	case 2:
		return last2VBMI2(to, from, &sel[0], len(src))
	case 4:
		return last4AVX512(to, from, &sel[0], len(src))
	case 8:
		return last8AVX512(to, from, &sel[0], len(src))
	case 16:
		return last16AVX512(to, from, &sel[0], len(src))
	}
	return restGo(dst, src, sel)
}

func fetch(dst, src unsafe.Pointer, w *uint64, words, room int, size uintptr) (kept, left int) {
	if size == 4 {
		return fetch4VBMI2((*byte)(dst), room, w, words, (*byte)(src))
	}
	return fetch8VBMI2((*byte)(dst), room, w, words, (*byte)(src))
}

func pack(dst, src unsafe.Pointer, w *uint64, words, room int, size uintptr) (done, kept int) {
	to, from := (*byte)(dst), (*byte)(src)
	switch {
	case size == 1 && hasAVX512:
		return pack1VBMI2(to, from, w, words, room)
	case size == 1:
		return pack1AVX2(to, from, w, words, room)
	case size == 2 && hasAVX512:
		return pack2VBMI2(to, from, w, words, room)
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
