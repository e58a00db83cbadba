package pack

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Spread is the inverse of Fixed. It moves the values at the front of b, of width bytes each, to the slots whose bits in
// validity are set, of which the first is that of slot 0, and zeroes the other slots:
//
//	validity    1 0 0 1 1
//	before      a b c ? ?
//	after       a 0 0 b c
//
// It goes from the last slot to the first, 64 at a time, because a value never moves towards the start. It stops where no
// slot below is NULL.
func Spread(b []byte, width int, validity []uint64, first int) {
	n := len(b) / max(width, 1)
	packed := bits.Count(validity, first, first+n)
	to := moverOf(width)
	for end := n; packed < end; {
		start := (end - 1) &^ 63
		valid := bits.Extract(validity, first+start) & bits.Low(end-start)
		count := mathbits.OnesCount64(valid)
		packed -= count
		slots, values := b[start*width:end*width], b[packed*width:][:count*width]
		if count == end-start || packed+count > start { // no NULL, or slots and values overlap
			spreadRuns(slots, values, width, valid)
		} else {
			to.spread(slots, values, width, valid)
		}
		end = start
	}
}

// spreadRuns moves values to the slots whose bits are set, by runs from the last to the first, and zeroes the others. No
// value moves towards the start if slots and values overlap.
func spreadRuns(slots, values []byte, width int, valid uint64) {
	for at := len(slots) / width; at > 0; {
		w := valid << (64 - at)
		run := min(mathbits.LeadingZeros64(^w), at)
		values = values[:len(values)-copy(slots[(at-run)*width:], values[len(values)-run*width:])]
		at -= run
		run = min(mathbits.LeadingZeros64(w<<run), at)
		clear(slots[(at-run)*width : at*width])
		at -= run
	}
}
