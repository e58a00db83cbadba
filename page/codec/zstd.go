package codec

import (
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/zstd"
)

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
