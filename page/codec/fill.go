package codec

import (
	"sync"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/zstd"
)

// prefixDecoder decodes all of src into dst, or only the bytes that fill dst. It may write
// after dst, up to its capacity.
type prefixDecoder interface {
	Decode(dst, src []byte) error
	DecodePrefix(dst, src []byte) error
}

// filler decodes bodies by decoders that must be told the size of their output.
type filler struct {
	memory
	idle sync.Pool // of prefixDecoder
}

func newFiller(m memory, decoder func() any) *filler {
	return &filler{m, sync.Pool{New: decoder}}
}

// gzipMaxRatio bounds what one byte of deflate becomes: a match of at most 258
// bytes takes at least one bit for its length and one for its distance.
const gzipMaxRatio = 1032

// newFilled returns a codec of bodies that prefixDecoders decode.
func newFilled(m memory, name string, ratio int, decoders func() any) *decoder {
	return &decoder{m, name, ratio, newFiller(m, decoders).fill}
}

// fill appends need bytes to dst, of the size bytes that src holds. If need is implausible
// for src, it decodes 1/proof of it first.
func (c *filler) fill(dst, src []byte, need, size int) ([]byte, error) {
	if !c.fits(dst, need) {
		if !plausible(need, src) {
			if _, err := c.fill(nil, src, need/proof, size); err != nil {
				return dst, err
			}
		}
		dst = c.reserve(dst, need)
	}
	d := c.idle.Get().(prefixDecoder)
	defer c.idle.Put(d)
	decode := d.Decode
	if need < size {
		decode = d.DecodePrefix
	}
	// The decoder may write into the spare bytes after the body.
	base, end := len(dst), len(dst)+need
	if err := decode(dst[base:end:end+c.spare], src); err != nil {
		return dst, err
	}
	return dst[:end], nil
}

func newZstd(m memory) *decoder { return zstdBy(m, func() any { return zstd.NewDecoder() }) }

// zstdBy returns the codec that decodes frames by prefixDecoders.
func zstdBy(m memory, decoders func() any) *decoder {
	f := newFiller(m, decoders)
	return &decoder{m, "ZSTD", 0, func(dst, src []byte, need, size int) ([]byte, error) {
		reach, err := zstd.Reach(src)
		if err == nil && reach < int64(size) {
			err = corrupt.At(-1, "blocks of at most ", reach, " bytes cannot hold the declared ", size)
		}
		if err != nil {
			return dst, err
		}
		return f.fill(dst, src, need, size)
	}}
}
