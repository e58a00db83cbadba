//go:build !amd64 || purego

package plain

import "github.com/winnow-scan/winnow/encoding"

// vectorGather may do some of the work where there are kernels.
func vectorGather[T encoding.Number]([]T, []byte, []uint64) (words, kept int) { return 0, 0 }

func prefetch([]byte) {}

func vectorBits(dst, src []byte) int { return 0 }
