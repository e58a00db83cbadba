package codec

import (
	"math"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// A buffer of at most trust times the input's length, plus firstStep, is allocated without
// proof. Before a larger one, 1/proof of its size must have been decoded. Not measured:
// these bound the memory that a hostile claim can get.
const (
	trust = 16
	proof = 8
)

// memory allocates the buffers of one Set.
type memory struct {
	spare int // bytes of capacity after every body
}

// firstStep is the size up to which the input does not have to justify a buffer:
// small pages are allocated at once.
const firstStep = 1 << 16

// check returns an error for a size that no buffer can have, or that no body of
// src's length can hold. maxRatio is the number of bytes that one byte of input
// becomes at most, 0 for no bound.
func (m memory) check(src []byte, size, maxRatio int) error {
	if size < 0 || int64(size) > math.MaxInt-int64(m.spare) {
		return corrupt.At(-1, "declared size of ", size, " bytes")
	}
	if maxRatio > 0 && int64(size) > int64(maxRatio)*int64(len(src)) {
		return corrupt.At(-1, len(src), " bytes cannot hold the declared ", size)
	}
	return nil
}

// fits reports whether dst has capacity for n more bytes and the spare ones.
func (m memory) fits(dst []byte, n int) bool { return cap(dst)-len(dst)-m.spare >= n }

// plausible reports whether n bytes may be allocated for src without proof.
func plausible(n int, src []byte) bool { return int64(n) <= trust*int64(len(src))+firstStep }

// reserve returns dst with capacity for n more bytes and the spare ones.
func (m memory) reserve(dst []byte, n int) []byte {
	if m.fits(dst, n) {
		return dst
	}
	grown := make([]byte, len(dst), len(dst)+n+m.spare)
	copy(grown, dst)
	return grown
}

func wrongSize(n, size int) error {
	return corrupt.At(-1, "the body holds ", n, " bytes, ", size, " are declared")
}

// failed returns err, of a decoder, with the codec's name, as a *corrupt.Error.
func failed(name string, err error) error {
	if e, ok := err.(*corrupt.Error); ok {
		named := *e
		named.What = name + ": " + e.What
		return &named
	}
	return corrupt.At(-1, name, ": ", err)
}
