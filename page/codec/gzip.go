package codec

import (
	"sync"

	"github.com/winnow-scan/winnow/page/codec/inflate"
)

type gzipCodec struct {
	filler
}

// gzipMaxRatio bounds what one byte of deflate becomes: a match of at most 258
// bytes takes at least one bit for its length and one for its distance.
const gzipMaxRatio = 1032

func newGzip(m memory) *gzipCodec {
	return &gzipCodec{filler{m, "GZIP", &sync.Pool{New: func() any { return new(inflate.Decoder) }}}}
}

func (c *gzipCodec) Decode(dst, src []byte, size int) ([]byte, error) {
	return c.DecodePrefix(dst, src, size, size)
}

func (c *gzipCodec) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	if err := c.check("GZIP", src, size, gzipMaxRatio); err != nil {
		return dst, err
	}
	return c.fill(dst, src, min(max(need, 0), size), size)
}
