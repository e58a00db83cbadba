package rle

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Bools decodes booleans, which are codes of one bit. It has the methods of plain.Bools.
type Bools struct{ d Codes }

// Reset starts on body, which holds at most n values.
func (b *Bools) Reset(body []byte, n int) error { return b.d.Reset(body, 1, 2, n) }

// NextRun is Codes.NextRun.
func (b *Bools) NextRun(max int) (Run, error) { return b.d.NextRun(max) }

// Next decodes the next len(dst) values; fewer only with an error.
func (b *Bools) Next(dst []bool) (int, error) { return b.d.nextBytes(encoding.Memory(dst)) }

// NextBits copies the next n values to the bits of dst from position at on.
func (b *Bools) NextBits(dst []uint64, at, n int) (int, error) {
	before := b.d.n
	err := b.d.copyBits(dst, at, n)
	return before - b.d.n, err
}

// Skip steps over n values.
func (b *Bools) Skip(n int) error { return b.d.Skip(n) }

// Gather steps over n values and decodes those whose bit is set in sel.
func (b *Bools) Gather(dst []bool, sel []uint64, n int) (int, error) {
	kept := 0
	for at := 0; at < n; {
		r, err := b.d.NextRun(n - at)
		if err != nil {
			return kept, err
		}
		for p := bits.Next(sel, at, at+r.N); p < at+r.N; p = bits.Next(sel, p+1, at+r.N) {
			set := r.Value != 0
			if i := r.First + p - at; r.Packed != nil {
				set = r.Packed[i/8]>>(i%8)&1 != 0
			}
			dst[kept] = set
			kept++
		}
		at += r.N
	}
	return kept, nil
}

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
