package pack

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Values stores the values of src whose bits are set in sel, in their order, at the
// front of dst, and returns how many they are. It may overwrite entries of dst after
// them. dst may be the front of src, but must not overlap it otherwise.
func Values[T any](dst, src []T, sel []uint64) int {
	words, kept := whole(dst, src, sel)
	if words*64 < len(src) {
		kept += rest(dst[kept:], src[words*64:], sel[words:])
	}
	return kept
}

// rest is Values without a kernel: of the values that whole left, a part of a word, and words for which dst has little
// room, or of all.
func rest[T any](dst, src []T, sel []uint64) (kept int) {
	const block = 1024
	for len(src) > 0 {
		n := min(block, len(src))
		count, out, at, k := bits.Count(sel, 0, n), dst[kept:], 0, 0
		switch {
		case rarely*(n-count) < n:
			for from, to := range bits.Runs(sel, n) {
				k += copy(out[k:], src[from:to])
			}
			at = n
		case count*64 >= n*many:
			at, k = moveSome(out, src[:n], sel)
		}
		for ; at < n; at += 64 {
			k += some(out[k:], src[at:min(at+64, n)], sel[at/64])
		}
		kept += count
		src, sel = src[n:], sel[bits.Words(n):]
	}
	return kept
}

// rarely makes Values copy whole runs of wanted values if less than one in so many is not wanted. Chosen by BenchmarkValues
// in pure Go; the figures of its neighbours were not kept.
const rarely = 32

// some is Values for up to 64 values.
func some[T any](dst, src []T, w uint64) int {
	w &= bits.Low(len(src))
	dst = dst[:mathbits.OnesCount64(w)]
	for k := range dst {
		dst[k] = src[mathbits.TrailingZeros64(w)]
		w &= w - 1
	}
	return len(dst)
}
