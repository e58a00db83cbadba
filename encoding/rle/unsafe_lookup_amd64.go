//go:build !purego

package rle

import "github.com/winnow-scan/winnow/encoding/bits"

// kernelFor returns the kernel for entries of type T in a dictionary of limit entries, nil
// if there is none. Few entries of 4 and 8 bytes are held in registers.
func kernelFor[T, K any](limit uint64, few4, few8, load4, load8, of16 K) (kernel K) {
	of4, of8 := load4, load8
	if hasFew && limit <= lookupFew {
		of4, of8 = few4, few8
	}
	switch any(*new(T)).(type) {
	case int32, uint32, float32:
		return of4
	case int64, uint64, float64:
		return of8
	case bits.View, [16]byte:
		return of16
	}
	return kernel
}

func lookupKernel[T any](dst []T, src []byte, dictionary []T, groups, n, left, width, limit int) (at, done int, largest uint32) {
	kernel := kernelFor[T](uint64(limit), lookupFew4AVX512, lookupFew8AVX512, lookup4AVX2, lookup8AVX2, lookup16AVX2)
	return kernel(first(dst), &src[0], first(dictionary), groups, n, left, width, limit)
}

func translateKernel[T any](dst []T, codes []uint32, dictionary []T, eights int) {
	kernel := kernelFor[T](uint64(len(dictionary)), translateFew4AVX512, translateFew8AVX512, translate4AVX2, translate8AVX2, translate16AVX2)
	kernel(first(dst), &codes[0], first(dictionary), eights, len(dictionary))
}
