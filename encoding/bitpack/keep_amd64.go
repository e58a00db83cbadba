//go:build !purego

package bitpack

import "golang.org/x/sys/cpu"

var hasKeep = hasVBMI2 && cpu.X86.HasPOPCNT

// keepRuns32 is KeepRuns32 for positions below 64.
func keepRuns32(dst []uint32, src []byte, width uint, sel []uint64, at, n, first, count, gap int) (kept int, largest uint32, ok bool) {
	left, end := n, Size(first+n, width)
	if count > 0 {
		left, end = count-first, end+(first+n-1)/count*gap
	}
	if end+4*int(width) > cap(src) {
		return 0, 0, false
	}
	src = src[Size(first, width):cap(src)]
	largest, kept = keepRuns32VBMI2(&dst[0], &src[0], &sel[0], at, n, int(width), left, count, gap)
	return kept, largest, true
}
