package codec

import (
	"sync"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/zstd"
)

type zstdCodec struct {
	filler
}

func newZstd(m memory) *zstdCodec {
	return &zstdCodec{filler{m, "ZSTD", &sync.Pool{New: func() any { return zstd.NewDecoder() }}}}
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
	return c.fill(dst, src, need, size) // admit has checked src
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
