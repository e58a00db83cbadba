package codec

import (
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/snappy"
)

func newUncompressed(m memory) *decoder {
	return &decoder{m, "UNCOMPRESSED", 0, func(dst, src []byte, need, size int) ([]byte, error) {
		if len(src) != size {
			return dst, wrongSize(len(src), size)
		}
		return append(m.reserve(dst, need), src[:need]...), nil
	}}
}

// snappyMaxRatio bounds what one byte of Snappy becomes: no tag does better than
// a copy of 64 bytes, which takes three.
const snappyMaxRatio = 22

func newSnappy(m memory) *decoder {
	return snappyBy(m, func(dst, block []byte, tags int) error { return snappy.Decode(dst, block[tags:]) })
}

// snappyBy returns the codec that decodes whole blocks, whose tags start at byte tags, by a function.
func snappyBy(m memory, whole func(dst, block []byte, tags int) error) *decoder {
	return &decoder{m, "SNAPPY", snappyMaxRatio, func(dst, src []byte, need, size int) ([]byte, error) {
		length, tags, err := snappy.Header(src)
		if err == nil && length != int64(size) {
			err = corrupt.At(-1, "the body holds ", length, " bytes, ", size, " are declared")
		}
		if err != nil {
			return dst, err
		}
		dst = m.reserve(dst, need)
		// The decoder may write into the spare bytes after the body.
		end := len(dst) + need
		body := dst[len(dst) : end : end+m.spare]
		if need < size {
			err = snappy.DecodePrefix(body, src[tags:])
		} else {
			err = whole(body, src, tags)
		}
		return dst[:end], err
	}}
}
