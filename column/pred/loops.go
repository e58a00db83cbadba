package pred

import "github.com/winnow-scan/winnow/encoding/bits"

// The loops below have no call and no branch per value: 64 of them make a word
// that the selection meets. Where a word of the selection is empty, its values
// are passed over.

// keepWithin clears the bits of values that are not from lo to hi.
func keepWithin[T int32 | int64](sel []uint64, values []T, lo, hi int64) {
	if lo > hi {
		bits.ClearRange(sel, 0, len(values))
		return
	}
	width := uint64(hi) - uint64(lo)
	passes := func(x T) uint64 { return bit(uint64(int64(x))-uint64(lo) <= width) }
	full := len(values) / 64
	for i := range full {
		if v := (*[64]T)(values[i*64:]); sel[i] != 0 {
			var passed uint64
			for b := 0; b < 64; b += 4 { // shifts by what is known come at once
				passed |= (passes(v[b]) | passes(v[b+1])<<1 | passes(v[b+2])<<2 | passes(v[b+3])<<3) << (b & 63)
			}
			sel[i] &= passed
		}
	}
	values = values[full*64:]
	for i := full; len(values) > 0; i++ {
		n := min(64, len(values))
		if sel[i]&bits.Low(n) != 0 {
			var passed uint64
			for b, x := range values[:n] {
				passed |= bit(uint64(int64(x))-uint64(lo) <= width) << b
			}
			sel[i] &= passed | ^bits.Low(n)
		}
		values = values[n:]
	}
}

// keepBetween is keepWithin for floats. NaN is not between anything.
func keepBetween[T float32 | float64](sel []uint64, values []T, lo, hi float64) {
	for i := 0; len(values) > 0; i++ {
		n := min(64, len(values))
		if sel[i]&bits.Low(n) != 0 {
			var passed uint64
			for b, x := range values[:n] {
				passed |= (bit(lo <= float64(x)) & bit(float64(x) <= hi)) << b
			}
			sel[i] &= passed | ^bits.Low(n)
		}
		values = values[n:]
	}
}

// keepMarked clears the bits of integers whose bit in marks, counted from
// least, is clear.
func keepMarked[T int32 | int64](sel []uint64, values []T, marks []uint64, least int64) {
	for i := 0; len(values) > 0; i++ {
		n := min(64, len(values))
		if sel[i]&bits.Low(n) != 0 {
			var passed uint64
			for b, x := range values[:n] {
				if at := uint64(int64(x)) - uint64(least); at>>6 < uint64(len(marks)) {
					passed |= (marks[at>>6] >> (at & 63) & 1) << b
				}
			}
			sel[i] &= passed | ^bits.Low(n)
		}
		values = values[n:]
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
