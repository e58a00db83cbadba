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
		return nil, err
	}
	if len(src) != size {
		return nil, failed("UNCOMPRESSED", tooShort(len(src), size))
	}
	need = min(max(need, 0), size)
	return append(c.reserve(dst, need), src[:need]...), nil
}

type snappyCodec struct{ memory }

// snappyTimes: a copy of 64 bytes takes three, and no tag does better.
const snappyTimes = 22

func (c snappyCodec) Decode(dst, src []byte, size int) ([]byte, error) {
	if err := c.check("SNAPPY", src, size, snappyTimes); err != nil {
		return nil, err
	}
	n, err := snappy.DecodedLen(src)
	if err != nil {
		return nil, failed("SNAPPY", err)
	}
	if n != size {
		return nil, failed("SNAPPY", tooShort(n, size))
	}
	dst = c.reserve(dst, size)
	if _, err := snappy.Decode(dst[:size], src); err != nil {
		return nil, failed("SNAPPY", err)
	}
	return dst[:size], nil
}

func (c snappyCodec) DecodePrefix(dst, src []byte, _, size int) ([]byte, error) {
	return c.Decode(dst, src, size)
}
