package bitpack

// Test tests n codes of at most 32 bits against a mask and stores the outcome
// as the first n bits of out: bit i is bit c of mask for code number i, c. The
// bits behind them in the last word become 0. It returns the largest code.
//
// The mask has one bit for each code below limit, limit > 0. If the largest
// code is limit or more, what is stored means nothing.
func Test(out []uint64, n int, src []byte, width uint, mask []uint64, limit uint32) (largest uint32) {
	src = src[:Size(n, width):cap(src)]
	done, largest := vectorTest(out, n, src, width, mask, limit)
	var codes [64]uint32
	for ; done < n; done += 64 {
		some := codes[:min(64, n-done)]
		Unpack32(some, src[Size(done, width):], width)
		word, big := test(some, mask, limit-1)
		out[done/64] = word
		largest = max(largest, big)
	}
	return largest
}

// test tests at most 64 codes. One beyond last is tested as last.
func test(codes []uint32, mask []uint64, last uint32) (word uint64, largest uint32) {
	for _, c := range codes {
		largest = max(largest, c)
		c = min(c, last)
		word = word>>1 | mask[c/64]>>(c%64)<<63
	}
	return word >> (64 - uint(len(codes))), largest
}
