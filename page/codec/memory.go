package codec

import (
	"io"
	"math"

	"github.com/winnow-scan/winnow/internal/corrupt"
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

// fits says whether dst has room for n bytes and the spare ones.
func (m memory) fits(dst []byte, n int) bool { return cap(dst)-m.spare >= n }

// reserve returns dst emptied if n bytes fit, else new memory for them.
func (m memory) reserve(dst []byte, n int) []byte {
	if m.fits(dst, n) {
		return dst[:0]
	}
	return make([]byte, 0, n+m.spare)
}

// fill reads r into dst until need bytes are there. It wants the end of r
// right behind them if need is size. dst doubles as it fills, up to need:
// packed is the length of the input, four times which is taken on trust.
func (m memory) fill(dst []byte, r io.Reader, probe []byte, packed, need, size int) ([]byte, error) {
	if dst = dst[:0]; !m.fits(dst, 0) {
		dst = m.grow(nil, packed, need)
	}
	idle := 0
	for {
		into := probe // the body is complete: whatever comes now is too much
		if len(dst) < need {
			if cap(dst)-m.spare <= len(dst) {
				dst = m.grow(dst, packed, need)
			}
			into = dst[len(dst):min(need, cap(dst)-m.spare)]
		} else if need < size {
			return dst, nil
		}
		n, err := r.Read(into)
		if len(dst) == size && n > 0 {
			return dst, corrupt.At(-1, "the body holds more than the declared ", size, " bytes")
		}
		dst = dst[:len(dst)+n]
		switch {
		case err == io.EOF && len(dst) < size && len(dst) < need:
			return dst, tooShort(len(dst), size)
		case err == io.EOF && len(dst) == size:
			return dst, nil
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

func (m memory) grow(dst []byte, packed, need int) []byte {
	n := max(int64(firstStep), 4*int64(packed), 2*int64(len(dst)))
	grown := make([]byte, len(dst), int(min(n, int64(need)))+m.spare)
	copy(grown, dst)
	return grown
}

func tooShort(n, size int) error {
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
