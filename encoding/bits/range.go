package bits

import (
	"iter"
	"math/bits"
)

// Words returns the number of words that hold n bits.
func Words(n int) int { return int((uint(n) + 63) / 64) }

// Get reports whether bit i is set.
func Get(b []uint64, i int) bool { return b[uint(i)/64]>>(uint(i)%64)&1 != 0 }

// Set sets bit i.
func Set(b []uint64, i int) { b[uint(i)/64] |= 1 << (uint(i) % 64) }

// Clear clears bit i.
func Clear(b []uint64, i int) { b[uint(i)/64] &^= 1 << (uint(i) % 64) }

// Low returns a word whose lowest n bits are set, 0 <= n <= 64.
func Low(n int) uint64 { return uint64(1)<<uint(n) - 1 }

// edges returns the words that hold the first and the last bit of the non-empty
// range [from, to), and masks of their bits in the range. If both are the same
// word, the caller intersects the masks.
func edges(from, to int) (first, last int, head, tail uint64) {
	first, last = int(uint(from)/64), int(uint(to-1)/64)
	head = ^uint64(0) << (uint(from) % 64)
	tail = ^uint64(0) >> (63 - uint(to-1)%64)
	return first, last, head, tail
}

// SetRange sets the bits [from, to).
func SetRange(b []uint64, from, to int) {
	if from >= to {
		return
	}
	first, last, head, tail := edges(from, to)
	if first == last {
		b[first] |= head & tail
		return
	}
	b[first] |= head
	b[last] |= tail
	for b = b[first+1 : last]; len(b) >= 4; b = b[4:] {
		four := b[:4:4]
		four[0], four[1], four[2], four[3] = ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)
	}
	for i := range b {
		b[i] = ^uint64(0)
	}
}

// ClearRange clears the bits [from, to).
func ClearRange(b []uint64, from, to int) {
	if from >= to {
		return
	}
	first, last, head, tail := edges(from, to)
	if first == last {
		b[first] &^= head & tail
		return
	}
	b[first] &^= head
	clear(b[first+1 : last])
	b[last] &^= tail
}

// Count returns the number of set bits in [from, to).
func Count(b []uint64, from, to int) int {
	if from >= to {
		return 0
	}
	first, last, head, tail := edges(from, to)
	if first == last {
		return bits.OnesCount64(b[first] & head & tail)
	}
	n := bits.OnesCount64(b[first]&head) + bits.OnesCount64(b[last]&tail)
	whole := b[first+1 : last]
	counted, words := countWhole(whole)
	for _, w := range whole[words:] {
		n += bits.OnesCount64(w)
	}
	return n + counted
}

// Any reports whether a bit in [from, to) is set.
func Any(b []uint64, from, to int) bool { return Next(b, from, to) < to }

// All reports whether every bit in [from, to) is set.
func All(b []uint64, from, to int) bool { return NextClear(b, from, to) >= to }

// Next returns the position of the first set bit in [from, to), or to.
func Next(b []uint64, from, to int) int { return next(b, from, to, 0) }

// NextClear returns the position of the first clear bit in [from, to), or to.
func NextClear(b []uint64, from, to int) int { return next(b, from, to, ^uint64(0)) }

// next is Next for words that are flipped where flip has bits.
func next(b []uint64, from, to int, flip uint64) int {
	if from >= to {
		return to
	}
	first, last, head, tail := edges(from, to)
	w := (b[first] ^ flip) & head
	for i := first; ; i++ {
		if i == last {
			w &= tail
		}
		if w != 0 {
			return i*64 + bits.TrailingZeros64(w)
		}
		if i == last {
			return to
		}
		w = b[i+1] ^ flip
	}
}

// NextRun returns the first run of set bits in [from, to), cut at to; start is
// to if there is none. All runs of [0, n):
//
//	for start, end := NextRun(b, 0, n); start < n; start, end = NextRun(b, end, n) {
func NextRun(b []uint64, from, to int) (start, end int) {
	start = Next(b, from, to)
	return start, NextClear(b, start, to)
}

// Runs yields the runs of set bits in [0, n). It searches for clear bits, so it is fast where most bits are set.
func Runs(b []uint64, n int) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		start := 0
		for i := 0; i < n; i += 64 {
			for clear := ^b[i/64] & Low(min(64, n-i)); clear != 0; clear &= clear - 1 {
				end := i + bits.TrailingZeros64(clear)
				if start < end && !yield(start, end) {
					return
				}
				start = end + 1
			}
		}
		if start < n {
			yield(start, n)
		}
	}
}

