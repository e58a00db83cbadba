package encoding

import "github.com/winnow-scan/winnow/internal/invariants"

// within is Within for whole words of sel and lo <= hi.
// Reads 64 values for each word; writes sel.
func within[T Number](sel []uint64, values []T, lo, hi T) {
	if invariants.On {
		invariants.Reads(values[:len(values):len(values)], len(sel)*64)
	}
	withinKernel(sel, values, lo, hi)
}

// vectorPairs is pairs for words*64 > 0 places.
// Reads as many bytes of both; writes nothing.
func vectorPairs(a, b []byte, words int, x, y byte) (found uint64, done int) {
	if invariants.On {
		invariants.Reads(a, words*64)
		invariants.Reads(b, words*64)
	}
	found, left := pairsKernel(a, b, words, x, y)
	return found, (words - left) * 64
}
