//go:build !purego

package bits

// hasBMI says whether there are POPCNT, TZCNT, BLSR, PEXT and PDEP. The first
// processors that had them all and were slow at the last two were no slower
// than the code in Go.
var hasBMI = detect()

func detect() bool {
	const popcnt, bmi1, bmi2 = 1 << 23, 1 << 3, 1 << 8
	if leaves, _, _ := cpuid(0, 0); leaves < 7 {
		return false
	}
	_, _, ecx := cpuid(1, 0)
	_, ebx, _ := cpuid(7, 0)
	return ecx&popcnt != 0 && ebx&bmi1 != 0 && ebx&bmi2 != 0
}

func compress(x, m uint64) uint64 {
	if hasBMI {
		return pext(x, m)
	}
	return compressGo(x, m)
}

func deposit(x, m uint64) uint64 {
	if hasBMI {
		return pdep(x, m)
	}
	return depositGo(x, m)
}

// wholePositions is Positions for whole words, counted from base.
func wholePositions(dst []uint32, b []uint64, base int) int {
	n := 0
	if hasBMI && len(b) > 0 && len(dst) > 0 {
		var left int
		n, left = positionsBMI(&dst[0], len(dst), &b[0], len(b), uint32(base))
		base += (len(b) - left) * 64
		b = b[len(b)-left:]
	}
	return n + wholePositionsGo(dst[n:], b, base)
}

// countWhole returns the number of bits set in the first words, and how many
// words that are.
func countWhole(b []uint64) (n, words int) {
	if fours := len(b) / 4; hasBMI && fours > 0 {
		return countBMI(&b[0], fours), fours * 4
	}
	return 0, 0
}
