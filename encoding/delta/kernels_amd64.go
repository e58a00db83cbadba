//go:build !purego

package delta

import (
	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding"
)

// hasBlocks says that there are kernels for many blocks.
var hasBlocks = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VBMI

// overread is the number of bytes behind the deltas that kernels read.
const overread = 16

// The widths with which each delta lies in four bytes, and in eight. Bit 63
// stands for 64 bits.
const (
	fourBytes  = 1<<27 - 1 | 1<<28
	eightBytes = 1<<59 - 1 | 1<<60 | 1<<63
)

// kernelFor returns the kernel for miniblocks of these widths and of size
// deltas at the front of packed, and their bytes; none if those are not there,
// the overread included.
func kernelFor(packed, widths []byte, size int) (k kernel, bytes int) {
	if !cpu.X86.HasAVX2 {
		return none, 0
	}
	set := uint64(0)
	for _, width := range widths {
		bytes += int(width)
		if width < 63 {
			set |= 1 << width
		} else if width != 64 {
			return none, 0
		} else {
			set |= 1 << 63
		}
	}
	bytes *= size / 8
	switch {
	case bytes > len(packed) || bytes+overread > cap(packed):
		return none, 0
	case set&^fourBytes == 0:
		return narrow, bytes
	case set&^eightBytes == 0:
		return wide, bytes
	}
	return none, 0
}

func (k kernel) decode32(dst []int32, packed, widths []byte, size int, least, last int32) int32 {
	if k == narrow {
		return decode32NarrowAVX2(&dst[0], &packed[:1][0], &widths[0], len(widths), size/8, least, last)
	}
	return decode32WideAVX2(&dst[0], &packed[:1][0], &widths[0], len(widths), size/8, least, last)
}

func (k kernel) decode64(dst []int64, packed, widths []byte, size int, least, last int64) int64 {
	if k == narrow {
		return decode64NarrowAVX2(&dst[0], &packed[:1][0], &widths[0], len(widths), size/8, least, last)
	}
	return decode64WideAVX2(&dst[0], &packed[:1][0], &widths[0], len(widths), size/8, least, last)
}

func (k kernel) sum(packed, widths []byte, size int) uint64 {
	if k == narrow {
		return sumNarrowAVX2(&packed[:1][0], &widths[0], len(widths), size/8)
	}
	bytes := 0
	for _, width := range widths {
		bytes += int(width) * (size / 8)
	}
	if hasBlocks && bytes+encoding.Padding <= cap(packed) {
		return sumWideVBMI(&packed[:1][0], &widths[0], len(widths), size/8)
	}
	return sumWideAVX2(&packed[:1][0], &widths[0], len(widths), size/8)
}

// sumValues also returns the sum of the sums up to each, both with wrap-around, if it can.
func (k kernel) sumValues(packed, widths []byte, size int) (sum, sums uint32, ok bool) {
	if k != narrow {
		return 0, 0, false
	}
	sum, sums = sumValuesAVX2(&packed[:1][0], &widths[0], len(widths), size/8)
	return sum, sums, true
}

// sumBlocks steps over up to n blocks at the front of body, of minis miniblocks of size
// deltas, as long as there is nothing odd about them: it returns how many, how many
// bytes they are, and what a value behind them has above one before them.
func sumBlocks(body []byte, n, minis, size int) (blocks, bytes int, sum uint64) {
	if n == 0 || minis != 4 || size%32 != 0 || len(body) < 64 {
		return 0, 0, 0
	}
	bytes, left, least, deltas := sumBlocksVBMI(&body[0], len(body), n, size/8)
	blocks = n - left
	return blocks, bytes, least*uint64(minis*size) + deltas
}

// decodeBlocks32 stores the values of up to n blocks, as sumBlocks steps over them, and
// returns the last.
func decodeBlocks32(dst []int32, body []byte, n, minis, size int, last int32) (blocks, bytes int, end int32) {
	if n == 0 || minis != 4 || size%32 != 0 || len(body) < 64 {
		return 0, 0, last
	}
	_ = dst[n*minis*size-1]
	bytes, left, end := decodeBlocks32VBMI(&body[0], len(body), n, size/8, &dst[0], last)
	return n - left, bytes, end
}

// decodeBlocks64 is decodeBlocks32 for INT64.
func decodeBlocks64(dst []int64, body []byte, n, minis, size int, last int64) (blocks, bytes int, end int64) {
	if n == 0 || minis != 4 || size%32 != 0 || len(body) < 64 {
		return 0, 0, last
	}
	_ = dst[n*minis*size-1]
	bytes, left, end := decodeBlocks64VBMI(&body[0], len(body), n, size/8, &dst[0], last)
	return n - left, bytes, end
}

// sumBlockValues steps over up to n blocks as sumBlocks does. It also returns the sum of
// all deltas, and the sum of the sums up to each, with wrap-around.
func sumBlockValues(body []byte, n, minis, size int) (blocks, bytes int, sum, sums uint32) {
	if n == 0 || minis != 4 || size%32 != 0 || len(body) < 64 {
		return 0, 0, 0, 0
	}
	bytes, left, sum, sums := sumBlockValuesVBMI(&body[0], len(body), n, size/8)
	return n - left, bytes, sum, sums
}
