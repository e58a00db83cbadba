//go:build !purego

package codec

import (
	"math"

	library "github.com/klauspost/compress/zstd"
	"github.com/winnow-scan/winnow/page/codec/zstd"
)

// libraryZstd decodes whole bodies by a library with assembly for arm64, which package
// zstd does not have.
type libraryZstd struct {
	*zstd.Decoder
	whole *library.Decoder
}

func newZstdDecoder() prefixDecoder {
	// The options are constants that the library accepts.
	d, _ := library.NewReader(nil,
		library.WithDecoderConcurrency(1), // no goroutines
		library.WithDecoderLowmem(false),  // buffers of a block's size, made once
		library.WithDecoderMaxWindow(math.MaxInt32),
		library.WithDecoderMaxMemory(math.MaxInt32), // no page is larger
		library.WithDecodeAllCapLimit(true))         // the caller makes the buffer
	return &libraryZstd{zstd.NewDecoder(), d}
}

func (d *libraryZstd) Decode(dst, src []byte) error {
	out, err := d.whole.DecodeAll(src, dst[:0])
	if err == nil && len(out) != len(dst) {
		err = wrongSize(len(out), len(dst))
	}
	return err
}
