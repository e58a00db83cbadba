//go:build !amd64 || purego

package bits

import (
	"math/bits"

	"github.com/winnow-scan/winnow/internal/invariants"
)

// hasBMI says, with the tag invariants, that twins in Go take the place of kernels, so that their callers are tested
// on every machine.
const hasBMI = invariants.On

func compress(x, m uint64) uint64 { return compressGo(x, m) }
func deposit(x, m uint64) uint64  { return depositGo(x, m) }

func positionsKernel(dst []uint32, b []uint64, base int) (n, left int) {
	return wholePositionsGo(dst, b, base)
}

func countKernel(b []uint64, fours int) (n int) {
	for _, w := range b[:fours*4] {
		n += bits.OnesCount64(w)
	}
	return n
}

func atLeastKernel(dst []uint64, levels []uint8, c uint8) { wholeAtLeastGo(dst, levels, c) }
