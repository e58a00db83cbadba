//go:build !purego

package rle

import "unsafe"

func runsKernel[C narrow](dst []C, src []byte, longest, n, left, width, limit int) (at, done int) {
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

func largestCode[C narrow](codes []C) uint32 {
	switch {
	case !canNarrow:
		return largestCodeGo(codes)
	case unsafe.Sizeof(*new(C)) == 1:
		return largestByteAVX512(first(codes), len(codes))
	}
	return largestWordAVX512(first(codes), len(codes))
}

func keepCodes[C narrow](codes []C, sel []uint64, n int) (kept int, largest uint32) {
	switch {
	case !canNarrow:
		return keepCodesGo(codes, sel, n)
	case unsafe.Sizeof(*new(C)) == 1:
		return keepBytesVBMI2(first(codes), &sel[0], n)
	}
	return keepWordsVBMI2(first(codes), &sel[0], n)
}

// translateNarrow replaces codes by their entries, and returns how many. The caller has checked that all codes are
// below len(dictionary).
func translateNarrow[T any, C narrow](dst []T, codes []C, dictionary []T) int {
	dst = dst[:len(codes)]
	done, limit := 0, uint64(len(dictionary))
	if canNarrow && len(codes) >= 16 {
		var kernel func(dst, codes, dictionary *byte, sixteens, limit int)
		if unsafe.Sizeof(*new(C)) == 1 {
			few16 := lookupBytesFew16AVX512
			if limit > lookupFew/2 {
				few16 = lookupBytes16AVX2
			}
			kernel = kernelFor[T](limit, lookupBytesFew4AVX512, lookupBytesFew8AVX512, lookupBytes4AVX2, lookupBytes8AVX2, few16)
		} else {
			kernel = kernelFor[T](limit, lookupWords4AVX2, lookupWords8AVX2, lookupWords4AVX2, lookupWords8AVX2, lookupWords16AVX2)
		}
		some := func(sixteens int) {
			kernel(first(dst[done:]), (*byte)(unsafe.Pointer(&codes[done])), first(dictionary), sixteens, len(dictionary))
		}
		// Stores across two cache lines take longer: begin at a line, which stores some values twice.
		some(1)
		done = int(-uintptr(unsafe.Pointer(&dst[0])) % 64 / unsafe.Sizeof(dst[0]))
		if n := (len(codes) - done) / 16; n > 0 {
			some(n)
			done += n * 16
		} else {
			done = 16
		}
	}
	for ; done < len(codes); done++ {
		dst[done] = dictionary[codes[done]]
	}
	return len(codes)
}
