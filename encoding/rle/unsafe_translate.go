package rle

import (
	mathbits "math/bits"
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// translate replaces codes by their dictionary entries. All codes must have
// been found to be below len(dictionary).
func translate[T any](dst []T, codes []uint32, dictionary []T) {
	dst = dst[:len(codes)]
	done := translateEights(dst, codes, dictionary)
	dst, codes = dst[done:], codes[done:]
	entries := unsafe.Pointer(unsafe.SliceData(dictionary))
	size := unsafe.Sizeof(*new(T))
	// Safe: see above. The check of each index would be a third of the work.
	entry := func(code uint32) T { return *(*T)(unsafe.Add(entries, uintptr(code)*size)) }
	for len(codes) >= 8 && len(dst) >= 8 {
		c, out := codes[:8:8], dst[:8:8]
		out[0], out[1], out[2], out[3] = entry(c[0]), entry(c[1]), entry(c[2]), entry(c[3])
		out[4], out[5], out[6], out[7] = entry(c[4]), entry(c[5]), entry(c[6]), entry(c[7])
		codes, dst = codes[8:], dst[8:]
	}
	for i, c := range codes {
		dst[i] = dictionary[c]
	}
}

// translateWord is translate for those codes whose bits are set in w, and it may store one more: each entry goes where
// the next one that is wanted is to stand, so that no branch has to be guessed. Bits leave w as a carry. It
// returns how many are set.
func translateWord[T any](dst *T, codes *[64]uint32, dictionary []T, w uint64) (kept int) {
	entries, to := unsafe.Pointer(unsafe.SliceData(dictionary)), unsafe.Pointer(dst)
	size := unsafe.Sizeof(*dst)
	entry := func(code uint32) T { return *(*T)(unsafe.Add(entries, uintptr(code)*size)) } // as in translate
	w = mathbits.Reverse64(w)
	k := uint64(0)
	for i := 0; i < len(codes); i += 8 {
		v := (*[8]uint32)(codes[i:])
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = entry(v[0])
		w, k = bits.Shift(w, k)
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = entry(v[1])
		w, k = bits.Shift(w, k)
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = entry(v[2])
		w, k = bits.Shift(w, k)
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = entry(v[3])
		w, k = bits.Shift(w, k)
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = entry(v[4])
		w, k = bits.Shift(w, k)
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = entry(v[5])
		w, k = bits.Shift(w, k)
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = entry(v[6])
		w, k = bits.Shift(w, k)
		*(*T)(unsafe.Add(to, uintptr(k)*size)) = entry(v[7])
		w, k = bits.Shift(w, k)
	}
	return int(k)
}
