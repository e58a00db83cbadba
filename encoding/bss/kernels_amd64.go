//go:build !purego

package bss

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

func kernel2(dst, src []byte, stride, blocks int) { join2AVX2(&dst[0], &src[0], stride, blocks) }

func kernel4(dst []uint32, src []byte, stride, blocks int) {
	join4AVX2(&dst[0], &src[0], stride, blocks)
}

func kernel8(dst []uint64, src []byte, stride, blocks int) {
	join8AVX2(&dst[0], &src[0], stride, blocks)
}

func kernelApart(dst []byte, size int, src []byte, stride, streams, blocks int) {
	joinStridedAVX2(&dst[0], size, &src[0], stride, streams, blocks)
}
