package build

import (
	stdbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Spread moves the values or codes of the slots from first on, which are packed
// at the front, to the slots that are not NULL, and zeroes the others:
//
//	Validity    1 0 0 1 1
//	before      a b c ? ?
//	after       a 0 0 b c
func Spread(v *vector.Vector, first int) {
	n := v.Len - first
	if len(v.Validity) == 0 || n <= 0 {
		return
	}
	if v.Form != vector.Dictionary && v.Type.Store() == vector.InBools {
		spreadBits(v.Bools, v.Validity, first, v.Len)
		return
	}
	b, width := Memory(v, first, v.Len)
	pack.Spread(b, width, v.Validity, first)
}

// spreadBits is Spread for the bits [first, end).
func spreadBits(b, validity []uint64, first, end int) {
	packed := first + bits.Count(validity, first, end)
	for packed < end {
		start := first + (end-first-1)&^63
		mask := [1]uint64{bits.Extract(validity, start) & bits.Low(end-start)}
		count := stdbits.OnesCount64(mask[0])
		packed -= count
		var word, spread [1]uint64
		if count > 0 {
			word[0] = bits.Extract(b, packed)
			bits.Deposit(spread[:], word[:], 0, mask[:], end-start)
		}
		bits.Insert(b, start, spread[0], end-start)
		end = start
	}
}
