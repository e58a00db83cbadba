package pack

import (
	mathbits "math/bits"
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// many is of how many wanted values of 64 it takes less time to move all than to find those: measured.
const many = 24

// moveSome stores those of src whose bits are set in sel at the front of dst, as far as there is room for one more than are
// wanted of each word. It returns over how many values it went, whole words, and how many are wanted.
func moveSome[T any](dst, src []T, sel []uint64) (done, kept int) {
	for {
		words := min(len(src)-done, len(dst)-kept-1) / 64 // for which there is room, whatever is wanted of them
		if words <= 0 {
			return done, kept
		}
		kept += moveWords(&dst[kept], &src[done], unsafe.SliceData(sel[done/64:][:words]), words)
		done += words * 64
	}
}

// moveWords stores those of words*64 values from src on whose bits are set in sel, and it may be one more. It returns how
// many bits are set. Each value is stored where the next one that is wanted is to stand, so that no branch has to be guessed:
//
//	sel   0 1 0 1
//	src   a b c d
//	dst   a
//	      b
//	        c
//	        d
//
// Bits leave their word as a carry. dst may be src, or stand before it.
func moveWords[T any](dst, src *T, sel *uint64, words int) (kept int) {
	to, from, size := unsafe.Pointer(dst), unsafe.Pointer(src), unsafe.Sizeof(*dst)
	k := uint64(0)
	for i := range words {
		w := mathbits.Reverse64(*(*uint64)(unsafe.Add(unsafe.Pointer(sel), i*8)))
		for j := 0; j < 64; j += 8 {
			v := (*[8]T)(unsafe.Add(from, uintptr(i*64+j)*size))
			*(*T)(unsafe.Add(to, uintptr(k)*size)) = v[0]
			w, k = bits.Shift(w, k)
			*(*T)(unsafe.Add(to, uintptr(k)*size)) = v[1]
			w, k = bits.Shift(w, k)
			*(*T)(unsafe.Add(to, uintptr(k)*size)) = v[2]
			w, k = bits.Shift(w, k)
			*(*T)(unsafe.Add(to, uintptr(k)*size)) = v[3]
			w, k = bits.Shift(w, k)
			*(*T)(unsafe.Add(to, uintptr(k)*size)) = v[4]
			w, k = bits.Shift(w, k)
			*(*T)(unsafe.Add(to, uintptr(k)*size)) = v[5]
			w, k = bits.Shift(w, k)
			*(*T)(unsafe.Add(to, uintptr(k)*size)) = v[6]
			w, k = bits.Shift(w, k)
			*(*T)(unsafe.Add(to, uintptr(k)*size)) = v[7]
			w, k = bits.Shift(w, k)
		}
	}
	return int(k)
}
