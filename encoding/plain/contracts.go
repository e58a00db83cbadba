package plain

import "github.com/winnow-scan/winnow/internal/invariants"

// expandGroups stores a byte 0 or 1 for each of groups*32 > 0 bits.
// Reads the bytes that hold these; writes as many bytes.
func expandGroups(dst, src []byte, groups int) {
	if invariants.On {
		invariants.Reads(src[:len(src):len(src)], groups*4)
		invariants.Writes(dst, groups*32)
	}
	expandKernel(dst, src, groups)
}
