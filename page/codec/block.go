package codec

import (
	"github.com/golang/snappy"
)

// The codecs of this file decode a body in one call: DecodePrefix decodes all.

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

// snappyTimes: a copy of 64 bytes takes three, and no tag does better.
const snappyTimes = 22

func (c snappyCodec) Decode(dst, src []byte, size int) ([]byte, error) {
	if err := c.check("SNAPPY", src, size, snappyTimes); err != nil {
		return dst, err
	}
	n, err := snappy.DecodedLen(src)
	if err != nil {
		return dst, failed("SNAPPY", err)
	}
	if n != size {
		return dst, failed("SNAPPY", wrongSize(n, size))
	}
	dst = c.reserve(dst, size)
	end := len(dst) + size
	if _, err := snappy.Decode(dst[len(dst):end], src); err != nil {
		return dst, failed("SNAPPY", err)
	}
	return dst[:end], nil
}

func (c snappyCodec) DecodePrefix(dst, src []byte, _, size int) ([]byte, error) {
	return c.Decode(dst, src, size)
}
