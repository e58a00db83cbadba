package build

import (
	stdbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Reserve allocates memory for n more slots. It does not change Len.
func Reserve(v *vector.Vector, n int) {
	before := v.Len
	validity := v.Validity
	v.Validity = nil
	Extend(v, n)
	v.Len, v.Validity = before, validity
}

// Pack drops the slots whose bits in sel are clear, of the last n slots of a leaf
// without NULLs. These start at slot first, which has bit 0. Their memory must
// be there, but Len need not include them yet: Pack sets Len to first plus the
// number of slots that it kept.
func Pack(v *vector.Vector, first, n int, sel []uint64) {
	if v.Form != vector.Dictionary && v.Type.Store() == vector.InBools {
		v.Len = first + packBits(v.Bools[:bits.Words(first+n)], first, n, sel)
		return
	}
	b, width := Memory(v, first, first+n)
	v.Len = first + pack.Fixed(b, b, width, sel)
}

// packBits is Pack for n bits from first on; it returns the number of bits kept.
func packBits(b []uint64, first, n int, sel []uint64) int {
	var buffer [64]uint64
	kept := 0
	for i := 0; i < n; i += 64 * len(buffer) {
		part := min(64*len(buffer), n-i)
		bits.Copy(buffer[:], 0, b, first+i, part)
		kept += bits.Compress(b, first+kept, buffer[:], sel[i/64:], part)
	}
	return kept
}

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
