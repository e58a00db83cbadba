//go:build !purego

package bss

import (
	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// blocksOf returns how many blocks of 32 values a kernel may put together.
func blocksOf(values int) int {
	if !cpu.X86.HasAVX2 {
		return 0
	}
	return max(values, 0) / 32
}

// wordsOf returns how many blocks of 64 values a kernel of AVX-512 may put together. Where the values
// do not stay in the first cache it would be slower, and for 64 alone.
func wordsOf(values, size int) int {
	if values < 2*64 || values*size > 16<<10 || !bits.FindsPlaces() {
		return 0
	}
	return values / 64
}

func vector4(dst []uint32, src []byte, stride int) int {
	n := wordsOf(len(dst), 4) * 64
	if n > 0 {
		join4VBMI(&dst[0], &src[0], stride, n/64)
	}
	if blocks := blocksOf(len(dst) - n); blocks > 0 {
		join4AVX2(&dst[n], &src[n], stride, blocks)
		n += blocks * 32
	}
	return n
}

func vector8(dst []uint64, src []byte, stride int) int {
	n := wordsOf(len(dst), 8) * 64
	if n > 0 {
		join8VBMI(&dst[0], &src[0], stride, n/64)
	}
	if blocks := blocksOf(len(dst) - n); blocks > 0 {
		join8AVX2(&dst[n], &src[n], stride, blocks)
		n += blocks * 32
	}
	return n
}

// vectorBytes goes through up to 256 values once for each 8 bytes, the last
// ones first.
func vectorBytes(dst []byte, size int, src []byte, stride int) int {
	count := len(dst) / size
	if size == 2 {
		blocks := blocksOf(count)
		if blocks > 0 {
			join2AVX2(&dst[0], &src[0], stride, blocks)
		}
		return blocks * 32
	}
	n := 0
	for {
		blocks := min(blocksOf(count-n-spoilt), 256/32)
		if blocks == 0 {
			return n
		}
		for k := (size - 1) &^ 7; k >= 0; k -= 8 {
			joinStridedAVX2(&dst[n*size+k], size, &src[k*stride+n], stride, min(8, size-k), blocks)
		}
		n += blocks * 32
	}
}

// few4 puts values together whose bits are set in the first words of sel, and
// are rare there. It returns for how many words it did it, and how many values.
func few4(dst []uint32, src []byte, stride int, sel []uint64) (words, kept int) {
	if !bits.FindsPlaces() || len(sel) == 0 || len(dst) == 0 {
		return 0, 0
	}
	n, left := pick4VBMI2(&dst[0], len(dst), &sel[0], len(sel), &src[0], stride)
	return len(sel) - left, n
}

// few8 is few4 for values of eight bytes.
func few8(dst []uint64, src []byte, stride int, sel []uint64) (words, kept int) {
	if !bits.FindsPlaces() || len(sel) == 0 || len(dst) == 0 {
		return 0, 0
	}
	n, left := pick8VBMI2(&dst[0], len(dst), &sel[0], len(sel), &src[0], stride)
	return len(sel) - left, n
}

// keep4 puts values together whose bits are set in sel, for whole words of it. dst has
// room for all. It returns for how many words it did it, and how many values.
func keep4(dst []uint32, src []byte, stride int, sel []uint64) (words, kept int) {
	if !bits.FindsPlaces() || len(sel) == 0 {
		return 0, 0
	}
	return len(sel), keep4VBMI(&dst[0], &src[0], stride, &sel[0], len(sel))
}

// keep8 is keep4 for values of eight bytes.
func keep8(dst []uint64, src []byte, stride int, sel []uint64) (words, kept int) {
	if !bits.FindsPlaces() || len(sel) == 0 {
		return 0, 0
	}
	return len(sel), keep8VBMI(&dst[0], &src[0], stride, &sel[0], len(sel))
}
