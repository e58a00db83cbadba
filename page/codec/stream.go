package codec

import (
	"bytes"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/pierrec/lz4/v4"
)

// stream is a codec whose library is an io.Reader, so that it can stop early.
type stream struct {
	memory
	name    string
	ratio   int // see maxRatio of memory.check
	readers *sync.Pool
}

// reader is the state of a stream that is reused for the next body.
type reader struct {
	in    bytes.Reader
	out   resetReader
	probe [1]byte // here, because a local array passed to an io.Reader would escape
}

type resetReader interface {
	io.Reader
	Reset(io.Reader) error
}

func newStream(m memory, name string, ratio int, out func() resetReader) *stream {
	pool := &sync.Pool{New: func() any { return &reader{out: out()} }}
	return &stream{memory: m, name: name, ratio: ratio, readers: pool}
}

func newBrotli(m memory) *stream {
	return newStream(m, "BROTLI", 0, func() resetReader { return new(brotli.Reader) })
}

func newLZ4Frame(m memory) *stream {
	return newStream(m, "LZ4 frame", lz4MaxRatio, func() resetReader { return frameReader{lz4.NewReader(nil)} })
}

type frameReader struct{ *lz4.Reader }

func (r frameReader) Reset(in io.Reader) error {
	r.Reader.Reset(in)
	return nil
}

func (c *stream) Decode(dst, src []byte, size int) ([]byte, error) {
	return c.DecodePrefix(dst, src, size, size)
}

func (c *stream) DecodePrefix(dst, src []byte, need, size int) ([]byte, error) {
	if err := c.check(c.name, src, size, c.ratio); err != nil {
		return dst, err
	}
	r := c.readers.Get().(*reader)
	defer c.readers.Put(r)
	r.in.Reset(src)
	defer r.in.Reset(nil) // an idle reader does not keep the page in memory
	err := r.out.Reset(&r.in)
	if err == nil {
		need = min(max(need, 0), size)
		dst, err = c.fill(dst, r.out, r.probe[:], len(src), need, size)
	}
	if err != nil {
		return dst, failed(c.name, err)
	}
	return dst, nil
}
