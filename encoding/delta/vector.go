package delta

// Bit w says whether each delta of width w lies in four bytes, and in eight. Bit 63
// stands for 64 bits.
const (
	fourBytes  = 1<<27 - 1 | 1<<28
	eightBytes = 1<<59 - 1 | 1<<60 | 1<<63
)

// kernelFor returns the kernel for miniblocks of these widths and of size deltas at
// the front of packed, and the bytes that the deltas take; none if packed does not hold
// those and the overread.
func kernelFor(packed, widths []byte, size int) (k kernel, bytes int) {
	if !hasAVX2 {
		return none, 0
	}
	set := uint64(0)
	for _, width := range widths {
		bytes += int(width)
		if width < 63 {
			set |= 1 << width
		} else if width != 64 {
			return none, 0
		} else {
			set |= 1 << 63
		}
	}
	bytes *= size / 8
	switch {
	case bytes > len(packed) || bytes+overread > cap(packed):
		return none, 0
	case set&^fourBytes == 0:
		return narrow, bytes
	case set&^eightBytes == 0:
		return wide, bytes
	}
	return none, 0
}
