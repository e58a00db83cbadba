package codec

import "github.com/winnow-scan/winnow/page/codec/inflate"

// gzipMaxRatio bounds what one byte of deflate becomes: a match of at most 258
// bytes takes at least one bit for its length and one for its distance.
const gzipMaxRatio = 1032

func newGzip(m memory) *decoder {
	return &decoder{m, "GZIP", gzipMaxRatio, newFiller(m, func() any { return new(inflate.Decoder) }).fill}
}