// Select returns the position of the k-th set bit, counted from 0, in
// [from, to), or to if there are not that many.
func Select(b []uint64, from, to, k int) int {
	if from >= to {
		return to
	}
	first, last, head, tail := edges(from, to)
	for i := first; i <= last; i++ {
		w := b[i]
		if i == first {
			w &= head
		}
		if i == last {
			w &= tail
		}
		n := bits.OnesCount64(w)
		if k >= n {
			k -= n
			continue
		}
		for ; k > 0; k-- {
			w &= w - 1
		}
		return i*64 + bits.TrailingZeros64(w)
	}
	return to
}

// Positions stores the positions of the set bits in [from, to), ascending, and
// returns how many there are. dst must have room for them; entries after them may be
// overwritten. It is fastest if T is uint32 and dst has room for Spare more.
func Positions[T ~uint16 | ~int32 | ~uint32 | ~int64 | ~int](dst []T, b []uint64, from, to int) int {
	if from >= to {
		return 0
	}
	first, last, head, tail := edges(from, to)
	if first == last {
		return positions(dst, b[first]&head&tail, first*64)
	}
	n := 0
	if head != ^uint64(0) {
		n = positions(dst, b[first]&head, first*64)
		first++
	}
	whole := b[first:last]
	if tail == ^uint64(0) {
		whole = b[first : last+1]
	}
	if d, ok := any(dst).([]uint32); ok {
		m, left := wholePositions(d[n:], whole, first*64)
		n += m
		for i, w := range whole[len(whole)-left:] {
			n += positions(d[n:], w, (first+len(whole)-left+i)*64)
		}
	} else {
		for i, w := range whole {
			n += positions(dst[n:], w, (first+i)*64)
		}
	}
	if tail != ^uint64(0) {
		n += positions(dst[n:], b[last]&tail, last*64)
	}
	return n
}

// positions is Positions for one word.
func positions[T ~uint16 | ~int32 | ~uint32 | ~int64 | ~int](dst []T, w uint64, base int) int {
	if w == 0 {
		return 0
	}
	dst = dst[:bits.OnesCount64(w)]
	for j := range dst {
		dst[j] = T(base + bits.TrailingZeros64(w))
		w &= w - 1
	}
	return len(dst)
}

// Few is Positions for a range that most likely has few set bits. It returns false if
// some are left and dst does not have room for Spare more.
func Few(dst []uint32, b []uint64, from, to int) (n int, few bool) {
	if from >= to {
		return 0, true
	}
	first, last, head, tail := edges(from, to)
	if len(dst) < Spare {
		return 0, false
	}
	if first == last {
		return positions(dst, b[first]&head&tail, first*64), true
	}
	if head != ^uint64(0) {
		n = positions(dst, b[first]&head, first*64)
		first++
	}
	if tail == ^uint64(0) {
		tail = 0
		last++
	}
	if first < last {
		m, left := wholePositions(dst[n:], b[first:last], first*64)
		if n += m; left > 0 {
			return n, false
		}
	}
	if tail == 0 {
		return n, true
	}
	if len(dst)-n < Spare {
		return n, false
	}
	return n + positions(dst[n:], b[last]&tail, last*64), true
}

// Spare is how many entries kernels may write after the positions.
const Spare = 66

// countWhole returns the number of bits set in the first words, and how many
// words that are.
func countWhole(b []uint64) (n, words int) {
	fours := len(b) / 4
	if fours == 0 || !hasBMI {
		return 0, 0
	}
	return countFours(b, fours), fours * 4
}

func wholePositionsGo(dst []uint32, b []uint64, base int) (n, left int) {
	for i, w := range b {
		if len(dst)-n < Spare {
			return n, len(b) - i
		}
		n += positions(dst[n:], w, base+i*64)
	}
	return n, 0
}

// Last returns the position of the last set bit of the first n, or -1.
func Last(b []uint64, n int) int {
	for i := Words(n) - 1; i >= 0; i-- {
		w := b[i]
		if rest := n - i*64; rest < 64 {
			w &= Low(rest)
		}
		if w != 0 {
			return i*64 + 63 - bits.LeadingZeros64(w)
		}
	}
	return -1
}
