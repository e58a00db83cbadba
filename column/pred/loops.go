package pred

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// The loops below have no call and no branch per value: they test 64 values
// and AND the word of the answers into the selection. Where a word of the
// selection is 0, its values are not tested.

// keepIntsInRange clears the bits of values that are not from lo to hi.
func keepIntsInRange[T int32 | int64](sel []uint64, values []T, lo, hi int64) {
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
			for b := 0; b < 64; b += 4 { // unrolled: shifts by constants do not wait for each other
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

// keepFloatsInRange is keepIntsInRange for floats. NaN is in no range.
func keepFloatsInRange[T float32 | float64](sel []uint64, values []T, lo, hi float64) {
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

// inBitmap returns a word with the bit of each value whose bit in bitmap is set.
// Bit 0 of the bitmap, the value start's, is clear. All values outside of its n
// bits are looked up there.
func inBitmap[T int32 | int64](values *[64]T, bitmap []uint64, start, n uint64) (w uint64) {
	at := func(x T) uint64 {
		d := uint64(int64(x)) - start
		_, within := mathbits.Sub64(d, n, 0) // the borrow is 1 if d < n; a branch would often be mispredicted
		return d & -within
	}
	for i := 0; i < 64; i += 4 {
		v := (*[4]T)(values[i:])
		a, b, c, d := at(v[0]), at(v[1]), at(v[2]), at(v[3])
		w |= (bitmap[a/64]>>(a%64)&1 | bitmap[b/64]>>(b%64)&1<<1 | bitmap[c/64]>>(c%64)&1<<2 | bitmap[d/64]>>(d%64)&1<<3) << (i & 63)
	}
	return w
}

// inSieve returns a word with the bit of each value whose hash has its bit in
// sieve set.
func inSieve[T int32 | int64](values *[64]T, sieve []uint64, shift uint) (w uint64) {
	at := func(x T) uint64 { return hash(uint64(int64(x))) >> (shift & 63) }
	for i := 0; i < 64; i += 4 {
		v := (*[4]T)(values[i:])
		a, b, c, d := at(v[0]), at(v[1]), at(v[2]), at(v[3])
		w |= (sieve[a/64]>>(a%64)&1 | sieve[b/64]>>(b%64)&1<<1 | sieve[c/64]>>(c%64)&1<<2 | sieve[d/64]>>(d%64)&1<<3) << (i & 63)
	}
	return w
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
