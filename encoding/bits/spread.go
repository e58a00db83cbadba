package bits

import "math/bits"

// Spread gives each of n items the bit of the group that it is in: starts marks the first item of
// each group, and src has a bit for each group.
//
//	starts      1 0 0 1 1 0
//	src         1     0 1
//	changes     1     1 1        where a group's bit differs from the one before
//	  by items  1 0 0 1 1 0
//	dst         1 1 1 0 1 1      where the number of changes so far is odd
//
// It turns a selection of rows into one of slots.
func Spread(dst, src, starts []uint64, n int) {
	at, before, odd := 0, uint64(0), uint64(0)
	for i := range Words(n) {
		m, w := starts[i], uint64(0)
		if n-64*i < 64 {
			m &= Low(n - 64*i)
		}
		if m != 0 {
			of := Extract(src, at)
			count := bits.OnesCount64(m)
			w = deposit(of^(of<<1|before), m)
			at, before = at+count, of>>(count-1)&1
		}
		w = prefixParity(w) ^ odd
		dst[i], odd = w, -(w >> 63)
	}
}

// Group sets the bit of each group of which an item's bit is set, and clears those of the others, of
// groups from position at of dst on. starts marks the first item of each group, of which the first
// of all is one. What was set at position at stays: that group may have begun before.
//
//	starts      1 0 0 1 1 0
//	items       0 1 1 0 0 1
//	ends        0 0 1 1 0 1
//	reached     0 0 1 0 0 1      items, and ends that the carry of an addition comes to
//	dst         1     0 1
func Group(dst []uint64, at int, items, starts []uint64, n int) {
	first, began, carry := at, n > 0 && Get(dst, at), uint64(0)
	for i := range Words(n) {
		ends, w := starts[i]>>1, items[i]
		switch left := n - 64*i; {
		case left > 64:
			ends |= starts[i+1] << 63
		default:
			ends, w = ends&Low(left-1)|1<<(left-1), w&Low(left)
		}
		count := bits.OnesCount64(ends)
		var sum uint64
		sum, carry = bits.Add64(w&^ends, ^ends, carry)
		Insert(dst, at, compress(sum|w, ends), count)
		at += count
	}
	if began {
		Set(dst, first)
	}
}
