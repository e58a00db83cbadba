package bss

// blocksOf returns how many blocks of 32 values a kernel may put together.
func blocksOf(values int) int {
	if !hasAVX2 {
		return 0
	}
	return max(values, 0) / 32
}

func vectorOfWords[T uint32 | uint64](dst []T, src []byte, stride int) int {
	blocks := blocksOf(len(dst))
	if blocks > 0 {
		blocksOfWords(dst, src, stride, blocks)
	}
	return blocks * 32
}

// vectorBytes goes through up to 256 values once for each 8 bytes, the last
// ones first.
func vectorBytes(dst []byte, size int, src []byte, stride int) int {
	count := len(dst) / size
	if size == 2 {
		blocks := blocksOf(count)
		if blocks > 0 {
			blocks2(dst, src, stride, blocks)
		}
		return blocks * 32
	}
	n := 0
	for {
		blocks := min(blocksOf(count-n-spoilt), 256/32)
		if blocks == 0 {
			return n
		}
		for k := (size - 1) &^ 7; k >= 0; k -= 8 {
			blocksApart(dst[n*size+k:], size, src[k*stride+n:], stride, min(8, size-k), blocks)
		}
		n += blocks * 32
	}
}
