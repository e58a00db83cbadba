package rle

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// codeRunsGo decodes whole runs in n bytes of src, of at most left codes in all. It stops at an invalid run, and at one
// that repeats a code more often than longest.
func codeRunsGo[C narrow | uint32](dst []C, src []byte, longest, n, left, width, limit int) (at, done int) {
	for at+6 <= n { // two of header, four of value
		count, packed, start := shortHeader(src, at)
		if packed {
			end := start + count*width
			if count == 0 || count*8 > left-done || end > n {
				break
			}
			for i := range count * 8 {
				dst[done+i] = C(bitpack.Get(src[start:end], i, uint(width)))
			}
			at, done = end, done+count*8
			continue
		}
		size := (width + 7) / 8
		value := 0
		for i := range size {
			value |= int(src[start+i]) << (8 * i)
		}
		if count == 0 || count > min(longest, left-done) || value >= limit {
			break
		}
		fill(dst[done:][:count], C(value))
		at, done = start+size, done+count
	}
	return at, done
}

// packedCodesGo unpacks sixtyFours*64 codes; some of them may lie after the end of the run.
func packedCodesGo[C narrow](dst []C, src []byte, sixtyFours, width int) {
	for i := range dst[:sixtyFours*64] {
		if bitpack.Size(i+1, uint(width)) > len(src) {
			break
		}
		dst[i] = C(bitpack.Get(src, i, uint(width)))
	}
}

func largestOf[C narrow | uint32](codes []C) (largest uint32) {
	for _, c := range codes {
		largest = max(largest, uint32(c))
	}
	return largest
}

// keepCodesGo moves the codes, of n, whose bits are set to the front.
func keepCodesGo[C narrow](codes []C, sel []uint64, n int) (kept int, largest uint32) {
	largest = largestOf(codes[:n])
	for i, w := range sel[:bits.Words(n)] {
		for ; w != 0; w &= w - 1 {
			p := i*64 + mathbits.TrailingZeros64(w)
			if p >= n {
				break
			}
			codes[kept] = codes[p]
			kept++
		}
	}
	return kept, largest
}

func translateGo[T any, C narrow | uint32](dst []T, codes []C, dictionary []T) {
	for i, c := range codes {
		dst[i] = dictionary[c]
	}
}
