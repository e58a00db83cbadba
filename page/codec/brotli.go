package codec

import "github.com/winnow-scan/winnow/page/codec/brotli"

func newBrotli(m memory) *decoder {
	return &decoder{m, "BROTLI", 0, newFiller(m, func() any { return new(brotli.Decoder) }).fill}
}
