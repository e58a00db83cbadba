package bitpack

// Test tests n codes of at most 32 bits against a mask and stores the outcome
// as the first n bits of out: bit i is bit c of mask for code number i, c. The
// bits behind them in the last word become 0. It returns the largest code.
//
// The mask has one bit for each code below limit, limit > 0. If the largest
// code is limit or more, what is stored means nothing.
func Test(out []uint64, n int, src []byte, width uint, mask []uint64, limit uint32) (largest uint32) {
	src = src[:Size(n, width):cap(src)]
	done, largest := vectorTest(out, n, src, width, mask)
	var buffer [1024]uint32
	for done < n {
		codes := buffer[:min(len(buffer), n-done)]
		Unpack32(codes, src[Size(done, width):], width)
		largest = max(largest, Largest(codes))
		if largest >= limit {
			return largest
		}
		test(out[done/64:], codes, mask)
		done += len(codes)
	}
	return largest
}

// test tests codes for which there are bits in the mask.
func test(out []uint64, codes []uint32, mask []uint64) {
	done := testUnpacked(out, codes, mask)
	out, codes = out[done/64:], codes[done:]
	for ; len(codes) >= 64; codes = codes[64:] {
		block := (*[64]uint32)(codes)
		var a, b, c, d uint64 // four short chains instead of one long
		for i := range 16 {
			a = a>>1 | bit(mask, block[i])
			b = b>>1 | bit(mask, block[i+16])
			c = c>>1 | bit(mask, block[i+32])
			d = d>>1 | bit(mask, block[i+48])
		}
		out[0] = a>>48 | b>>32 | c>>16 | d
		out = out[1:]
	}
	if len(codes) > 0 {
		var word uint64
		for _, c := range codes {
			word = word>>1 | bit(mask, c)
		}
		out[0] = word >> (64 - uint(len(codes)))
	}
}

// bit returns bit c of the mask as the highest of a word.
func bit(mask []uint64, c uint32) uint64 { return mask[c/64] >> (c % 64) << 63 }
