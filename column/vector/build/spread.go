package build

import (
	stdbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
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
	if v.Form == vector.Dictionary {
		spreadValues(v.Codes[first:v.Len], v.Validity, first)
		return
	}
	switch v.Type.Store() {
	case vector.InBools:
		spreadBits(v.Bools, v.Validity, first, v.Len)
	case vector.InInt32s:
		spreadValues(v.Int32s[first:v.Len], v.Validity, first)
	case vector.InInt64s:
		spreadValues(v.Int64s[first:v.Len], v.Validity, first)
	case vector.InFloats:
		spreadValues(v.Floats[first:v.Len], v.Validity, first)
	case vector.InDoubles:
		spreadValues(v.Doubles[first:v.Len], v.Validity, first)
	case vector.InFixed:
		w := v.Type.Width()
		spreadFixed(v.Fixed[first*w:v.Len*w], w, v.Validity, first)
	case vector.InViews:
		spreadValues(v.Views[first:v.Len], v.Validity, first)
	}
}

// few is the number of values in 64 slots up to which they are moved one by one.
const few = 16

// spreadValues is Spread for a slice whose slot 0 has bit first of validity.
// It goes from the last slot to the first, 64 at a time, because a value never
// moves towards the start. It stops where no slot below is NULL.
func spreadValues[T any](values []T, validity []uint64, first int) {
	packed := bits.Count(validity, first, first+len(values))
	var zero T
	for end := len(values); packed < end; {
		start := (end - 1) &^ 63
		w := bits.Extract(validity, first+start) & bits.Low(end-start)
		switch count := stdbits.OnesCount64(w); {
		case count == end-start:
			copy(values[start:end], values[packed-count:packed])
			packed -= count
		case count <= few && packed <= start:
			out := values[start:end]
			clear(out)
			for ; w != 0; w &^= 1 << 63 >> stdbits.LeadingZeros64(w) {
				packed--
				out[63-stdbits.LeadingZeros64(w)] = values[packed]
			}
		default:
			for i := end - 1; i >= start; i-- {
				bit := int(w >> (uint(i) % 64) & 1)
				packed -= bit
				x := values[packed]
				if bit == 0 { // a conditional move, no branch
					x = zero
				}
				values[i] = x
			}
		}
		end = start
	}
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
