package pack

// LookUp sets dst to the entries at codes. Every code must be below the number of entries.
func LookUp[T any](dst, entries []T, codes []uint32) {
	dst = dst[:len(codes)]
	for i, c := range codes {
		dst[i] = entries[c]
	}
}

// LookUpFixed stores the entries at codes, of width bytes each, in dst, one after the other. Every code must
// be below the number of entries. Values are moved in words; the last word overlaps the one before if the size is no
// multiple of a word's.
func LookUpFixed(dst, entries []byte, width int, codes []uint32) {
	dst = dst[:len(codes)*width]
	switch {
	case width == 16: // decimals and UUIDs
		for i, c := range codes {
			*(*[16]byte)(dst[i*16:]) = *(*[16]byte)(entries[int(c)*16:])
		}
	case width >= 8:
		last := width - 8
		for _, c := range codes {
			from, to := entries[int(c)*width:][:width], dst[:width]
			for k := 0; k < last; k += 8 {
				*(*[8]byte)(to[k:]) = *(*[8]byte)(from[k:])
			}
			*(*[8]byte)(to[last:]) = *(*[8]byte)(from[last:])
			dst = dst[width:]
		}
	case width >= 4:
		last := width - 4
		for _, c := range codes {
			from, to := entries[int(c)*width:][:width], dst[:width]
			*(*[4]byte)(to) = *(*[4]byte)(from)
			*(*[4]byte)(to[last:]) = *(*[4]byte)(from[last:])
			dst = dst[width:]
		}
	case width == 2: // FLOAT16
		for i, c := range codes {
			*(*[2]byte)(dst[i*2:]) = *(*[2]byte)(entries[int(c)*2:])
		}
	default:
		for i, c := range codes {
			copy(dst[i*width:][:width], entries[int(c)*width:])
		}
	}
}
