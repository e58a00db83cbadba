package bits

import "math/bits"

// Compress packs the bits of src[0, n) at positions where mask is set into dst,
// from position at on, and returns how many there are.
//
//	src     a b c d e f g h
//	mask    0 1 1 0 0 0 1 0
//	dst     b c g
//
// It turns a selection of slots into a selection of values: mask is validity.
func Compress(dst []uint64, at int, src, mask []uint64, n int) int {
	start := at
	full := n / 64
	src, mask = src[:Words(n)], mask[:Words(n)]
	for i := range full {
		m := mask[i]
		switch m {
		case 0:
		case ^uint64(0):
			Insert(dst, at, src[i], 64)
			at += 64
		default:
			count := bits.OnesCount64(m)
			Insert(dst, at, compress(src[i], m), count)
			at += count
		}
	}
	if rest := n % 64; rest > 0 {
		m := mask[full] & Low(rest)
		count := bits.OnesCount64(m)
		Insert(dst, at, compress(src[full], m), count)
		at += count
	}
	return at - start
}

// Shift returns w without its highest bit, shifted up, and k plus that bit. It compiles to an add with carry, without a branch.
func Shift(w, k uint64) (shifted, sum uint64) {
	w, c := bits.Add64(w, w, 0)
	k, _ = bits.Add64(k, 0, c)
	return w, k
}

// Deposit is the inverse of Compress: it spreads the bits of src, from position
// from on, over the set positions of mask[0, n), clears the others in dst[0, n),
// and returns how many bits of src it took.
//
//	src     x y z
//	mask    0 1 1 0 0 0 1 0
//	dst     0 x y 0 0 0 z 0
//
// It turns a selection of values into one of slots.
func Deposit(dst []uint64, src []uint64, from int, mask []uint64, n int) int {
	start := from
	full := n / 64
	dst, mask = dst[:Words(n)], mask[:Words(n)]
	for i := range full {
		m := mask[i]
		switch m {
		case 0:
			dst[i] = 0
		case ^uint64(0):
			dst[i] = Extract(src, from)
			from += 64
		default:
			dst[i] = deposit(Extract(src, from), m)
			from += bits.OnesCount64(m)
		}
	}
	if rest := n % 64; rest > 0 {
		var w uint64
		if m := mask[full] & Low(rest); m != 0 {
			w = deposit(Extract(src, from), m)
			from += bits.OnesCount64(m)
		}
		Insert(dst, full*64, w, rest)
	}
	return from - start
}

// compressGo moves the bits of x under m to the low end, in order. Each of the
// six rounds moves bits by a power of two: those whose number of clear mask
// bits below has that binary digit. The prefix parity of the clear bits is
// that digit.
func compressGo(x, m uint64) uint64 {
	x &= m
	zeros := ^m << 1
	for shift := uint(1); shift < 64; shift *= 2 {
		parity := prefixParity(zeros)
		move := parity & m
		m = m ^ move | move>>shift
		t := x & move
		x = x ^ t | t>>shift
		zeros &^= parity
	}
	return x
}

// depositGo spreads the low bits of x over the set bits of m, in order. It is
// compressGo run backwards, so it first computes the moves of all rounds.
func depositGo(x, m uint64) uint64 {
	var moves [6]uint64
	mask := m
	zeros := ^m << 1
	for i := range moves {
		parity := prefixParity(zeros)
		move := parity & mask
		moves[i] = move
		mask = mask ^ move | move>>(1<<i)
		zeros &^= parity
	}
	for i := len(moves) - 1; i >= 0; i-- {
		x = x&^moves[i] | x<<(1<<i)&moves[i]
	}
	return x & m
}

// prefixParity sets each bit to the parity of the bits of w at and below it.
func prefixParity(w uint64) uint64 {
	w ^= w << 1
	w ^= w << 2
	w ^= w << 4
	w ^= w << 8
	w ^= w << 16
	w ^= w << 32
	return w
}
