//go:build !purego

package bits

// hasBMI stands for POPCNT, TZCNT and BLSR, fastPEXT for PEXT and PDEP done by
// hardware, hasAVX2 for that, hasPlaces for what FindsPlaces says, hasCounts
// for VPOPCNTQ beside it.
var hasBMI, fastPEXT, hasAVX2, hasPlaces, hasCounts = detect()

// FindsPlaces reports whether the processor has what kernels take that
// internal/tools/places writes, here and elsewhere.
func FindsPlaces() bool { return hasPlaces }

// Deposits reports whether PDEP is done by hardware.
func Deposits() bool { return fastPEXT }

func detect() (bmi, pext, avx2, places, counts bool) {
	const popcnt, bmi1, bmi2 = 1 << 23, 1 << 3, 1 << 8
	leaves, vendor, _, _ := cpuid(0, 0)
	if leaves < 7 {
		return false, false, false, false, false
	}
	version, _, ecx, _ := cpuid(1, 0)
	_, ebx, more, _ := cpuid(7, 0)
	bmi = ecx&popcnt != 0 && ebx&bmi1 != 0
	// AMD's processors before Zen 3, family 0x19, take up to 300 cycles.
	const authenticAMD, hygonGenuine = 0x68747541, 0x6f677948 // first four letters
	family := version>>8&15 + version>>20&255
	slow := (vendor == authenticAMD || vendor == hygonGenuine) && family < 0x19
	const saves, ymm, zmm = 1 << 27, 0x6, 0xe6
	var saved uint32
	if ecx&saves != 0 {
		saved = xgetbv()
	}
	avx2 = ebx&(1<<5) != 0 && saved&ymm == ymm
	const fBWVL, vbmiBITALG, vpopcntdq = 1<<16 | 1<<30 | 1<<31, 1<<1 | 1<<6 | 1<<12, 1 << 14 // of AVX-512, VBMI2 too
	places = bmi && avx2 && ebx&bmi2 != 0 && ebx&fBWVL == fBWVL && more&vbmiBITALG == vbmiBITALG && saved&zmm == zmm
	return bmi, bmi && ebx&bmi2 != 0 && !slow, avx2, places, places && more&vpopcntdq != 0
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

// wholePositions is Positions for whole words, counted from base, as long as
// dst has room for a few more. It returns how many words are left.
func wholePositions(dst []uint32, b []uint64, base int) (n, left int) {
	if !hasBMI {
		return wholePositionsGo(dst, b, base)
	}
	for left = len(b); left > 0 && n < len(dst); {
		some := left
		if hasPlaces {
			// It leaves 32 words, or what there is, where the room may be too small.
			got, rest := positionsVBMI2(&dst[n], len(dst)-n, &b[len(b)-left], left, uint32(base+(len(b)-left)*64))
			n, left = n+got, rest
			if some = min(rest, 32); some == 0 || n == len(dst) {
				break
			}
		}
		got, rest := positionsBMI(&dst[n], len(dst)-n, &b[len(b)-left], some, uint32(base+(len(b)-left)*64))
		n, left = n+got, left-some+rest
		if rest > 0 {
			break
		}
	}
	return n, left
}

// countsFrom is from how many words on adding up eight sums pays: measured.
const countsFrom = 24

// countWhole returns the number of bits set in the first words, and how many
// words that are.
func countWhole(b []uint64) (n, words int) {
	fours := len(b) / 4
	switch {
	case fours == 0 || !hasBMI:
		return 0, 0
	case fours >= countsFrom/4 && hasCounts:
		return countAVX512(&b[0], fours/2), fours / 2 * 8
	}
	return countBMI(&b[0], fours), fours * 4
}

// wholeAtLeast is AtLeast for words of 64 levels each.
func wholeAtLeast(dst []uint64, levels []uint8, c uint8) {
	if !hasAVX2 || len(dst) == 0 {
		wholeAtLeastGo(dst, levels, c)
		return
	}
	levels = levels[:len(dst)*64]
	atLeastAVX2(&dst[0], &levels[0], len(dst), c)
}

// shift sets dst to the bits of src, which has a word more, from bit by on, 0 < by < 64.
func shift(dst, src []uint64, by uint) {
	if !hasAVX2 || len(dst) < 4 {
		shiftGo(dst, src, by)
		return
	}
	src = src[:len(dst)+1]
	shiftAVX2(&dst[0], &src[0], len(dst), int(by))
}
