//go:build !purego

package bss

import (
	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding"
)

var hasAVX2 = cpu.X86.HasAVX2

func kernel2(dst, src []byte, stride, blocks int) { join2AVX2(&dst[0], &src[0], stride, blocks) }

func kernelOfWords[T uint32 | uint64](dst []T, src []byte, stride, blocks int) {
	if encoding.SizeOf[T]() == 4 {
		join4AVX2(&encoding.As[uint32](dst)[0], &src[0], stride, blocks)
	} else {
		join8AVX2(&encoding.As[uint64](dst)[0], &src[0], stride, blocks)
	}
}

func kernelApart(dst []byte, size int, src []byte, stride, streams, blocks int) {
	joinStridedAVX2(&dst[0], size, &src[0], stride, streams, blocks)
}
