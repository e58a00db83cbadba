package decodetest

import (
	"fmt"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// BitDecoder decodes booleans to bits, as plain.Bools and rle.Bools do.
type BitDecoder interface {
	Skip(n int) error
	NextBits(dst []uint64, at, n int) (int, error)
	GatherBits(dst []uint64, at int, sel []uint64, n int) (int, error)
	Equal(sel []uint64, n int, want bool) error
}

// Bools decodes booleans to values, which are taken from bits: from bit At on.
type Bools struct {
	BitDecoder
	At int
}

// Decoder returns b with its tests, for Drive.
func (b Bools) Decoder() Decoder[bool] {
	equal := func(want bool) Test[bool] {
		return Test[bool]{
			Name:  fmt.Sprint("Equal ", want),
			Clear: func(sel []uint64, n int) error { return b.Equal(sel, n, want) },
			Pass:  func(x bool) bool { return x == want },
		}
	}
	return Decoder[bool]{Next: b.Next, Skip: b.Skip, Gather: b.Gather, Tests: []Test[bool]{equal(true), equal(false)}}
}

// Next decodes values.
func (b Bools) Next(dst []bool) (int, error) {
	words := make([]uint64, bits.Words(b.At+len(dst)))
	n, err := b.NextBits(words, b.At, len(dst))
	return b.spread(dst, words, n), err
}

// Gather decodes the values that sel selects of n.
func (b Bools) Gather(dst []bool, sel []uint64, n int) (int, error) {
	words := make([]uint64, bits.Words(b.At+len(dst)))
	n, err := b.GatherBits(words, b.At, sel, n)
	return b.spread(dst, words, n), err
}

func (b Bools) spread(dst []bool, words []uint64, n int) int {
	for i := range dst[:n] {
		dst[i] = bits.Get(words, b.At+i)
	}
	return n
}
