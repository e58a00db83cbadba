package bitpack

import "encoding/binary"

// Size returns the number of bytes that n values of a width take.
func Size(n int, width uint) int { return int((uint64(n)*uint64(width) + 7) / 8) }

// Unpack8 unpacks len(dst) values of at most 8 bits.
func Unpack8(dst []uint8, src []byte, width uint) {
	src = src[:Size(len(dst), width):cap(src)]
	n := vector(dst, src, width)
	if blocks := (len(dst) - n) / 32 * 32; blocks > 0 {
		blocks8(dst[n:][:blocks], src[Size(n, width):], width)
		n += blocks
	}
	for ; n < len(dst); n++ {
		dst[n] = uint8(get(src, n, width))
	}
}

// Spread8 is Unpack8 of groups*8 values, groups > 0, to the front of dst, and may
// write up to 24 bytes after them. It does nothing and returns false if there is no
// kernel or no room for that.
func Spread8(dst []uint8, src []byte, groups int, width uint) bool {
	return spread8(dst, src[:groups*int(width):cap(src)], (groups+3)/4*4, width)
}

// SpreadRuns32 is Unpack32 for runs > 0: each has groups*8 values, and gap bytes follow each but
// the last. src holds them all. It returns how many runs it unpacked: those that dst has room for,
// or none if there is no kernel.
func SpreadRuns32(dst []uint32, src []byte, groups int, width uint, runs, gap int) int {
	end := groups*int(width)*runs + gap*(runs-1)
	return spreadRuns32(dst, src[:end:cap(src)], groups, width, runs, gap)
}

// few is the number of values from which on it is faster to unpack 32 with what follows than each by itself. Measured on
// runs of 504 codes, which end with 24 that are no block of 32: 20 ns instead of 49. Neighbours were not measured.
const few = 8

// Unpack32 unpacks len(dst) values of at most 32 bits.
func Unpack32(dst []uint32, src []byte, width uint) {
	src = src[:Size(len(dst), width):cap(src)]
	n := vector(dst, src, width)
	if blocks := (len(dst) - n) / 32 * 32; blocks > 0 {
		blocks32(dst[n:][:blocks], src[Size(n, width):], width)
		n += blocks
	}
	if len(dst)-n >= few { // the end of runs of 504, which most writers make: unpacked with the bytes after it, or zeros
		rest := src[Size(n, width):cap(src)]
		var padded [4 * 32]byte
		if len(rest) < len(padded) {
			copy(padded[:], rest)
			rest = padded[:]
		}
		var last [32]uint32
		blocks32(last[:], rest, width)
		n += copy(dst[n:], last[:])
	}
	for ; n < len(dst); n++ {
		dst[n] = uint32(get(src, n, width))
	}
}

// Unpack64 unpacks len(dst) values of at most 64 bits.
func Unpack64(dst []uint64, src []byte, width uint) {
	src = src[:Size(len(dst), width):cap(src)]
	n := vector(dst, src, width)
	if blocks := (len(dst) - n) / 32 * 32; blocks > 0 {
		blocks64(dst[n:][:blocks], src[Size(n, width):], width)
		n += blocks
	}
	for ; n < len(dst); n++ {
		dst[n] = get(src, n, width)
	}
}

// Get returns value i of src, of at most 64 bits.
func Get(src []byte, i int, width uint) uint64 {
	return get(src[:Size(i+1, width):cap(src)], i, width)
}

// get is Get where src is known to hold the value.
func get(src []byte, i int, width uint) uint64 {
	at := uint64(i) * uint64(width)
	shift := uint(at % 8)
	src = src[at/8 : cap(src)]
	if len(src) < 9 {
		var tail [9]byte
		copy(tail[:], src)
		src = tail[:]
	}
	w := binary.LittleEndian.Uint64(src) >> shift
	if shift+width > 64 {
		w |= uint64(src[8]) << (64 - shift)
	}
	return w & (1<<width - 1)
}
