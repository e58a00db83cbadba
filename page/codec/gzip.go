package codec

import (
	"sync"

	"github.com/winnow-scan/winnow/page/codec/inflate"
)

type gzipCodec struct {
	memory
	idle *sync.Pool // of *inflate.Decoder
}

// gzipTimes: a deflate symbol of a bit or more becomes at most 258 bytes, with
// its distance at least two bits: 1032 bytes from one.
const gzipTimes = 1032

func newGzip(m memory) *gzipCodec {
	return &gzipCodec{m, &sync.Pool{New: func() any { return new(inflate.Decoder) }}}
}

func (c *gzipCodec) Decode(dst, src []byte, size int) ([]byte, error) {
	return c.DecodePrefix(dst, src, size, size)
}

func (c *gzipCodec) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	if err := c.check("GZIP", src, size, gzipTimes); err != nil {
		return dst, err
	}
	return c.fill(dst, src, min(max(need, 0), size), size)
}

// fill appends need bytes to dst.
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
	// Spare bytes are for what writes more than it should.
	base, end := len(dst), len(dst)+need
	if err := decode(dst[base:end:end+c.spare], src); err != nil {
		return dst, failed("GZIP", err)
	}
	return dst[:end], nil
}
