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

type snappyCodec struct{ memory }

// snappyMaxRatio bounds what one byte of Snappy becomes: no tag does better than
// a copy of 64 bytes, which takes three.
const snappyMaxRatio = 22

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
	n, decode := size, snappy.Decode
	if need < size {
		n, decode = need, snappy.DecodePrefix
	}
	dst = c.reserve(dst, n)
	base, end := len(dst), len(dst)+n
	// The decoder may write into the spare bytes after the body.
	if err := decode(dst[base:end:end+c.spare], src[tags:]); err != nil {
		return dst, failed("SNAPPY", err)
	}
	return dst[:end], nil
}
