package plain

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Bools decodes BOOLEAN: one bit a value, the first in the least significant
// bit of the first byte.
type Bools struct {
	body []byte
	encoding.Cursor
}

// Reset starts on body, which holds at most n values.
func (d *Bools) Reset(body []byte, n int) error {
	*d = Bools{body, encoding.Cursor{Count: int(min(int64(n), 8*int64(len(body)))), EndsAt: len(body)}}
	return nil
}

// NextBits copies the next n values to the bits of dst from position at on.
func (d *Bools) NextBits(dst []uint64, at, n int) (int, error) {
	first, n, err := d.Take(n)
	bits.FromBytes(dst, at, d.body, first, n)
	return n, err
}

// GatherBits steps over n values and copies those whose bit is set in sel to
// the bits of dst from position at on. It returns their number.
func (d *Bools) GatherBits(dst []uint64, at int, sel []uint64, n int) (int, error) {
	first, n, err := d.Take(n)
	kept := 0
	var word [1]uint64
	for i := 0; i < n; i += 64 {
		part := min(64, n-i)
		bits.FromBytes(word[:], 0, d.body, first+i, part)
		kept += bits.Compress(dst, at+kept, word[:], sel[i/64:], part)
	}
	return kept, err
}

// Equal steps over n values and clears in sel the bit of each that is not want.
func (d *Bools) Equal(sel []uint64, n int, want bool) error {
	first, n, err := d.Take(n)
	var word [1]uint64
	for i := 0; i < n; i += 64 {
		part := min(64, n-i)
		bits.FromBytes(word[:], 0, d.body, first+i, part)
		if !want {
			word[0] = ^word[0]
		}
		bits.AndWord(sel, i, word[0], part)
	}
	return err
}
