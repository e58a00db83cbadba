package rle

import (
	mathbits "math/bits"
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// translate replaces codes by their dictionary entries. The caller has checked that all
// codes are below len(dictionary).
func translate[T any](dst []T, codes []uint32, dictionary []T) {
	dst = dst[:len(codes)]
	done := translateEights(dst, codes, dictionary)
	dst, codes = dst[done:], codes[done:]
	entries := unsafe.Pointer(unsafe.SliceData(dictionary))
	size := unsafe.Sizeof(*new(T))
	// Safe: the caller has checked all codes. Checking each index here would be a third of the work.
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

// translateSome is translate for the codes whose bits are set in sel, many of them. It returns how many these are.
func translateSome[T any](dst []T, codes []uint32, dictionary []T, sel []uint64) (kept int) {
	entries, size := unsafe.Pointer(unsafe.SliceData(dictionary)), unsafe.Sizeof(*new(T))
	for len(codes) > 0 {
		words := min(len(codes), len(dst)-kept-1) / 64 // dst has room for these, even if all are wanted
		if words > 0 {
			to := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), uintptr(kept)*size)
			kept += translateWords[T](to, unsafe.SliceData(codes), entries, unsafe.SliceData(sel[:words]), words)
			codes, sel = codes[words*64:], sel[words:]
			continue
		}
		var some [64]uint32
		var values [65]T
		n := copy(some[:], codes)
		wanted := sel[0] & bits.Low(n)
		k := translateWords[T](unsafe.Pointer(&values), &some[0], entries, &wanted, 1)
		kept += copy(dst[kept:], values[:k])
		codes, sel = codes[n:], sel[1:]
	}
	return kept
}

// translateWords stores the entries of the codes, of words*64, whose bits are set in sel, and maybe one more. It stores each
// at the place of the next wanted one, so that no branch can be mispredicted. Each bit leaves its word as a carry. It returns
// how many bits are set. T holds no pointers.
func translateWords[T any](to unsafe.Pointer, codes *uint32, entries unsafe.Pointer, sel *uint64, words int) (kept int) {
	size := unsafe.Sizeof(*new(T))
	move := func(k uint64, code uint32) { // as in translate
		to, from := unsafe.Add(to, uintptr(k)*size), unsafe.Add(entries, uintptr(code)*size)
		if size == 16 {
			*(*[16]byte)(to) = *(*[16]byte)(from) // in one register
		} else {
			*(*T)(to) = *(*T)(from)
		}
	}
	k := uint64(0)
	for i := range words {
		w := *(*uint64)(unsafe.Add(unsafe.Pointer(sel), i*8))
		if w == ^uint64(0) { // as most words are if few values are not wanted
			for j := 0; j < 64; j += 8 {
				v := (*[8]uint32)(unsafe.Add(unsafe.Pointer(codes), (i*64+j)*4))
				move(k, v[0])
				move(k+1, v[1])
				move(k+2, v[2])
				move(k+3, v[3])
				move(k+4, v[4])
				move(k+5, v[5])
				move(k+6, v[6])
				move(k+7, v[7])
				k += 8
			}
			continue
		}
		w = mathbits.Reverse64(w)
		for j := 0; j < 64; j += 8 {
			v := (*[8]uint32)(unsafe.Add(unsafe.Pointer(codes), (i*64+j)*4))
			move(k, v[0])
			w, k = bits.Shift(w, k)
			move(k, v[1])
			w, k = bits.Shift(w, k)
			move(k, v[2])
			w, k = bits.Shift(w, k)
			move(k, v[3])
			w, k = bits.Shift(w, k)
			move(k, v[4])
			w, k = bits.Shift(w, k)
			move(k, v[5])
			w, k = bits.Shift(w, k)
			move(k, v[6])
			w, k = bits.Shift(w, k)
			move(k, v[7])
			w, k = bits.Shift(w, k)
		}
	}
	return int(k)
}
