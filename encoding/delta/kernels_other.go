//go:build !amd64 || purego

package delta

import (
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// With the tag invariants, twins in Go take the place of kernels, so that their callers are tested on every machine.
// Those of kernels that may stop anywhere do so at once.
const (
	hasAVX2, hasBlocks = invariants.On, invariants.On
	hasVBMI            = invariants.On
)

func rareStrings() int { return 4 }

// deltas iterates over those of miniblocks of size each.
func deltas(packed, widths []byte, size int) func(yield func(i int, delta uint64) bool) {
	return func(yield func(i int, delta uint64) bool) {
		for m, width := range widths {
			for i := range size {
				if !yield(m*size+i, bitpack.Get(packed[:cap(packed)], i, uint(width))) {
					return
				}
			}
			packed = packed[size/8*int(width) : cap(packed)]
		}
	}
}

func decodeKernel[T integer](_ kernel, dst []T, packed, widths []byte, size int, least, last T) T {
	for i, delta := range deltas(packed, widths, size) {
		last += least + T(delta)
		dst[i] = last
	}
	return last
}

func (k kernel) sumKernel(packed, widths []byte, size int) (sum uint64) {
	for _, delta := range deltas(packed, widths, size) {
		sum += delta
	}
	return sum
}

func sumBothKernel(packed, widths []byte, size int) (sum, sums uint32) {
	for _, delta := range deltas(packed, widths, size) {
		sum += uint32(delta)
		sums += sum
	}
	return sum, sums
}

func blocksSumKernel(_ []byte, n, _ int) (bytes, left int, least, deltas uint64) { return 0, n, 0, 0 }

func blocksSumsKernel(_ []byte, n, _ int) (bytes, left int, sum, sums uint32) { return 0, n, 0, 0 }

func blocksDecodeKernel[T integer](_ []T, _ []byte, n, _ int, last T) (bytes, left int, end T) {
	return 0, n, last
}

func blocksKeepKernel[T integer](_ []T, _ []uint64, _ []byte, n, _ int, last T) (bytes, left int, end T, kept int) {
	return 0, n, last, 0
}

func blocksWithinKernel[T integer](_ []uint64, _ []byte, n, _ int, last, _, _ T) (bytes, left int, end T) {
	return 0, n, last
}

func makeViewsKernel(_ []bits.View, _ []int32, _ int, _ []byte, at, _ int, _ int32) (done, end int) {
	return 0, at
}

func makeSomeKernel(_ []bits.View, _, _ []int32, _ []uint64, _ int, _ []byte, at, _ int, _ int32) (done, end, kept int) {
	return 0, at, 0
}

func sumEightsKernel(lengths []int32, groups int) (sum int64, signs int32) {
	for _, length := range lengths[:groups*8] {
		sum += int64(length)
		signs |= length
	}
	return sum, signs
}

func joinShortKernel([]bits.View, *shares, int, int, *splicer, []byte, int, []byte, int, int32) (done int) {
	return 0
}

func joinViewsKernel(dst []bits.View, s *shares, i, n int, state *splicer, out []byte, outLimit int, body []byte, bodyLimit int, buffer int32) (done int) {
	return joinGo(dst, 0, s, i, n, state, out, outLimit, body, bodyLimit, buffer)
}

func joinFixedKernel(size int, s *shares, i, n int, state *splicer, out []byte, outLimit int, body []byte, bodyLimit int) (done int) {
	return joinGo(nil, size, s, i, n, state, out, outLimit, body, bodyLimit, 0)
}
