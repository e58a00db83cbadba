package codec

import (
	"math"

	"github.com/andybalholm/brotli"
	golang "github.com/golang/snappy"
	"github.com/klauspost/compress/gzip"
	klauspost "github.com/klauspost/compress/zstd"
	pierrec "github.com/pierrec/lz4/v4"
	"github.com/winnow-scan/winnow/page/codec/zstd"
	"github.com/winnow-scan/winnow/thrift"
)

// A Library is a codec whose Decode is that of a library, and shares no code with the decoder
// of a Set.
type Library struct {
	Codec
	Name string
}

// Libraries returns the libraries, by number, for the codecs that a Set decodes by code of this
// module on this machine: a second opinion about bodies.
func Libraries() map[thrift.Codec]Library {
	m := memory{}
	all := map[thrift.Codec]Library{
		thrift.CodecSnappy: {librarySnappy(m), "golang/snappy"},
		thrift.CodecGzip:   {newStream(m, "GZIP", gzipMaxRatio, func() resetReader { return new(gzip.Reader) }), "klauspost/compress"},
		thrift.CodecBrotli: {newStream(m, "BROTLI", 0, func() resetReader { return new(brotli.Reader) }), "andybalholm/brotli"},
		thrift.CodecLZ4Raw: {newFilled(m, "LZ4_RAW", lz4MaxRatio, func() any { return wholeBlocks{} }), "pierrec/lz4"},
	}
	if zstd.HasKernels() {
		all[thrift.CodecZstd] = Library{libraryZstd(memory{}), "klauspost/compress"}
	}
	return all
}

// byLibrary returns a codec that decodes bodies by a library, on machines for which our own decoder
// has no kernels. That decodes short prefixes, and what the library refuses: it says what is wrong,
// and where.
func byLibrary(library, own *decoder) *decoder {
	return &decoder{own.memory, own.name, own.ratio, func(dst, src []byte, need, size int) ([]byte, error) {
		if int64(need)*carefulSlower >= int64(size) {
			if out, err := library.decode(dst, src, size, size); err == nil {
				return out, nil
			}
		}
		return own.decode(dst, src, need, size)
	}}
}

// carefulSlower is the time of our decoder of ZSTD without kernels over that of the library, for
// as many bytes.
const carefulSlower = 5

// librarySnappy returns the codec of golang/snappy.
func librarySnappy(m memory) *decoder {
	return snappyBy(m, func(dst, block []byte, _ int) error {
		out, err := golang.Decode(dst[:len(dst):len(dst)], block)
		return checkSize(out, dst, err)
	})
}

// wholeBlocks decodes prefixes, which prove implausible sizes, by our own decoder.
type wholeBlocks struct{ lz4Block }

// Decode fills dst from a block. The library is not given an empty dst: its assembly subtracts from
// the end of dst, which wraps around at nil and then looks like free space.
func (b wholeBlocks) Decode(dst, src []byte) error {
	if len(dst) == 0 {
		return b.lz4Block.Decode(dst, src)
	}
	n, err := pierrec.UncompressBlock(src, dst)
	return checkSize(dst[:n], dst, err)
}

// libraryZstd returns the codec of klauspost/compress.
func libraryZstd(m memory) *decoder {
	return zstdBy(m, func() any {
		// The options are constants that the library accepts.
		d, _ := klauspost.NewReader(nil,
			klauspost.WithDecoderConcurrency(1), // no goroutines
			klauspost.WithDecoderLowmem(false),  // buffers of a block's size, made once
			klauspost.WithDecoderMaxWindow(math.MaxInt32),
			klauspost.WithDecoderMaxMemory(math.MaxInt32), // no page is larger
			klauspost.WithDecodeAllCapLimit(true))         // the caller makes the buffer
		return wholeFrames{zstd.NewDecoder(), d}
	})
}

// wholeFrames decodes prefixes, which prove implausible sizes, by our own decoder.
type wholeFrames struct {
	*zstd.Decoder
	library *klauspost.Decoder
}

// Decode fills dst from frames, which must give exactly as many bytes.
func (d wholeFrames) Decode(dst, src []byte) error {
	out, err := d.library.DecodeAll(src, dst[:0])
	return checkSize(out, dst, err)
}

// checkSize returns err, of a library, or an error if out has another size than was wanted.
func checkSize(out, wanted []byte, err error) error {
	if err == nil && len(out) != len(wanted) {
		err = wrongSize(len(out), len(wanted))
	}
	return err
}
