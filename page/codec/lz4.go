package codec

import (
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/lz4"
)

// lz4MaxRatio bounds what one byte of LZ4 becomes: each further byte of a match
// length stands for 255 bytes.
const lz4MaxRatio = 255

// newLZ4Raw returns the codec of blocks without any framing.
func newLZ4Raw(m memory) *decoder {
	return newFilled(m, "LZ4_RAW", lz4MaxRatio, func() any { return lz4Block{} })
}

// lz4Block is the prefixDecoder of LZ4.
type lz4Block struct{}

func (lz4Block) Decode(dst, src []byte) error {
	n, err := lz4.Decode(dst, src)
	if err == nil && n != len(dst) {
		err = wrongSize(n, len(dst))
	}
	return err
}

func (lz4Block) DecodePrefix(dst, src []byte) error { return lz4.DecodePrefix(dst, src) }

// lz4Any is codec 5, whose bodies have one of three framings; see doc.go.
type lz4Any struct {
	memory
	raw, frame *decoder
}

const lz4FrameMagic = 0x184d2204 // little-endian

func newLZ4(m memory) *decoder {
	return &decoder{m, "LZ4", lz4MaxRatio, lz4Any{m, newLZ4Raw(m), newLZ4Frame(m)}.decode}
}

func (c lz4Any) decode(dst, src []byte, need, size int) ([]byte, error) {
	if c.fits(dst, need) || plausible(need, src) || hadoop(src, size, countPart) {
		dst = c.reserve(dst, need)
		end := len(dst) + need
		body := dst[len(dst) : end : end+c.spare]
		part := func(part []byte, from, to int64) (n int64, ok bool) {
			if to <= int64(need) {
				n, err := lz4.Decode(body[from:to], part)
				return int64(n), err == nil
			}
			if n, ok = countPart(part, from, to); ok && from < int64(need) {
				ok = lz4.DecodePrefix(body[from:min(from+n, int64(need))], part) == nil
			}
			return n, ok
		}
		if hadoop(src, size, part) {
			return dst[:end], nil
		}
	}
	if len(src) >= 4 && binary.LittleEndian.Uint32(src) == lz4FrameMagic {
		if out, err := c.frame.DecodePrefix(dst, src, need, size); err == nil {
			return out, nil
		}
	}
	out, err := c.raw.DecodePrefix(dst, src, need, size)
	if err != nil {
		err = corrupt.At(-1, "in none of its framings (Hadoop blocks, frame, raw) do ", len(src), " bytes hold the declared ", size)
	}
	return out, err
}

// countPart returns how many bytes a part of one of Hadoop's blocks becomes.
func countPart(part []byte, _, _ int64) (int64, bool) { return lz4.Size(part, math.MaxInt64) }

// hadoop calls decode for the parts of Hadoop's blocks, with the range of the body that a
// part may fill, and reports whether src consists of such blocks. decode returns how many
// bytes the part becomes. Hadoop may split a block into parts, each with a length of its own:
//
//	00 00 00 0a  00 00 00 05 …        00 00 00 07 …
//	10 bytes out 5 bytes of a part    7 bytes of the next, together 10 bytes out
func hadoop(src []byte, size int, decode func(part []byte, from, to int64) (int64, bool)) bool {
	done := int64(0)
	for len(src) > 0 {
		block, ok := uint32BE(src)
		end := done + block
		if !ok || end > int64(size) {
			return false
		}
		src = src[4:]
		if n, ok := uint32BE(src); block == 0 && ok && n <= 1 && n+4 <= int64(len(src)) {
			src = src[4+n:] // the block of an empty page: no part, or a lone token
		}
		for done < end {
			n, ok := uint32BE(src)
			if !ok || n > int64(len(src)-4) {
				return false
			}
			part := src[4 : 4+n]
			src = src[4+n:]
			out, ok := decode(part, done, end)
			if !ok || out == 0 || out > end-done {
				return false
			}
			done += out
		}
	}
	return done == int64(size)
}

func uint32BE(b []byte) (int64, bool) {
	if len(b) < 4 {
		return 0, false
	}
	return int64(binary.BigEndian.Uint32(b)), true
}
