//go:build !purego

package rle

import "unsafe"

func narrowRunsKernel[C narrow](dst []C, src []byte, longest, n, left, width, limit int) (at, done int) {
	switch {
	case !canNarrow:
		return codeRunsGo(dst, src, longest, n, left, width, limit)
	case unsafe.Sizeof(*new(C)) == 1:
		return codeBytesVBMI(first(dst), &src[0], longest, n, left, width, limit)
	}
	return codeWordsVBMI(first(dst), &src[0], longest, n, left, width, limit)
}

func packedKernel[C narrow](dst []C, src []byte, sixtyFours, width int) {
	switch {
	case !canNarrow:
		packedCodesGo(dst, src, sixtyFours, width)
	case unsafe.Sizeof(*new(C)) == 1:
		packedBytesVBMI(first(dst), &src[0], sixtyFours, width)
	default:
		packedWordsVBMI(first(dst), &src[0], sixtyFours, width)
	}
}

func largestKernel[C narrow](codes []C) uint32 {
	switch {
	case !canNarrow:
		return largestOf(codes)
	case unsafe.Sizeof(*new(C)) == 1:
		return largestByteAVX512(first(codes), len(codes))
	}
	return largestWordAVX512(first(codes), len(codes))
}

func keepKernel[C narrow](codes []C, sel []uint64, n int) (kept int, largest uint32) {
	switch {
	case !canNarrow:
		return keepCodesGo(codes, sel, n)
	case unsafe.Sizeof(*new(C)) == 1:
		return keepBytesVBMI2(first(codes), &sel[0], n)
	}
	return keepWordsVBMI2(first(codes), &sel[0], n)
}

func translateNarrowKernel[T any, C narrow](dst []T, codes []C, dictionary []T, sixteens int) {
	limit := uint64(len(dictionary))
	var kernel func(dst, codes, dictionary *byte, sixteens, limit int)
	switch {
	case !canNarrow:
		translateGo(dst, codes[:sixteens*16], dictionary)
		return
	case unsafe.Sizeof(*new(C)) == 1:
		few16 := lookupBytesFew16AVX512
		if limit > lookupFew/2 {
			few16 = lookupBytes16AVX2
		}
		kernel = kernelFor[T](limit, lookupBytesFew4AVX512, lookupBytesFew8AVX512, lookupBytes4AVX2, lookupBytes8AVX2, few16)
	default:
		kernel = kernelFor[T](limit, lookupWords4AVX2, lookupWords8AVX2, lookupWords4AVX2, lookupWords8AVX2, nil)
	}
	if kernel == nil { // narrowUpTo leaves entries of 16 bytes at wide codes to others
		translateGo(dst, codes[:sixteens*16], dictionary)
		return
	}
	kernel(first(dst), first(codes), first(dictionary), sixteens, len(dictionary))
}
