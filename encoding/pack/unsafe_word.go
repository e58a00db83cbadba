package pack

import (
	mathbits "math/bits"
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// many is of how many wanted values of 64 it takes less time to move all than to find those: measured.
const many = 24

// word stores those of src whose bits are set in w at dst, and it may be one more. It returns how many bits are set.
// Each value is stored where the next one that is wanted is to stand, so that no branch has to be guessed:
//
//	w     0 1 0 1
//	src   a b c d
//	dst   a
//	      b
//	        c
//	        d
//
// Bits leave w as a carry. There must be room for one more than is wanted. dst may be src, or stand before it.
func word[T any](dst *T, src *[64]T, w uint64) (kept int) {
	to, size := unsafe.Pointer(dst), unsafe.Sizeof(*dst)
	w = mathbits.Reverse64(w)
	k := uint64(0)
	for i := 0; i < len(src); i += 8 {
		v := (*[8]T)(src[i:])
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
	return int(k)
}
