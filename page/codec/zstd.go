package codec

import (
	"sync"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

type zstdCodec struct {
	memory
	idle *sync.Pool // of zstdDecoder
}

// zstdDecoder decodes all of src into dst, or only as much as fills dst. It may
// write behind dst, up to its capacity.
type zstdDecoder interface {
	Decode(dst, src []byte) error
	DecodePrefix(dst, src []byte) error
}

func newZstd(m memory) *zstdCodec {
	return &zstdCodec{m, &sync.Pool{New: func() any { return newZstdDecoder() }}}
}

func (c *zstdCodec) Decode(dst, src []byte, size int) ([]byte, error) {
	return c.decode(dst, src, size, size)
}

func (c *zstdCodec) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	return c.decode(dst, src, min(max(need, 0), size), size)
}

func (c *zstdCodec) decode(dst, src []byte, need, size int) ([]byte, error) {
	if err := c.admit(src, size); err != nil {
		return dst, err
	}
	return c.fill(dst, src, need, size)
}

// fill appends need bytes to dst. admit has checked src. For an implausible need, it
// decodes 1/proof of it first.
func (c *zstdCodec) fill(dst, src []byte, need, size int) ([]byte, error) {
	if !c.fits(dst, need) {
		if !plausible(need, src) {
			if _, err := c.fill(nil, src, need/proof, size); err != nil {
				return dst, err
			}
		}
		dst = c.reserve(dst, need)
	}
	d := c.idle.Get().(zstdDecoder)
	defer c.idle.Put(d)
	decode := d.Decode
	if need < size {
		decode = d.DecodePrefix
	}
	// The decoder may write into the spare bytes behind the body.
	base, end := len(dst), len(dst)+need
	if err := decode(dst[base:end:end+c.spare], src); err != nil {
		return dst, failed("ZSTD", err)
	}
	return dst[:end], nil
}

// admit returns an error if the headers of frames and blocks show that src cannot
// hold size bytes.
func (c *zstdCodec) admit(src []byte, size int) error {
	if err := c.check("ZSTD", src, size, 0); err != nil {
		return err
	}
	reach := int64(0)
	for rest := src; len(rest) > 0; {
		f, err := nextFrame(rest)
		if err != nil {
			return failed("ZSTD", err)
		}
		rest = f.rest
		reach += f.reach
	}
	if reach < int64(size) {
		return corrupt.At(-1, "ZSTD: blocks of at most ", reach, " bytes cannot hold the declared ", size)
	}
	return nil
}
