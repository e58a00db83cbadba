package codec

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// blockSize is the maximum decoded size of a ZSTD block.
const blockSize = 128 << 10

// zstdFrame is what the headers of a frame and of its blocks tell.
type zstdFrame struct {
	reach  int64 // the maximum decoded size
	window int64
	rest   []byte // what follows the frame
}

const (
	flagSingle   = 1 << 5 // the window is the whole content
	flagChecksum = 1 << 2
)

// nextFrame splits the first frame off src. src is not empty.
//
//	28 b5 2f fd   40          00      e8 02     blocks …   checksum
//	magic         descriptor  window  content   each with  4 bytes, if
//	              SSs..cDD            size      3 bytes    c is set
//	                                            of header
//
// SS is the size of the content size, s is flagSingle (then the window is left
// out), c the checksum's flag, DD the size of the dictionary's id, which is
// between window and content size. A skippable frame is a magic number
// 50 2a 4d 18 to 5f 2a 4d 18, four bytes of length and as many as that.
func nextFrame(src []byte) (f zstdFrame, err error) {
	if len(src) < 5 {
		return f, corrupt.At(-1, "frame header cut short")
	}
	switch magic := binary.LittleEndian.Uint32(src); {
	case magic&^15 == 0x184d2a50:
		if len(src) < 8 || int64(binary.LittleEndian.Uint32(src[4:])) > int64(len(src)-8) {
			return f, corrupt.At(-1, "skippable frame cut short")
		}
		f.rest = src[8+binary.LittleEndian.Uint32(src[4:]):]
		return f, nil
	case magic != 0xfd2fb528:
		return f, corrupt.At(-1, "no frame starts with the number ", magic)
	}
	flags := src[4]
	single := flags&flagSingle != 0
	windowLen, dictLen, sizeLen := 1, []int{0, 1, 2, 4}[flags&3], []int{0, 2, 4, 8}[flags>>6]
	if single {
		windowLen, sizeLen = 0, max(sizeLen, 1)
	}
	b := src[5:]
	if len(b) < windowLen+dictLen+sizeLen {
		return f, corrupt.At(-1, "frame header cut short")
	}
	if !single {
		base := int64(1) << (10 + b[0]>>3)
		f.window = base + base/8*int64(b[0]&7)
	}
	content := int64(0)
	for i, x := range b[windowLen+dictLen : windowLen+dictLen+sizeLen] {
		content |= int64(x) << (8 * i)
	}
	if sizeLen == 2 {
		content += 256 // two bytes store sizes from 256 on, less 256
	}
	if content < 0 {
		return f, corrupt.At(-1, "content size beyond 63 bits")
	}
	if single {
		f.window = max(content, 1<<10)
	}
	b = b[windowLen+dictLen+sizeLen:]
	n, err := f.skipBlocks(b)
	if err != nil {
		return f, err
	}
	if flags&flagChecksum != 0 {
		if n += 4; n > len(b) {
			return f, corrupt.At(-1, "checksum cut short")
		}
	}
	f.rest = b[n:]
	return f, nil
}

// skipBlocks reads the headers of the blocks at the start of b, adds up what they may
// become, and returns where the last one ends.
func (f *zstdFrame) skipBlocks(b []byte) (n int, err error) {
	for last := false; !last; {
		if len(b)-n < 3 {
			return n, corrupt.At(-1, "block header cut short")
		}
		h := uint32(b[n]) | uint32(b[n+1])<<8 | uint32(b[n+2])<<16
		n += 3
		last = h&1 != 0
		size := int(h >> 3)
		switch h >> 1 & 3 {
		case 0: // uncompressed bytes
			f.reach += int64(size)
		case 1: // one byte, repeated size times
			f.reach += int64(size)
			size = 1
		default:
			f.reach += min(f.window, blockSize)
		}
		if size > len(b)-n {
			return n, corrupt.At(-1, "block of ", size, " bytes, ", len(b)-n, " are left")
		}
		n += size
	}
	return n, nil
}
