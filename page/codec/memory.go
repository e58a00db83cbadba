package codec

import (
	"io"
	"math"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// An input may claim trust times its length and firstStep more. For a larger
// buffer, a smaller one must have been filled: 1/proof of it.
const (
	trust = 16
	proof = 8
)

// memory makes the buffers of one Set.
type memory struct {
	spare int // bytes of capacity behind every body
}

// firstStep is what a body may need at the least before its input has to
// justify more: small pages are made in one go.
const firstStep = 1 << 16

// check refuses sizes that no buffer and no input can have. times is how many
// bytes one byte of input can become at most, 0 for no bound.
func (m memory) check(name string, src []byte, size, times int) error {
	if size < 0 || int64(size) > math.MaxInt-int64(m.spare) {
		return corrupt.At(-1, name, ": declared size of ", size, " bytes")
	}
	if times > 0 && int64(size) > int64(times)*int64(len(src)) {
		return corrupt.At(-1, name, ": ", len(src), " bytes cannot hold the declared ", size)
	}
	return nil
}

// fits says whether n more bytes and the spare ones fit behind dst.
func (m memory) fits(dst []byte, n int) bool { return cap(dst)-len(dst)-m.spare >= n }

// plausible says whether src may claim n bytes without proof.
func plausible(n int, src []byte) bool { return int64(n) <= trust*int64(len(src))+firstStep }

// reserve returns dst with room for n more bytes.
func (m memory) reserve(dst []byte, n int) []byte {
	if m.fits(dst, n) {
		return dst
	}
	grown := make([]byte, len(dst), len(dst)+n+m.spare)
	copy(grown, dst)
	return grown
}

// fill appends to dst what r yields, until need bytes are there. It wants the
// end of r right behind them if need is size. dst doubles as it fills, up to
// need: packed is the length of the input, four times which is taken on trust.
func (m memory) fill(dst []byte, r io.Reader, probe []byte, packed, need, size int) ([]byte, error) {
	if !m.fits(dst, 0) {
		dst = m.reserve(dst, min(need, firstStep))
	}
	body, idle := dst[len(dst):], 0
	for {
		into := probe // the body is complete: whatever comes now is too much
		if len(body) < need {
			if !m.fits(body, 1) {
				more := max(int64(firstStep), 4*int64(packed), int64(len(body)))
				more = min(more, int64(need-len(body)))
				base := len(dst)
				dst = m.reserve(dst[:base+len(body)], int(more))
				dst, body = dst[:base], dst[base:]
			}
			into = body[len(body):min(need, cap(body)-m.spare)]
		} else if need < size {
			return dst[:len(dst)+len(body)], nil
		}
		n, err := r.Read(into)
		if len(body) == size && n > 0 {
			return dst, corrupt.At(-1, "the body holds more than the declared ", size, " bytes")
		}
		body = body[:len(body)+n]
		switch {
		case err == io.EOF && len(body) == size:
			return dst[:len(dst)+len(body)], nil
		case err == io.EOF && len(body) < need:
			return dst, wrongSize(len(body), size)
		case err != nil && err != io.EOF:
			return dst, err
		}
		if n > 0 {
			idle = 0
		} else if idle++; idle == 100 {
			return dst, io.ErrNoProgress
		}
	}
}

func wrongSize(n, size int) error {
	return corrupt.At(-1, "the body holds ", n, " bytes, ", size, " are declared")
}

// failed dresses a library's error.
func failed(name string, err error) error {
	if e, ok := err.(*corrupt.Error); ok {
		dressed := *e
		dressed.What = name + ": " + e.What
		return &dressed
	}
	return corrupt.At(-1, name, ": ", err)
}
