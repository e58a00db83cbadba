package codec

import (
	"sync"

	"github.com/winnow-scan/winnow/page/codec/inflate"
)

type gzipCodec struct {
	memory
	idle *sync.Pool // of *inflate.Decoder
}

// gzipMaxRatio bounds what one byte of deflate becomes: a match of at most 258
// bytes takes at least one bit for its length and one for its distance.
const gzipMaxRatio = 1032

func newGzip(m memory) *gzipCodec {
	return &gzipCodec{m, &sync.Pool{New: func() any { return new(inflate.Decoder) }}}
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

// fill appends need bytes to dst. For an implausible need, it decodes 1/proof of it first.
func (c *gzipCodec) fill(dst, src []byte, need, size int) ([]byte, error) {
	if !c.fits(dst, need) {
		if !plausible(need, src) {
			if _, err := c.fill(nil, src, need/proof, size); err != nil {
				return dst, err
			}
		}
		dst = c.reserve(dst, need)
	}
	d := c.idle.Get().(*inflate.Decoder)
	defer c.idle.Put(d)
	decode := d.Decode
	if need < size {
		decode = d.DecodePrefix
	}
	// The decoder may write into the spare bytes behind the body.
	base, end := len(dst), len(dst)+need
	if err := decode(dst[base:end:end+c.spare], src); err != nil {
		return dst, failed("GZIP", err)
	}
	return dst[:end], nil
}
