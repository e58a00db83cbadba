package pred

import (
	"math"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// fewNumbers is the size up to which a Set's numbers are compared with one by one instead of looking values up.
const fewNumbers = 8

// set holds the values of an IN.
//
//	integers in a narrow interval            bitmap: a bit for each number of the interval
//	other numbers                            sieve: a bit for each hash; values that pass it are looked up in table
//	strings                                  texts
type set struct {
	domain domain
	ints   []int64   // all values, if there are at most fewNumbers; else nil
	floats []float64 // the same

	bitmap      []uint64
	bitmapStart uint64 // the number that bit 0 stands for, one below the least value
	bitmapLen   uint64 // in bits

	sieve      []uint64
	sieveShift uint

	table      []uint64 // open addressing: a power of two, at most half full; 0 is a free place
	tableShift uint
	hasZero    bool // 0 is a value: the table cannot hold it

	texts *texts
}

// InInts passes integers that are among some. Unsigned ones of 32 bits are
// given as the signed number of their bits.
func InInts(values []int64) *Test {
	s := &set{domain: domainInts}
	if len(values) <= fewNumbers {
		s.ints = append([]int64{}, values...)
	}
	if !s.makeBitmap(values) {
		s.makeTable(len(values))
		for _, x := range values {
			s.add(uint64(x))
		}
	}
	return &Test{Kind: Set, set: s}
}

// InFloats passes FLOAT and DOUBLE values that equal one of some. NaN equals none.
func InFloats(values []float64) *Test {
	s := &set{domain: domainFloats}
	s.makeTable(len(values))
	for _, x := range values {
		if x == x {
			s.add(floatKey(x))
		}
	}
	if len(values) <= fewNumbers {
		s.floats = append([]float64{}, values...)
	}
	return &Test{Kind: Set, set: s}
}

// InStrings passes strings, and bytes of a fixed size, that are among some.
func InStrings(values [][]byte) *Test {
	return &Test{Kind: Set, set: &set{domain: domainBytes, texts: newTexts(values)}}
}

// makeBitmap makes the bitmap and returns true, if it takes at most 4 KiB or no more memory than a sieve.
func (s *set) makeBitmap(values []int64) bool {
	const small, perValue = 1 << 15, 32 // bits; newSieve has as many per value
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for _, x := range values {
		least, most = min(least, x), max(most, x)
	}
	span := uint64(most) - uint64(least)
	if len(values) == 0 || span >= max(small, perValue*uint64(len(values))) {
		return false
	}
	s.bitmapStart, s.bitmapLen = uint64(least)-1, span+2
	s.bitmap = make([]uint64, s.bitmapLen/64+1)
	for _, x := range values {
		at := uint64(x) - s.bitmapStart
		s.bitmap[at/64] |= 1 << (at % 64)
	}
	return true
}

// makeTable makes an empty sieve and an empty table for n numbers.
func (s *set) makeTable(n int) {
	s.sieve, s.sieveShift = newSieve(n)
	size := tableBits(n)
	s.table, s.tableShift = make([]uint64, 1<<size), 64-size
}

// newSieve returns an empty sieve for n hashes, and the shift to the right that
// turns a hash into the place of its bit. At most one bit of 32 will be set.
func newSieve(n int) ([]uint64, uint) {
	const perValue = 32
	size := uint(max(13, mathbits.Len(uint(max(perValue*n, 1)-1)))) // a kilobyte at least
	return make([]uint64, 1<<size/64), 64 - size
}

// tableBits returns the base-2 logarithm of the size of a table that n entries fill at most half.
func tableBits(n int) uint { return uint(max(3, mathbits.Len(uint(max(4*n, 1)-1)))) }

const multiplier = 0x9e3779b97f4a7c15

func hash(x uint64) uint64 { return x * multiplier }

// floatKey returns the bits that stand for a float in a set: 0 for both
// zeros, because -0 + 0 is +0.
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

// filter is Test.filter for a Set, but of bytes in Fixed.
func (s *set) filter(sel []uint64, v *vector.Vector) {
	switch store := v.Type.Store(); {
	case s.domain == domainInts && store == vector.InInt32s:
		keepInSet(sel, v.Int32s[:v.Len], s)
	case s.domain == domainInts && store == vector.InInt64s:
		keepInSet(sel, v.Int64s[:v.Len], s)
	case s.domain == domainFloats && store == vector.InFloats:
		keepFloatsInSet(sel, v.Floats[:v.Len], s)
	case s.domain == domainFloats && store == vector.InDoubles:
		keepFloatsInSet(sel, v.Doubles[:v.Len], s)
	case s.domain == domainBytes && store == vector.InViews:
		s.texts.filter(sel, v)
	default:
		bits.ClearRange(sel, 0, v.Len)
	}
}

// keepInSet clears the bits of values that are not in s.
func keepInSet[T int32 | int64](sel []uint64, values []T, s *set) {
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
		sel[i] = sel[i]&^low | inSet(block, sel[i]&low, s)
	}
}

// keepFloatsInSet is keepInSet for floats, which are looked up by floatKey.
func keepFloatsInSet[T float32 | float64](sel []uint64, values []T, s *set) {
	var keys [64]int64
	for i := range bits.Words(len(values)) {
		n := min(64, len(values)-i*64)
		if sel[i]&bits.Low(n) == 0 {
			continue
		}
		for j, x := range values[i*64:][:n] {
			keys[j&63] = int64(floatKey(float64(x)))
		}
		keepInSet(sel[i:], keys[:n], s)
	}
}

// dense is the number of selected values in a block of 64 from which on a sieve tests
// the whole block without a branch; fewer are tested one by one.
const dense = 16

// inSet returns the bits of w whose values are in s.
func inSet[T int32 | int64](values *[64]T, w uint64, s *set) uint64 {
	switch {
	case s.bitmap != nil:
		return w & inBitmap(values, s.bitmap, s.bitmapStart, s.bitmapLen)
	case mathbits.OnesCount64(w) >= dense:
		w &= inSieve(values, s.sieve, s.sieveShift)
	}
	for rest := w; rest != 0; rest &= rest - 1 {
		if b := mathbits.TrailingZeros64(rest); !s.has(uint64(int64(values[b]))) {
			w &^= 1 << b
		}
	}
	return w
}

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
