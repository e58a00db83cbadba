//go:build !amd64 || purego

package plain

import "github.com/winnow-scan/winnow/internal/invariants"

// hasAVX2 says, with the tag invariants, that twins in Go take the place of kernels, so that their callers are tested
// on every machine.
const hasAVX2 = invariants.On

func prefetch([]byte) {}

func expandKernel(dst, src []byte, groups int) {
	for i := range dst[:groups*32] {
		dst[i] = src[i/8] >> (i % 8) & 1
	}
}
