package pack

// LookUp sets dst to the entries at codes. Every code must be below the number of entries.
func LookUp[T any](dst, entries []T, codes []uint32) {
	dst = dst[:len(codes)]
	for i, c := range codes {
		dst[i] = entries[c]
	}
}
