package codec

import (
	"bytes"
	"io"
	"sync"

	"github.com/pierrec/lz4/v4"
)

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

// newStream returns a codec whose library is an io.Reader, so that it can stop early.
func newStream(m memory, name string, ratio int, out func() resetReader) *decoder {
	readers := &sync.Pool{New: func() any { return &reader{out: out()} }}
	return &decoder{m, name, ratio, func(dst, src []byte, need, size int) ([]byte, error) {
		r := readers.Get().(*reader)
		defer readers.Put(r)
		r.in.Reset(src)
		defer r.in.Reset(nil) // an idle reader does not keep the page in memory
		if err := r.out.Reset(&r.in); err != nil {
			return dst, err
		}
		return m.fill(dst, r.out, r.probe[:], len(src), need, size)
	}}
}

func newLZ4Frame(m memory) *decoder {
	return newStream(m, "LZ4 frame", lz4MaxRatio, func() resetReader { return frameReader{lz4.NewReader(nil)} })
}

type frameReader struct{ *lz4.Reader }

func (r frameReader) Reset(in io.Reader) error {
	r.Reader.Reset(in)
	return nil
}
