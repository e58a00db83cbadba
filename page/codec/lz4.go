package codec

import (
	"encoding/binary"
	"math"

	"github.com/pierrec/lz4/v4"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// lz4MaxRatio bounds what one byte of LZ4 becomes: each further byte of a match
// length stands for 255 bytes.
const lz4MaxRatio = 255

// lz4Slower is the time of lz4Prefix over the library's, for as many bytes. The library
// decodes whole blocks only, so lz4Prefix is used up to a third of a block.
const lz4Slower = 3

// lz4Prefers reports whether lz4Prefix is faster than the library, which decodes whole blocks.
func lz4Prefers(need, size int) bool { return need < size && int64(need)*lz4Slower <= int64(size) }

// lz4Raw is a block without any framing.
type lz4Raw struct{ memory }

func newLZ4Raw(m memory) *decoder { return &decoder{m, "LZ4_RAW", lz4MaxRatio, lz4Raw{m}.decode} }

func (c lz4Raw) decode(dst, src []byte, need, size int) ([]byte, error) {
	if lz4Prefers(need, size) {
		return c.prefix(dst, src, need, size)
	}
	if !c.fits(dst, size) && !plausible(size, src) {
		if n, ok := lz4Size(src, math.MaxInt64); !ok || n != int64(size) {
			return dst, corrupt.At(-1, "the body does not hold the declared ", size, " bytes")
		}
	}
	dst = c.reserve(dst, size)
	end := len(dst) + size
	n, err := lz4Block(dst[len(dst):end], src)
	if err == nil && n != size {
		err = wrongSize(n, size)
	}
	return dst[:end], err
}

func (c lz4Raw) prefix(dst, src []byte, need, size int) ([]byte, error) {
	if !c.fits(dst, need) && !plausible(need, src) {
		if n, ok := lz4Size(src, int64(need)); !ok || n < int64(need) {
			return dst, corrupt.At(-1, "the body does not hold ", need, " of the declared ", size, " bytes")
		}
	}
	dst = c.reserve(dst, need)
	end := len(dst) + need
	if !lz4Prefix(dst[len(dst):end], src) {
		return dst, corrupt.At(-1, "the first ", need, " bytes of the body are damaged")
	}
	return dst[:end], nil
}

// lz4Block decodes a block into dst. An empty dst does not go to the library: its
// assembly subtracts from the end of dst, which wraps around at nil and then looks
// like free space.
func lz4Block(dst, src []byte) (int, error) {
	if len(dst) > 0 {
		return lz4.UncompressBlock(src, dst)
	}
	if n, ok := lz4Size(src, 1); !ok || n > 0 {
		return 0, lz4.ErrInvalidSourceShortBuffer
	}
	return 0, nil
}

// lz4Any is codec 5, whose bodies have one of three framings; see doc.go.
type lz4Any struct {
	raw   lz4Raw
	frame *decoder
}

const lz4FrameMagic = 0x184d2204 // little-endian

func newLZ4(m memory) *decoder {
	return &decoder{m, "LZ4", lz4MaxRatio, lz4Any{lz4Raw{m}, newLZ4Frame(m)}.decode}
}

func (c lz4Any) decode(dst, src []byte, need, size int) ([]byte, error) {
	if lz4Prefers(need, size) {
		if out, ok := c.prefix(dst, src, need, size); ok {
			return out, nil
		} // else the body may have another framing
	}
	if c.raw.fits(dst, size) || plausible(size, src) || hadoop(src, size, countPart) {
		dst = c.raw.reserve(dst, size)
		end := len(dst) + size
		body := dst[len(dst):end:end]
		whole := func(part []byte, from, to int64) (int64, bool) {
			n, err := lz4Block(body[from:to], part)
			return int64(n), err == nil
		}
		if hadoop(src, size, whole) {
			return dst[:end], nil
		}
	}
	if isFrame(src) {
		if out, err := c.frame.Decode(dst, src, size); err == nil {
			return out, nil
		}
	}
	out, err := c.raw.decode(dst, src, size, size)
	if err != nil {
		err = corrupt.At(-1, "in none of its framings (Hadoop blocks, frame, raw) do ", len(src), " bytes hold the declared ", size)
	}
	return out, err
}

// prefix appends the first need bytes, and reports whether the body has the framing that it
// seems to have.
func (c lz4Any) prefix(dst, src []byte, need, size int) (out []byte, ok bool) {
	var err error
	switch {
	case hadoop(src, size, countPart):
		out = c.raw.reserve(dst, need)
		end := len(dst) + need
		front := out[len(dst):end:end]
		part := func(part []byte, from, to int64) (n int64, ok bool) {
			switch n, ok = countPart(part, from, to); {
			case !ok || from >= int64(need):
			case from+n > int64(need):
				ok = lz4Prefix(front[from:], part)
			default:
				_, err := lz4Block(front[from:from+n], part)
				ok = err == nil
			}
			return n, ok
		}
		return out[:end], hadoop(src, size, part)
	case isFrame(src):
		out, err = c.frame.DecodePrefix(dst, src, need, size)
	default:
		out, err = c.raw.prefix(dst, src, need, size)
	}
	return out, err == nil
}

func isFrame(src []byte) bool {
	return len(src) >= 4 && binary.LittleEndian.Uint32(src) == lz4FrameMagic
}

// countPart returns how many bytes a part of one of Hadoop's blocks becomes.
func countPart(part []byte, _, _ int64) (int64, bool) { return lz4Size(part, math.MaxInt64) }

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
