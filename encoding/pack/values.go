package pack

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Values stores those of src whose bits are set in sel, in their order, at the
// front of dst, and returns how many they are. What is behind them in dst may
// be overwritten. dst may be the front of src, but must not overlap it otherwise.
func Values[T any](dst, src []T, sel []uint64) int {
	words, kept := whole(dst, src, sel)
	if words*64 < len(src) {
		kept += rest(dst[kept:], src[words*64:], sel[words:])
	}
	return kept
}

// restGo is Values word by word.
func restGo[T any](dst, src []T, sel []uint64) (kept int) {
	for at := 0; at < len(src); at += 64 {
		kept += some(dst[kept:], src[at:min(at+64, len(src))], sel[at/64])
	}
	return kept
}

// some is Values for up to 64 of them.
func some[T any](dst, src []T, w uint64) int {
	all := bits.Low(len(src))
	if w &= all; w == all {
		return copy(dst[:len(src)], src)
	}
	dst = dst[:mathbits.OnesCount64(w)]
	for k := range dst {
		dst[k] = src[mathbits.TrailingZeros64(w)]
		w &= w - 1
	}
	return len(dst)
}
