//go:build !purego

package delta

import (
	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding"
)

var hasAVX2 = cpu.X86.HasAVX2

// hasBlocks says that there are kernels for many blocks.
var hasBlocks = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VBMI

func decodeKernel[T integer](k kernel, dst []T, packed, widths []byte, size int, least, last T) T {
	src, w, minis, groups := &packed[:1][0], &widths[0], len(widths), size/8
	switch small := encoding.SizeOf[T]() == 4; {
	case small && k == narrow:
		return T(decode32NarrowAVX2(&encoding.As[int32](dst)[0], src, w, minis, groups, int32(least), int32(last)))
	case small:
		return T(decode32WideAVX2(&encoding.As[int32](dst)[0], src, w, minis, groups, int32(least), int32(last)))
	case k == narrow:
		return T(decode64NarrowAVX2(&encoding.As[int64](dst)[0], src, w, minis, groups, int64(least), int64(last)))
	}
	return T(decode64WideAVX2(&encoding.As[int64](dst)[0], src, w, minis, groups, int64(least), int64(last)))
}

func (k kernel) sumKernel(packed, widths []byte, size int) uint64 {
	if k == narrow {
		return sumNarrowAVX2(&packed[:1][0], &widths[0], len(widths), size/8)
	}
	return sumWideAVX2(&packed[:1][0], &widths[0], len(widths), size/8)
}

func sumBothKernel(packed, widths []byte, size int) (sum, sums uint32) {
	return sumValuesAVX2(&packed[:1][0], &widths[0], len(widths), size/8)
}

func blocksSumKernel(body []byte, n, size int) (bytes, left int, least, deltas uint64) {
	return sumBlocksVBMI(&body[0], len(body), n, size/8)
}

func blocksSumsKernel(body []byte, n, size int) (bytes, left int, sum, sums uint32) {
	return sumBlockValuesVBMI(&body[0], len(body), n, size/8)
}

func blocksDecodeKernel[T integer](dst []T, body []byte, n, size int, last T) (bytes, left int, end T) {
	if encoding.SizeOf[T]() == 4 {
		bytes, left, end := decodeBlocks32VBMI(&body[0], len(body), n, size/8, &encoding.As[int32](dst)[0], int32(last))
		return bytes, left, T(end)
	}
	bytes, left, to := decodeBlocks64VBMI(&body[0], len(body), n, size/8, &encoding.As[int64](dst)[0], int64(last))
	return bytes, left, T(to)
}

func blocksKeepKernel[T integer](dst []T, sel []uint64, body []byte, n, size int, last T) (bytes, left int, end T, kept int) {
	if encoding.SizeOf[T]() == 4 {
		bytes, left, end, kept := keepBlocks32VBMI(&body[0], len(body), n, size/8, &encoding.As[int32](dst)[0], &sel[0], int32(last))
		return bytes, left, T(end), kept
	}
	bytes, left, to, kept := keepBlocks64VBMI(&body[0], len(body), n, size/8, &encoding.As[int64](dst)[0], &sel[0], int64(last))
	return bytes, left, T(to), kept
}

func blocksWithinKernel[T integer](sel []uint64, body []byte, n, size int, last, lo, hi T) (bytes, left int, end T) {
	if encoding.SizeOf[T]() == 4 { // subtract lo: then one unsigned comparison with hi-lo is enough
		bytes, left, end := withinBlocks32VBMI(&body[0], len(body), n, size/8, &sel[0], uint32(hi)-uint32(lo), int32(last)-int32(lo))
		return bytes, left, T(end) + lo
	}
	bytes, left, to := withinBlocks64VBMI(&body[0], len(body), n, size/8, &sel[0], uint64(hi)-uint64(lo), int64(last)-int64(lo))
	return bytes, left, T(to) + lo
}
