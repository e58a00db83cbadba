//go:build !purego

package plain

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// prefetch starts to load bytes that will be read soon.
func prefetch(b []byte) {
	if len(b) >= 64 {
		prefetchLines(&b[0], len(b)/64)
	}
}

func expandKernel(dst, src []byte, groups int) { expandBitsAVX2(&dst[0], &src[0], groups) }
