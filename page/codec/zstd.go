package codec

import (
	"io"
	"math"
	"math/bits"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// zstdCodec decodes whole bodies straight into the caller's buffer, and
// prefixes as a stream whose window is no larger than the prefix.
type zstdCodec struct {
	memory
	whole, prefix *sync.Pool
}

// zstdReader is what a stream of frames keeps between two bodies.
type zstdReader struct {
	in    frameStream
	out   *zstd.Decoder
	probe [1]byte
}

const (
	// zstdTrust times its length is what an input may claim without proof.
	zstdTrust = 16
	// zstdKeep is the largest window that a reader at rest may hold on to.
	zstdKeep = 8 << 20
	// zstdWindow is the largest window that frames may ask for. Memory does
	// not depend on it: whole bodies are their own window, prefixes cut it.
	zstdWindow = math.MaxInt32
)

func newZstd(m memory) *zstdCodec {
	decoder := func() *zstd.Decoder {
		// The options are constants that the library accepts.
		d, _ := zstd.NewReader(nil,
			zstd.WithDecoderConcurrency(1), // no goroutines
			zstd.WithDecoderLowmem(false),  // buffers of a block's size, made once
			zstd.WithDecoderMaxWindow(zstdWindow),
			zstd.WithDecoderMaxMemory(math.MaxInt32), // no page is larger
			zstd.WithDecodeAllCapLimit(true))         // the buffer is ours to make
		return d
	}
	return &zstdCodec{
		memory: m,
		whole:  &sync.Pool{New: func() any { return decoder() }},
		prefix: &sync.Pool{New: func() any { return &zstdReader{out: decoder()} }},
	}
}

func (c *zstdCodec) Decode(dst, src []byte, size int) ([]byte, error) {
	if err := c.admit(src, size); err != nil {
		return dst, err
	}
	if !c.fits(dst, size) {
		if err := c.prove(src, size, size); err != nil {
			return dst, err
		}
		dst = c.reserve(dst, size)
	}
	d := c.whole.Get().(*zstd.Decoder)
	defer c.whole.Put(d)
	// The spare bytes let the library copy 16 at a time up to the end.
	base, end := len(dst), len(dst)+size
	out, err := d.DecodeAll(src, dst[base:base:end+c.spare])
	if err != nil {
		return dst, failed("ZSTD", err)
	}
	if len(out) != size {
		return dst, failed("ZSTD", wrongSize(len(out), size))
	}
	return dst[:end], nil
}

func (c *zstdCodec) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	// A stream copies what a whole body does not: near the end it is no gain.
	if int64(need)*4 > int64(size)*3 {
		return c.Decode(dst, src, size)
	}
	if err := c.admit(src, size); err != nil {
		return dst, err
	}
	return c.stream(dst, src, max(need, 0), size)
}

func (c *zstdCodec) stream(dst, src []byte, need, size int) ([]byte, error) {
	if !c.fits(dst, need) {
		if err := c.prove(src, need, size); err != nil {
			return dst, err
		}
		dst = c.reserve(dst, need)
	}
	r := c.prefix.Get().(*zstdReader)
	r.in = frameStream{rest: src, limit: int64(need) + blockSize}
	err := r.out.Reset(&r.in)
	if err == nil {
		dst, err = c.fill(dst, r.out, r.probe[:], len(src), need, size)
	}
	if r.in.window <= zstdKeep {
		r.in = frameStream{} // a reader at rest holds no page
		c.prefix.Put(r)
	}
	if err != nil {
		return dst, failed("ZSTD", err)
	}
	return dst, nil
}

// admit refuses what the headers of frames and blocks alone rule out.
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

// prove decodes an eighth of n bytes, where n is more than the input makes
// plausible: whoever wants a large buffer must have filled a smaller one.
func (c *zstdCodec) prove(src []byte, n, size int) error {
	if int64(n) <= zstdTrust*int64(len(src))+firstStep {
		return nil
	}
	_, err := c.stream(nil, src, n/8, size)
	return err
}

// frameStream hands frames to the decoder with headers of its own: the window
// cut to what a prefix can need, the declared content size left out, since the
// library makes memory for both before it has seen a block.
type frameStream struct {
	limit  int64  // largest useful window
	window int64  // largest window asked for so far
	header []byte // of the current frame, not yet read
	blocks []byte // of the current frame, not yet read
	rest   []byte // frames behind it
	buf    [10]byte
}

func (s *frameStream) Read(p []byte) (int, error) {
	for len(s.header)+len(s.blocks) == 0 {
		if len(s.rest) == 0 {
			return 0, io.EOF
		}
		f, err := nextFrame(s.rest)
		if err != nil {
			return 0, err
		}
		s.rest = f.rest
		if !f.skippable {
			log := max(bits.Len64(uint64(min(f.window, s.limit)-1)), 10)
			s.window = max(s.window, 1<<log)
			s.header, s.blocks = f.shortHeader(s.buf[:0], log), f.blocks
		}
	}
	n := copy(p, s.header)
	s.header = s.header[n:]
	if n == 0 {
		n = copy(p, s.blocks)
		s.blocks = s.blocks[n:]
	}
	return n, nil
}
