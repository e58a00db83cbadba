//go:build !purego

package bits

// hasBMI stands for POPCNT, TZCNT and BLSR, fastPEXT for PEXT and PDEP done by hardware.
var hasBMI, fastPEXT = detect()

func detect() (bmi, pext bool) {
	const popcnt, bmi1, bmi2 = 1 << 23, 1 << 3, 1 << 8
	leaves, vendor, _ := cpuid(0, 0)
	if leaves < 7 {
		return false, false
	}
	version, _, ecx := cpuid(1, 0)
	_, ebx, _ := cpuid(7, 0)
	bmi = ecx&popcnt != 0 && ebx&bmi1 != 0
	// AMD's processors before Zen 3, family 0x19, take up to 300 cycles.
	const authenticAMD, hygonGenuine = 0x68747541, 0x6f677948 // first four letters
	family := version>>8&15 + version>>20&255
	slow := (vendor == authenticAMD || vendor == hygonGenuine) && family < 0x19
	return bmi, bmi && ebx&bmi2 != 0 && !slow
}

func compress(x, m uint64) uint64 {
	if fastPEXT {
		return pext(x, m)
	}
	return compressGo(x, m)
}

func deposit(x, m uint64) uint64 {
	if fastPEXT {
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
