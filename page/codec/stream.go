package codec

import (
	"bytes"
	"io"

	"github.com/pierrec/lz4/v4"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// stream is a prefixDecoder by a library that is an io.Reader, so that it can stop early.
type stream struct {
	in    bytes.Reader
	out   resetReader
	probe [1]byte // here, because a local array passed to an io.Reader would escape
}

type resetReader interface {
	io.Reader
	Reset(io.Reader) error
}

func newStream(m memory, name string, ratio int, out func() resetReader) *decoder {
	return newFilled(m, name, ratio, func() any { return &stream{out: out()} })
}

func (s *stream) Decode(dst, src []byte) error       { return s.read(dst, src, true) }
func (s *stream) DecodePrefix(dst, src []byte) error { return s.read(dst, src, false) }

// read fills dst from a body, which must end there if it is read whole.
func (s *stream) read(dst, src []byte, whole bool) error {
	s.in.Reset(src)
	defer s.in.Reset(nil) // an idle stream does not keep the page in memory
	err := s.out.Reset(&s.in)
	n := 0
	if err == nil {
		n, err = io.ReadFull(s.out, dst)
	}
	switch {
	case n < len(dst) && (err == io.EOF || err == io.ErrUnexpectedEOF):
		return corrupt.At(-1, "the body holds ", n, " bytes, not ", len(dst))
	case err != nil || !whole:
		return err
	}
	if _, err = io.ReadFull(s.out, s.probe[:]); err == nil {
		return corrupt.At(-1, "the body holds more than the declared ", len(dst), " bytes")
	} else if err == io.EOF {
		err = nil
	}
	return err
}

func newLZ4Frame(m memory) *decoder {
	return newStream(m, "LZ4 frame", lz4MaxRatio, func() resetReader { return frameReader{lz4.NewReader(nil)} })
}

type frameReader struct{ *lz4.Reader }

func (r frameReader) Reset(in io.Reader) error {
	r.Reader.Reset(in)
	return nil
}
