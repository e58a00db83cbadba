package rle

import "unsafe"

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
