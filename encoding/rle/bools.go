package rle

import (
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Bools decodes booleans, which are codes of one bit. It has the methods of plain.Bools.
type Bools struct{ d Codes }

// Reset starts on body, which holds at most n values.
func (b *Bools) Reset(body []byte, n int) error { return b.d.Reset(body, 1, 2, n) }

// NextBits copies the next n values to the bits of dst from position at on.
func (b *Bools) NextBits(dst []uint64, at, n int) (int, error) {
	before := b.d.n
	err := b.d.copyBits(dst, at, n)
	return before - b.d.n, err
}

// Skip steps over n values.
func (b *Bools) Skip(n int) error { return b.d.Skip(n) }

// GatherBits steps over n values and copies those whose bit is set in sel to
// the bits of dst from position at on. It returns their number.
func (b *Bools) GatherBits(dst []uint64, at int, sel []uint64, n int) (int, error) {
	kept := 0
	var words [block / 64]uint64
	for i := 0; i < n; i += block {
		got, err := b.NextBits(words[:], 0, min(block, n-i))
		kept += bits.Compress(dst, at+kept, words[:], sel[i/64:], got)
		if err != nil {
			return kept, err
		}
	}
	return kept, nil
}

// Equal steps over n values and clears in sel the bit of each that is not want.
func (b *Bools) Equal(sel []uint64, n int, want bool) error {
	passing := [1]uint64{1}
	if want {
		passing[0] = 2
	}
	mask := bitpack.MakeMask(passing[:], 2)
	return b.d.filter(sel, 0, n, &mask)
}
