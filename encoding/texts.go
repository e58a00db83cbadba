package encoding

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Texts are up to 64 strings, one after the other in a body: number i is
// Body[At[i]+Gap : At[i+1]]. Gap is the number of bytes before each string that belong
// to none.
type Texts struct {
	Body []byte
	At   *[65]int32
	Gap  int32
}

// few is the number of set bits up to which strings are tested one by one. Not measured with neighbours.
const few = 8

// far is from which length on a string's first bytes are compared before its last ones, which are in another cache line
// than its length in PLAIN. Not measured with neighbours.
const far = 64

func (t Texts) text(i int) []byte { return t.Body[t.At[i]+t.Gap : t.At[i+1]] }

// Matching takes a word with a bit for each string, and returns it without the bits of
// those that do not match. If many bits are set, it first compares 8 bytes and the length
// of each string, without a branch, and tests in full only the strings that these do not
// settle.
func (t Texts) Matching(w uint64, m *Match) uint64 {
	settled := uint64(0)
	if bits.OnesCount64(w) > few {
		w, settled = t.sift(w, m)
	}
	for rest := w &^ settled; rest != 0; rest &= rest - 1 {
		if i := bits.TrailingZeros64(rest); !m.passes(t.text(i)) {
			w &^= 1 << i
		}
	}
	return w
}

// sift drops strings that do not match. settled are the strings kept that need no other test.
func (t Texts) sift(w uint64, m *Match) (kept, settled uint64) {
	last := max(0, len(m.text)-8)
	switch m.kind {
	case isEqual:
		if len(m.text) > far {
			if w, _ = t.alike(w, m.text, 0, 1<<32-1); bits.OnesCount64(w) <= few {
				return w, 0
			}
		}
		return t.alike(w, m.text, last, 1<<32-1)
	case hasPrefix:
		return t.alike(w, m.text, last, 1<<31)
	case hasSuffix:
		return t.endAlike(w, m.text)
	case contains:
		if len(m.needle.text) == 0 {
			return w, w
		}
		return t.search(w, &m.needle), math.MaxUint64
	case isDecimal:
		return t.decimals(w, m), math.MaxUint64
	}
	return t.between(w, m.text, m.hi)
}

// alike drops the strings without the 8 bytes of want from byte from on (all of want, if it is
// shorter) at their place in want, and those whose length minus that of want has a bit of
// wrong: its sign, which drops shorter strings, or any. settled are the strings kept that
// need no other test.
//
//	want            https://exa|mple.com|
//	a string        https://exa|mple.org|/a
//	                            ^^^^^^^^ compared
func (t Texts) alike(w uint64, want []byte, from int, wrong uint32) (kept, settled uint64) {
	var part [8]byte
	n := copy(part[:], want[from:])
	word := binary.LittleEndian.Uint64(part[:])
	mask := ^uint64(0) >> (64 - 8*uint(n)) // 0 if n is
	skip := int(t.Gap) + from
	size := t.Gap + int32(len(want))
	end := t.loadable(w, skip)
	at, failed := t.At[0], uint64(0)
	for _, next := range t.At[1:][:end] {
		differs := (eightBytes(t.Body, int(at)+skip) ^ word) & mask
		failed = pushNonZero(failed, differs|uint64(uint32(next-at-size)&wrong))
		at = next
	}
	done := uint64(1)<<end - 1
	if n < 8 || len(want) == 8 {
		settled = done
	}
	return w &^ pushed(failed, end), settled
}

// pushNonZero appends a bit to w at its low end: 1 unless x is 0. x and all ones carry then, and
// the carry goes into a word: these are two instructions, setting a register on a condition takes
// more.
func pushNonZero(w, x uint64) uint64 {
	_, c := bits.Add64(x, ^uint64(0), 0)
	w, _ = bits.Add64(w, w, c)
	return w
}

// pushMore is pushNonZero for x > most, given the complement of most.
func pushMore(w, x, complement uint64) uint64 {
	_, c := bits.Add64(x, complement, 0)
	w, _ = bits.Add64(w, w, c)
	return w
}

// pushed returns the n bits that were appended to a word, the first as bit 0.
func pushed(w uint64, n int) uint64 { return bits.Reverse64(w << (64 - uint(n))) }

// loadable returns the length of the longest prefix of the strings, up to the last in w,
// of which 8 bytes can be loaded from skip bytes after their gap on.
func (t Texts) loadable(w uint64, skip int) int {
	end := bits.Len64(w)
	for end > 0 && int64(t.At[end-1])+int64(skip)+8 > int64(len(t.Body)) {
		end--
	}
	return end
}

// endAlike drops the strings that do not end with the last 8 bytes of suffix (all of it,
// if it is shorter), or are shorter than suffix. settled are the strings kept that need
// no other test.
func (t Texts) endAlike(w uint64, suffix []byte) (kept, settled uint64) {
	var tail [8]byte
	n := min(8, len(suffix))
	copy(tail[8-n:], suffix[len(suffix)-n:])
	word := binary.LittleEndian.Uint64(tail[:])
	mask := ^uint64(0) << (64 - 8*uint(n)) // 0 if n is
	size := t.Gap + int32(len(suffix))
	first, end := 0, bits.Len64(w)
	for first < end && t.At[first+1] < 8 {
		first++
	}
	at, failed := t.At[first], uint64(0)
	for _, next := range t.At[first+1:][:end-first] {
		differs := (eightBytes(t.Body, int(next)-8) ^ word) & mask
		failed = pushNonZero(failed, differs|uint64(uint32(next-at-size)>>31))
		at = next
	}
	if n < 8 || len(suffix) == 8 {
		settled = ^uint64(0) << first
	}
	return w &^ (pushed(failed, end-first) << first), settled
}

// between drops the strings that are outside of the bounds by their first 8 bytes alone.
// settled are those that are inside by the same bytes.
//
//	strings     "f"           "foo"         "foo\x00"     "foolishness"
//	8 bytes     66 00 … 00    66 6f 6f 00 … 66 6f 6f 00 … 66 6f 6f 6c …
//
// Filled up with zeros, different first bytes compare as their strings do; equal ones
// settle nothing.
func (t Texts) between(w uint64, lo, hi []byte) (kept, settled uint64) {
	var low, high [8]byte
	copy(low[:], lo)
	copy(high[:], hi)
	from, to := binary.BigEndian.Uint64(low[:]), binary.BigEndian.Uint64(high[:])
	inner := max(to, 1) - 1 // the last word that needs no other test
	if hi == nil {
		to, inner = math.MaxUint64, math.MaxUint64
	}
	end := t.loadable(w, int(t.Gap))
	done := uint64(1)<<end - 1
	if from > to {
		return w &^ done, 0
	}
	at, gap := t.At[0], t.Gap
	below, inside := ^(to - from), ^(inner - from - 1)
	outside, open := uint64(0), uint64(0)
	for _, next := range t.At[1:][:end] {
		spare := 64 - 8*min(8, uint(next-at-gap))
		x := bits.ReverseBytes64(eightBytes(t.Body, int(at+gap)))>>spare<<spare - from
		outside = pushMore(outside, x, below)
		open = pushMore(open, x-1, inside)
		at = next
	}
	if inner > from { // else no word is between the bounds
		settled = done &^ pushed(open, end)
	}
	return w &^ pushed(outside, end), settled
}
