package bits

import "github.com/winnow-scan/winnow/internal/invariants"

// wholePositions is Positions for whole words, counted from base, as long as
// dst has room for a few more. It returns how many words are left.
// Reads b; writes dst: the kernel gets the lengths of both, and stops where there is no room for Spare more.
func wholePositions(dst []uint32, b []uint64, base int) (n, left int) {
	if len(b) == 0 || len(dst) == 0 {
		return 0, len(b)
	}
	return positionsKernel(dst, b, base)
}

// countFours returns the number of bits set in fours*4 words, fours > 0.
// Reads these; writes nothing.
func countFours(b []uint64, fours int) int {
	if invariants.On {
		invariants.Reads(b, fours*4)
	}
	return countKernel(b, fours)
}

// wholeAtLeast is AtLeast for words of 64 levels each.
// Reads these levels; writes dst.
func wholeAtLeast(dst []uint64, levels []uint8, c uint8) {
	if invariants.On {
		invariants.Reads(levels[:len(levels):len(levels)], len(dst)*64)
	}
	atLeastKernel(dst, levels, c)
}
