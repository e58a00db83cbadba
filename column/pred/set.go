package pred

import (
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// set holds the values of an IN: numbers in a table with open addressing,
// strings in a map.
type set struct {
	domain  domain
	table   []uint64 // a power of two, at most half full; 0 is no entry
	hasZero bool
	shift   uint
	least   int64 // of integers
	most    int64
	marks   []uint64 // of integers that lie close to each other: a bit for each from least on
	strings map[string]struct{}
	sieve   []uint64 // of strings: a bit for each hash of a key that one of them has, a power of two of bits
	holes   uint     // shifts a hash to the number of its bit
}

// InInts passes integers that are among some. Unsigned ones of 32 bits are
// given as the signed number of their bits.
func InInts(values []int64) *Test {
	s := &set{domain: ofInts, least: math.MaxInt64, most: math.MinInt64}
	s.room(len(values))
	for _, x := range values {
		s.add(uint64(x))
		s.least, s.most = min(s.least, x), max(s.most, x)
	}
	s.mark(values)
	return &Test{Kind: Set, set: s}
}

// mark makes the marks, if they take no more than a few times what values do.
func (s *set) mark(values []int64) {
	const room, perValue = 32 << 10, 256 // bits
	if span := uint64(s.most) - uint64(s.least); len(values) > 0 && span < room+perValue*uint64(len(values)) {
		s.marks = make([]uint64, span/64+1)
		for _, x := range values {
			at := uint64(x) - uint64(s.least)
			s.marks[at/64] |= 1 << (at % 64)
		}
	}
}

// InFloats passes FLOAT and DOUBLE values that equal one of some. NaN equals none.
func InFloats(values []float64) *Test {
	s := &set{domain: ofFloats}
	s.room(len(values))
	for _, x := range values {
		if key, ok := zeroless(x); ok {
			s.add(key)
		}
	}
	return &Test{Kind: Set, set: s}
}

// InStrings passes strings, and bytes of a fixed size, that are among some.
func InStrings(values [][]byte) *Test {
	s := &set{domain: ofBytes, strings: make(map[string]struct{}, len(values))}
	for _, x := range values {
		s.strings[string(x)] = struct{}{}
	}
	s.makeSieve()
	return &Test{Kind: Set, set: s}
}

func (s *set) room(n int) {
	size := uint(3)
	for 1<<size < 2*n {
		size++
	}
	s.table, s.shift = make([]uint64, 1<<size), 64-size
}

func hash(x uint64) uint64 { return x * 0x9e3779b97f4a7c15 }

func (s *set) add(x uint64) {
	if x == 0 {
		s.hasZero = true
		return
	}
	for i := hash(x) >> s.shift; ; i = (i + 1) & uint64(len(s.table)-1) {
		switch s.table[i] {
		case x:
			return
		case 0:
			s.table[i] = x
			return
		}
	}
}

func (s *set) has(x uint64) bool {
	if x == 0 {
		return s.hasZero
	}
	for i := hash(x) >> s.shift; ; i = (i + 1) & uint64(len(s.table)-1) {
		switch s.table[i] {
		case x:
			return true
		case 0:
			return false
		}
	}
}

func (s *set) narrow(sel []uint64, v *vector.Vector) {
	switch store := v.Type.Store(); {
	case s.marks != nil && store == vector.InInt32s:
		keepMarked(sel, v.Int32s[:v.Len], s.marks, s.least)
	case s.marks != nil && store == vector.InInt64s:
		keepMarked(sel, v.Int64s[:v.Len], s.marks, s.least)
	case s.domain == ofInts && store == vector.InInt32s:
		keep(sel, v.Int32s[:v.Len], func(x int32) bool { return s.hasInt(int64(x)) })
	case s.domain == ofInts && store == vector.InInt64s:
		keep(sel, v.Int64s[:v.Len], s.hasInt)
	case s.domain == ofFloats && store == vector.InFloats:
		keep(sel, v.Floats[:v.Len], func(x float32) bool { return s.hasFloat(float64(x)) })
	case s.domain == ofFloats && store == vector.InDoubles:
		keep(sel, v.Doubles[:v.Len], s.hasFloat)
	default:
		bits.ClearRange(sel, 0, v.Len)
	}
}

func (s *set) hasInt(x int64) bool { return s.least <= x && x <= s.most && s.has(uint64(x)) }

func (s *set) hasFloat(x float64) bool {
	key, ok := zeroless(x)
	return ok && s.has(key)
}
