//go:build !purego

package plain

import "golang.org/x/sys/cpu"

// prefetch starts to load bytes that will be read soon.
func prefetch(b []byte) {
	if len(b) >= 64 {
		prefetchLines(&b[0], len(b)/64)
	}
}

// vectorBits stores a byte 0 or 1 for bits of src, as many as it can.
func vectorBits(dst, src []byte) int {
	groups := len(dst) / 32
	if !cpu.X86.HasAVX2 || groups == 0 {
		return 0
	}
	_ = src[groups*4-1]
	expandBitsAVX2(&dst[0], &src[0], groups)
	return groups * 32
}
