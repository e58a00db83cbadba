package codec

import (
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/snappy"
)

type uncompressed struct{ memory }

func (c uncompressed) Decode(dst, src []byte, size int) ([]byte, error) {
	return c.DecodePrefix(dst, src, size, size)
}

func (c uncompressed) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	if err := c.check("UNCOMPRESSED", src, size, 0); err != nil {
		return dst, err
	}
	if len(src) != size {
		return dst, failed("UNCOMPRESSED", wrongSize(len(src), size))
	}
	need = min(max(need, 0), size)
	return append(c.reserve(dst, need), src[:need]...), nil
}

type snappyCodec struct {
	memory
	whole func(dst, block []byte, tags int) error // decodes a block, whose tags start at byte tags
}

// snappyMaxRatio bounds what one byte of Snappy becomes: no tag does better than
// a copy of 64 bytes, which takes three.
const snappyMaxRatio = 22

func newSnappy(m memory) snappyCodec {
	return snappyCodec{m, func(dst, block []byte, tags int) error { return snappy.Decode(dst, block[tags:]) }}
}

func (c snappyCodec) Decode(dst, src []byte, size int) ([]byte, error) {
	return c.decode(dst, src, size, size)
}

func (c snappyCodec) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	return c.decode(dst, src, max(need, 0), size)
}

func (c snappyCodec) decode(dst, src []byte, need, size int) ([]byte, error) {
	if err := c.check("SNAPPY", src, size, snappyMaxRatio); err != nil {
		return dst, err
	}
	length, tags, err := snappy.Header(src)
	if err == nil && length != int64(size) {
		err = corrupt.At(-1, "the body holds ", length, " bytes, ", size, " are declared")
	}
	if err != nil {
		return dst, failed("SNAPPY", err)
	}
	n := min(need, size)
	dst = c.reserve(dst, n)
	// The decoder may write into the spare bytes after the body.
	end := len(dst) + n
	body := dst[len(dst) : end : end+c.spare]
	if n < size {
		err = snappy.DecodePrefix(body, src[tags:])
	} else {
		err = c.whole(body, src, tags)
	}
	if err != nil {
		return dst, failed("SNAPPY", err)
	}
	return dst[:end], nil
}
