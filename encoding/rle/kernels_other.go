//go:build !amd64 || purego

package rle

import (
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// With the tag invariants, twins in Go take the place of kernels, so that their callers are tested on every machine.
const hasLookup, hasBytes, hasNarrow = invariants.On, invariants.On, invariants.On

func runsKernel(dst []uint32, src []byte, longest, n, left, width, limit int) (at, done int, largest uint32) {
	at, done = codeRunsGo(dst, src, longest, n, left, width, limit)
	return at, done, largestOf(dst[:done])
}

func shortBytesKernel(dst, src []byte, longest, n, left, width, limit int) (at, done int) {
	return codeRunsGo(dst, src, longest, n, left, width, limit)
}

func narrowRunsKernel[C narrow](dst []C, src []byte, longest, n, left, width, limit int) (at, done int) {
	return codeRunsGo(dst, src, longest, n, left, width, limit)
}

func packedKernel[C narrow](dst []C, src []byte, sixtyFours, width int) {
	packedCodesGo(dst, src, sixtyFours, width)
}

func largestKernel[C narrow](codes []C) uint32 { return largestOf(codes) }

func keepKernel[C narrow](codes []C, sel []uint64, n int) (kept int, largest uint32) {
	return keepCodesGo(codes, sel, n)
}

// lookupKernel is lookupNext, but for at most 1024 codes of runs.
func lookupKernel[T any](dst []T, src []byte, dictionary []T, groups, n, left, width, limit int) (at, done int, largest uint32) {
	var codes [1024]uint32
	for i := range groups * 8 {
		c := uint32(bitpack.Get(src[:n], i, uint(width)))
		if largest = max(largest, c); c < uint32(limit) {
			dst[i] = dictionary[c]
		}
	}
	at, done = groups*width, groups*8
	if largest >= uint32(limit) || left <= done {
		return at, done, largest
	}
	on, more := codeRunsGo(codes[:], src[at:], left, n-at, min(left-done, len(codes)), width, limit)
	if largest = max(largest, largestOf(codes[:more])); largest < uint32(limit) {
		translateGo(dst[done:], codes[:more], dictionary)
	}
	return at + on, done + more, largest
}

func translateKernel[T any](dst []T, codes []uint32, dictionary []T, eights int) {
	translateGo(dst, codes[:eights*8], dictionary)
}

func translateNarrowKernel[T any, C narrow](dst []T, codes []C, dictionary []T, sixteens int) {
	translateGo(dst, codes[:sixteens*16], dictionary)
}
