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

// sumValues returns the sum of the deltas, and the sum of the sums up to each, both with wrap-around, if the kernel can.
func (k kernel) sumValues(packed, widths []byte, size int) (sum, sums uint32, ok bool) {
	if k != narrow {
		return 0, 0, false
	}
	sum, sums = k.sumBoth(packed, widths, size)
	return sum, sums, true
}

// canPass reports whether the kernels for many blocks can do these: n blocks of minis
// miniblocks of size deltas at the front of body.
func canPass(body []byte, n, minis, size int) bool {
	return n > 0 && minis == 4 && size%32 == 0 && len(body) >= 64
}

// sumBlocks steps over up to n blocks at the front of body, of minis miniblocks of size
// deltas. It stops at a block that is not of the usual form. It returns how many blocks
// and bytes it passed, and the sum of their differences.
func sumBlocks(body []byte, n, minis, size int) (blocks, bytes int, sum uint64) {
	if !canPass(body, n, minis, size) {
		return 0, 0, 0
	}
	bytes, left, least, deltas := blocksSum(body, n, size)
	blocks = n - left
	return blocks, bytes, least*uint64(minis*size) + deltas
}

// decodeBlocks stores the values of up to n blocks, where sumBlocks would only add, and
// returns the last.
func decodeBlocks[T integer](dst []T, body []byte, n, minis, size int, last T) (blocks, bytes int, end T) {
	if !canPass(body, n, minis, size) {
		return 0, 0, last
	}
	dst = dst[:n*minis*size]
	bytes, left, end := blocksDecode(dst, body, n, size, last)
	return n - left, bytes, end
}

// keepBlocks is decodeBlocks for the values whose bits are set in sel. It also returns
// how many they are; dst has room for all values of the blocks.
func keepBlocks[T integer](dst []T, sel []uint64, body []byte, n, minis, size int, last T) (blocks, bytes int, end T, kept int) {
	if !canPass(body, n, minis, size) {
		return 0, 0, last, 0
	}
	dst, sel = dst[:n*minis*size], sel[:n*minis*size/64]
	bytes, left, end, kept := blocksKeep(dst, sel, body, n, size, last)
	return n - left, bytes, end, kept
}

// withinBlocks tests the values of up to n blocks instead of storing them: it clears in
// sel the bit of each that is not lo <= value <= hi, where lo <= hi.
func withinBlocks[T integer](sel []uint64, body []byte, n, minis, size int, last, lo, hi T) (blocks, bytes int, end T) {
	if !canPass(body, n, minis, size) {
		return 0, 0, last
	}
	sel = sel[:n*minis*size/64]
	bytes, left, end := blocksWithin(sel, body, n, size, last, lo, hi)
	return n - left, bytes, end
}

// sumBlockValues is sumBlocks that also returns the sum of all deltas, and the sum of
// the sums up to each, with wrap-around.
func sumBlockValues(body []byte, n, minis, size int) (blocks, bytes int, sum, sums uint32) {
	if !canPass(body, n, minis, size) {
		return 0, 0, 0, 0
	}
	bytes, left, sum, sums := blocksSums(body, n, size)
	return n - left, bytes, sum, sums
}
