package pred

import (
	"math"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Few is how many numbers a Set may have for decoders to be told them: to compare
// with each is no slower than to look one up.
const Few = 8

// set holds the values of an IN.
//
//	integers that lie close to each other    marks: a bit for each number up to the greatest
//	other numbers                            sieve: a bit for each hash; what passes is looked up in table
//	strings                                  texts
type set struct {
	domain domain
	ints   []int64   // all of them, if they are few
	floats []float64 // the same

	marks  []uint64
	zeroth uint64 // the number of the first bit, one below the least value
	bits   uint64 // in marks

	sieve      []uint64
	sieveShift uint

	table      []uint64 // a power of two, at most half full; 0 is no entry
	tableShift uint
	hasZero    bool

	texts *texts
}

// InInts passes integers that are among some. Unsigned ones of 32 bits are
// given as the signed number of their bits.
func InInts(values []int64) *Test {
	s := &set{domain: ofInts}
	if len(values) <= Few {
		s.ints = append([]int64{}, values...)
	}
	if !s.mark(values) {
		s.room(len(values))
		for _, x := range values {
			s.add(uint64(x))
		}
	}
	return &Test{Kind: Set, set: s}
}

// InFloats passes FLOAT and DOUBLE values that equal one of some. NaN equals none.
func InFloats(values []float64) *Test {
	s := &set{domain: ofFloats}
	s.room(len(values))
	for _, x := range values {
		if x == x {
			s.add(floatKey(x))
		}
	}
	if len(values) <= Few {
		s.floats = append([]float64{}, values...)
	}
	return &Test{Kind: Set, set: s}
}

// InStrings passes strings, and bytes of a fixed size, that are among some.
func InStrings(values [][]byte) *Test {
	return &Test{Kind: Set, set: &set{domain: ofBytes, texts: newTexts(values)}}
}

// FewInts returns the integers of a small Set. They must not be changed.
func (t *Test) FewInts() ([]int64, bool) {
	if t.Kind != Set || t.set.ints == nil {
		return nil, false
	}
	return t.set.ints, true
}

// FewFloats returns the floats of a small Set. They must not be changed.
func (t *Test) FewFloats() ([]float64, bool) {
	if t.Kind != Set || t.set.floats == nil {
		return nil, false
	}
	return t.set.floats, true
}

// mark makes the marks, if they take little memory, or no more than a sieve.
func (s *set) mark(values []int64) bool {
	const little, perValue = 1 << 15, 32 // bits
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for _, x := range values {
		least, most = min(least, x), max(most, x)
	}
	span := uint64(most) - uint64(least)
	if len(values) == 0 || span >= max(little, perValue*uint64(len(values))) {
		return false
	}
	s.zeroth, s.bits = uint64(least)-1, span+2
	s.marks = make([]uint64, s.bits/64+1)
	for _, x := range values {
		at := uint64(x) - s.zeroth
		s.marks[at/64] |= 1 << (at % 64)
	}
	return true
}

// room makes an empty sieve and an empty table for n numbers.
func (s *set) room(n int) {
	s.sieve, s.sieveShift = newSieve(n)
	size := tableBits(n)
	s.table, s.tableShift = make([]uint64, 1<<size), 64-size
}

// newSieve returns a sieve for n hashes, and how far these are shifted to the
// right to be the place of a bit. One of 32 bits is set at most.
func newSieve(n int) ([]uint64, uint) {
	const perValue = 32
	size := uint(max(13, mathbits.Len(uint(max(perValue*n, 1)-1)))) // a kilobyte at least
	return make([]uint64, 1<<size/64), 64 - size
}

// tableBits returns of how many bits the places are in a table that n entries fill by half at most.
func tableBits(n int) uint { return uint(max(3, mathbits.Len(uint(max(4*n, 1)-1)))) }

const multiplier = 0x9e3779b97f4a7c15

func hash(x uint64) uint64 { return x * multiplier }

// floatKey returns the bits under which a float stands in a set: 0 for both
// zeros, for -0 + 0 is +0.
func floatKey(x float64) uint64 { return math.Float64bits(x + 0) }

func (s *set) add(x uint64) {
	at := hash(x) >> s.sieveShift
	s.sieve[at/64] |= 1 << (at % 64)
	if x == 0 {
		s.hasZero = true
		return
	}
	for i := hash(x) >> s.tableShift; ; i = (i + 1) & uint64(len(s.table)-1) {
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
	for i := hash(x) >> s.tableShift; ; i = (i + 1) & uint64(len(s.table)-1) {
		switch s.table[i] {
		case x:
			return true
		case 0:
			return false
		}
	}
}

// narrow is Test.narrow for a Set.
func (s *set) narrow(sel []uint64, v *vector.Vector) {
	switch store := v.Type.Store(); {
	case s.domain == ofInts && store == vector.InInt32s:
		keepAmong(sel, v.Int32s[:v.Len], s)
	case s.domain == ofInts && store == vector.InInt64s:
		keepAmong(sel, v.Int64s[:v.Len], s)
	case s.domain == ofFloats && store == vector.InFloats:
		keepFloatsAmong(sel, v.Floats[:v.Len], s)
	case s.domain == ofFloats && store == vector.InDoubles:
		keepFloatsAmong(sel, v.Doubles[:v.Len], s)
	case s.domain == ofBytes && store == vector.InViews:
		s.texts.narrow(sel, v)
	default:
		bits.ClearRange(sel, 0, v.Len)
	}
}

// keepAmong clears the bits of values that are not in s.
func keepAmong[T int32 | int64](sel []uint64, values []T, s *set) {
	var last [64]T
	for i := range bits.Words(len(values)) {
		rest := values[i*64:]
		low := bits.Low(min(len(rest), 64))
		if sel[i]&low == 0 {
			continue
		}
		block := &last
		if len(rest) < 64 {
			copy(last[:], rest)
		} else {
			block = (*[64]T)(rest)
		}
		sel[i] = sel[i]&^low | among(block, sel[i]&low, s)
	}
}

// keepFloatsAmong is keepAmong by the keys of floats.
func keepFloatsAmong[T float32 | float64](sel []uint64, values []T, s *set) {
	var keys [64]int64
	for i := range bits.Words(len(values)) {
		n := min(64, len(values)-i*64)
		if sel[i]&bits.Low(n) == 0 {
			continue
		}
		for j, x := range values[i*64:][:n] {
			keys[j&63] = int64(floatKey(float64(x)))
		}
		keepAmong(sel[i:], keys[:n], s)
	}
}

// dense is how many of 64 values take as long one by one as all 64 without a branch.
const dense = 16

// among returns the bits of those values, of the ones in w, that are in s.
func among[T int32 | int64](values *[64]T, w uint64, s *set) uint64 {
	switch {
	case s.marks != nil:
		return w & marked(values, s.marks, s.zeroth, s.bits)
	case mathbits.OnesCount64(w) >= dense:
		w &= sieved(values, s.sieve, s.sieveShift)
	}
	for rest := w; rest != 0; rest &= rest - 1 {
		if b := mathbits.TrailingZeros64(rest); !s.has(uint64(int64(values[b]))) {
			w &^= 1 << b
		}
	}
	return w
}
