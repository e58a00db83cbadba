package bitpack

// Keeps reports whether KeepRuns32 has a kernel for a width.
func Keeps(width uint) bool { return hasKeep && 0 < width && width <= mostKept }

// mostKept is the largest width with which values are two bytes at most.
const mostKept = 16

// KeepSpare is by how many values KeepRuns32 wants dst to be longer than n.
const KeepSpare = 32

// KeepRuns32 unpacks n values, from number first on, and stores those whose bits in sel,
// from position at on, are set at the front of dst. It returns how many these are, and the
// largest of all n. Runs are those of PickRuns32, first is a multiple of 8. If there is
// no kernel, or it had to read behind the capacity of src, nothing is done, and ok is false.
func KeepRuns32(dst []uint32, src []byte, width uint, sel []uint64, at, n, first, count, gap int) (kept int, largest uint32, ok bool) {
	if n <= 0 || !Keeps(width) {
		return 0, 0, false
	}
	_ = dst[n+KeepSpare-1]
	return keepRuns32(dst, src, width, sel[at/64:(at+n+63)/64], at%64, n, first, count, gap)
}
