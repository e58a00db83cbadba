package delta

import (
	mathbits "math/bits"
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// sumUpKept is sumUp for a multiple of 8 deltas, at most 64. It keeps the values whose bits are set in w; each is stored
// at the place of the next wanted one, as in package pack. It also returns how many it kept.
func sumUpKept[T integer](deltas []T, least, last T, w uint64) (kept int, _ T) {
	to, size := unsafe.Pointer(unsafe.SliceData(deltas)), unsafe.Sizeof(last)
	w = mathbits.Reverse64(w)
	k := uint64(0)
	for ; len(deltas) >= 8; deltas = deltas[8:] {
		v := (*[8]T)(deltas)
		last += v[0] + least
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = last
		w, k = bits.Shift(w, k)
		last += v[1] + least
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = last
		w, k = bits.Shift(w, k)
		last += v[2] + least
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = last
		w, k = bits.Shift(w, k)
		last += v[3] + least
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = last
		w, k = bits.Shift(w, k)
		last += v[4] + least
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = last
		w, k = bits.Shift(w, k)
		last += v[5] + least
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = last
		w, k = bits.Shift(w, k)
		last += v[6] + least
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = last
		w, k = bits.Shift(w, k)
		last += v[7] + least
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = last
		w, k = bits.Shift(w, k)
	}
	return int(k), last
}
