package pred

import mathbits "math/bits"

// The loops below have no call and no branch per value: they test 64 values.

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
