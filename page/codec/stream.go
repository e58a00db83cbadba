package codec

import (
	"bytes"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/pierrec/lz4/v4"
)

// stream is a codec whose library reads a stream, so that it can stop early.
type stream struct {
	memory
	name    string
	times   int // see memory.check
	readers *sync.Pool
}

// reader is what a stream keeps between two bodies.
type reader struct {
	in    bytes.Reader
	out   resetReader
	probe [1]byte // an array of its own, since what goes through io.Reader escapes
}

type resetReader interface {
	io.Reader
	Reset(io.Reader) error
}

func newStream(m memory, name string, times int, out func() resetReader) *stream {
	pool := &sync.Pool{New: func() any { return &reader{out: out()} }}
	return &stream{memory: m, name: name, times: times, readers: pool}
}

func newBrotli(m memory) *stream {
	return newStream(m, "BROTLI", 0, func() resetReader { return new(brotli.Reader) })
}

func newLZ4Frame(m memory) *stream {
	return newStream(m, "LZ4 frame", lz4Times, func() resetReader { return frameReader{lz4.NewReader(nil)} })
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
	if err := c.check(c.name, src, size, c.times); err != nil {
		return dst, err
	}
	r := c.readers.Get().(*reader)
	defer c.readers.Put(r)
	r.in.Reset(src)
	defer r.in.Reset(nil) // a reader at rest holds no page
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
