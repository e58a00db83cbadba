package pred

import (
	"bytes"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Kind is what a Test asks.
type Kind uint8

const (
	Never Kind = iota // no value passes
	Range
	Set
	Equal
	Prefix
	Suffix
	Contains
	Like
	Codes
	Null
	Func
)

// domain is what the bounds of a Range are.
type domain uint8

const (
	noRange domain = iota
	ofInts
	ofFloats
	ofBytes
	ofDecimals // bytes as signed numbers, of any lengths
	ofHalves   // FLOAT16
	ofStamps   // INT96
)

// Test is one test of a leaf's values. It does not change once it is made, but
// for Negate and All, and may be shared.
type Test struct {
	Kind   Kind
	Negate bool // values pass that would not, NULL still does not. Null: IS NOT NULL
	All    bool // repeated leaves: all items of a row must pass, and none be NULL; else one is enough

	Text []byte // Equal, Prefix, Suffix, Contains

	// Level is what Null asks: a slot is NULL where its definition level is
	// below. 0 is the leaf's own, and asks items: below a list that is NULL or
	// empty there is none. The level of a group or list asks every slot, and
	// so, if no list is above it, the row.
	Level int

	Bits []uint64 // Codes: which entries pass
	Else *Test    // Codes: for pages without codes

	// Function clears the bits of those values that do not pass. The vector
	// is flat, has no NULLs, and is its only until it returns.
	Function func(values *vector.Vector, sel []uint64)

	domain   domain
	lo, hi   int64 // integers, or keys of halves
	flo, fhi float64
	blo, bhi []byte
	set      *set
	like     *pattern
}

// Ints passes integers from lo to hi, and booleans as 0 and 1.
func Ints(lo, hi int64) *Test {
	return &Test{Kind: Range, domain: ofInts, lo: lo, hi: hi}
}

// Unsigned passes unsigned integers from lo to hi of a type of 32 or 64 bits.
// Narrower ones are stored as signed numbers that are not negative.
func Unsigned(width int, lo, hi uint64) *Test {
	sign := func(x uint64) int64 { return int64(x) }
	most := uint64(math.MaxUint64)
	if width <= 32 {
		sign = func(x uint64) int64 { return int64(int32(uint32(x))) }
		most = math.MaxUint32
	}
	hi = min(hi, most)
	switch {
	case lo > hi:
		return &Test{Kind: Never}
	case lo == 0 && hi == most:
		return Ints(math.MinInt64, math.MaxInt64)
	}
	if (sign(lo) < 0) == (sign(hi) < 0) {
		return Ints(sign(lo), sign(hi))
	}
	t := Ints(sign(hi)+1, sign(lo)-1)
	t.Negate = true
	return t
}

// Floats passes FLOAT and DOUBLE from lo to hi: NaN never, both zeros are
// equal. Of FLOAT values it passes those that lie between as doubles.
func Floats(lo, hi float64) *Test {
	return &Test{Kind: Range, domain: ofFloats, flo: lo, fhi: hi}
}

// Halves is Floats for FLOAT16.
func Halves(lo, hi float64) *Test {
	least, most := halfBounds(lo, hi)
	return &Test{Kind: Range, domain: ofHalves, lo: least, hi: most}
}

// Strings passes strings and bytes with lo <= value < hi, compared as unsigned
// bytes from the front. A nil hi is no bound. To exclude lo, or include hi,
// append a zero byte.
func Strings(lo, hi []byte) *Test {
	return &Test{Kind: Range, domain: ofBytes, blo: lo, bhi: hi}
}

// Decimals passes decimals in bytes: big-endian two's complement numbers from
// lo to hi, of any lengths. A nil bound is none.
func Decimals(lo, hi []byte) *Test {
	return &Test{Kind: Range, domain: ofDecimals, blo: lo, bhi: hi}
}

// Stamps passes INT96 timestamps from lo to hi, given as they are stored: 8
// bytes of nanoseconds, which carry, and 4 of the Julian day, little endian. A nil
// bound is none.
func Stamps(lo, hi []byte) *Test {
	return &Test{Kind: Range, domain: ofStamps, blo: lo, bhi: hi}
}

// IsNull passes slots that are NULL at a definition level below level; 0 is
// the leaf's own.
func IsNull(level int) *Test { return &Test{Kind: Null, Level: level} }

// Text returns a test of Kind Equal, Prefix, Suffix or Contains.
func Text(k Kind, text []byte) *Test { return &Test{Kind: k, Text: bytes.Clone(text)} }

// By returns a test by a function.
func By(f func(values *vector.Vector, sel []uint64)) *Test { return &Test{Kind: Func, Function: f} }

// Mask returns a test by dictionary entry. Pages that are not encoded by the
// chunk's dictionary are tested by otherwise.
func Mask(entries []uint64, otherwise *Test) *Test {
	return &Test{Kind: Codes, Bits: entries, Else: otherwise}
}

// Ints returns the bounds of a Range of integers. Negate is not in them.
func (t *Test) Ints() (lo, hi int64, ok bool) {
	return t.lo, t.hi, t.Kind == Range && t.domain == ofInts
}

// Floats returns the bounds of a Range of floats.
func (t *Test) Floats() (lo, hi float64, ok bool) {
	return t.flo, t.fhi, t.Kind == Range && t.domain == ofFloats
}

// Bytes returns the bounds of a Range of strings.
func (t *Test) Bytes() (lo, hi []byte, ok bool) {
	return t.blo, t.bhi, t.Kind == Range && t.domain == ofBytes
}

// Decimals returns the bounds of a Range of decimals as bits.DecimalKey does, unless there are numbers of more than 128 bits
// whose keys do not tell on which side of a bound they are.
func (t *Test) Decimals() (least, most [2]uint64, ok bool) {
	end := ^uint64(0)
	first, last := [2]uint64{}, [2]uint64{end, end}
	least, most = first, last
	if t.blo != nil {
		least[0], least[1] = bits.DecimalKey(t.blo)
	}
	if t.bhi != nil {
		most[0], most[1] = bits.DecimalKey(t.bhi)
	}
	beyond := t.blo != nil && (least == first || least == last) || t.bhi != nil && (most == first || most == last)
	return least, most, t.Kind == Range && t.domain == ofDecimals && !beyond
}
