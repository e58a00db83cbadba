//go:build !purego

package bits

// hasBMI stands for POPCNT, TZCNT and BLSR, fastPEXT for PEXT and PDEP done by
// hardware, hasAVX2 for that.
var hasBMI, fastPEXT, hasAVX2 = detect()

// Deposits reports whether PDEP is done by hardware.
func Deposits() bool { return fastPEXT }

func detect() (bmi, pext, avx2 bool) {
	const popcnt, bmi1, bmi2 = 1 << 23, 1 << 3, 1 << 8
	leaves, vendor, _, _ := cpuid(0, 0)
	if leaves < 7 {
		return false, false, false
	}
	version, _, ecx, _ := cpuid(1, 0)
	_, ebx, _, _ := cpuid(7, 0)
	bmi = ecx&popcnt != 0 && ebx&bmi1 != 0
	// AMD's processors before Zen 3, family 0x19, take up to 300 cycles.
	const authenticAMD, hygonGenuine = 0x68747541, 0x6f677948 // first four letters
	family := version>>8&15 + version>>20&255
	slow := (vendor == authenticAMD || vendor == hygonGenuine) && family < 0x19
	const saves, ymm = 1 << 27, 0x6
	var saved uint32
	if ecx&saves != 0 {
		saved = xgetbv()
	}
	avx2 = ebx&(1<<5) != 0 && saved&ymm == ymm
	return bmi, bmi && ebx&bmi2 != 0 && !slow, avx2
}

func compress(x, m uint64) uint64 {
	if fastPEXT {
		return pextBMI2(x, m)
	}
	return compressGo(x, m)
}

func deposit(x, m uint64) uint64 {
	if fastPEXT {
		return pdepBMI2(x, m)
	}
	return depositGo(x, m)
}

func positionsKernel(dst []uint32, b []uint64, base int) (n, left int) {
	if !hasBMI {
		return wholePositionsGo(dst, b, base)
	}
	return positionsBMI(&dst[0], len(dst), &b[0], len(b), uint32(base))
}

func countKernel(b []uint64, fours int) int { return countBMI(&b[0], fours) }

func atLeastKernel(dst []uint64, levels []uint8, c uint8) {
	if !hasAVX2 || len(dst) == 0 {
		wholeAtLeastGo(dst, levels, c)
		return
	}
	levels = levels[:len(dst)*64]
	atLeastAVX2(&dst[0], &levels[0], len(dst), c)
}
