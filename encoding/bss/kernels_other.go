//go:build !amd64 || purego

package bss

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/internal/invariants"
)

// With the tag invariants, twins in Go take the place of kernels, so that their callers are tested on every machine.
const hasAVX2 = invariants.On

func kernel2(dst, src []byte, stride, blocks int) {
	for i := range blocks * 32 {
		dst[2*i], dst[2*i+1] = src[i], src[stride+i]
	}
}

func kernelOfWords[T uint32 | uint64](dst []T, src []byte, stride, blocks int) {
	for i := range blocks * 32 {
		dst[i] = T(valueAt(src, i, stride, encoding.SizeOf[T]()))
	}
}

func valueAt(src []byte, i, stride, streams int) (v uint64) {
	for k := range streams {
		v |= uint64(src[k*stride+i]) << (8 * k)
	}
	return v
}

func kernelApart(dst []byte, size int, src []byte, stride, streams, blocks int) {
	for i := range blocks * 32 {
		binary.LittleEndian.PutUint64(dst[i*size:], valueAt(src, i, stride, streams))
	}
}
