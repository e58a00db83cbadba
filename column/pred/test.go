package pred

import (
	"bytes"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Kind says what a Test compares. The package comment lists the kinds.
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

// domain is the type of a Range's bounds or of a Set's values, and so their order.
type domain uint8

const (
	domainNone domain = iota
	domainInts
	domainFloats
	domainBytes
	domainDecimals // bytes as signed numbers, of any lengths
	domainFloat16s // FLOAT16
	domainInt96s   // INT96
	domainLongStamps
)

// Test is one test of a leaf's values. Set Negate and All before the Test is
// used; from then on it does not change and is safe for concurrent use, if
// Function is.
type Test struct {
	Kind   Kind
	Negate bool // inverts the test of values that are not NULL; NULL passes neither. Null: IS NOT NULL
	All    bool // repeated leaves: a row passes if all its items pass and none is NULL; without All, if one item passes

	Text []byte // Equal, Prefix, Suffix, Contains

	// Level is the definition level of Null: a slot is NULL where its own is
	// lower. 0 stands for the leaf's maximum and tests items only: a list that
	// is NULL or empty has none. The level of a group or list tests every slot:
	// the row itself, if no list is above the group.
	Level int

	Bits []uint64 // Codes: which entries pass
	Else *Test    // Codes: for pages that are not dictionary-encoded

	// Function clears the bits of the values that do not pass. The vector is
	// flat, has no NULLs, and is valid until Function returns.
	Function func(values *vector.Vector, sel []uint64)

	// The inclusive bounds of a Range; of strings, bhi is exclusive.
	domain   domain
	lo, hi   int64 // integers, or keys of FLOAT16
	flo, fhi float64
	blo, bhi []byte
	set      *set
	like     *pattern
}

// Ints passes integers from lo to hi, and booleans as 0 and 1.
func Ints(lo, hi int64) *Test {
	return &Test{Kind: Range, domain: domainInts, lo: lo, hi: hi}
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

// Floats passes FLOAT and DOUBLE from lo to hi. NaN never passes, and both zeros
// are equal. FLOAT values are widened to DOUBLE before they are compared.
func Floats(lo, hi float64) *Test {
	return &Test{Kind: Range, domain: domainFloats, flo: lo, fhi: hi}
}

// Halves is Floats for FLOAT16.
func Halves(lo, hi float64) *Test {
	least, most := float16Bounds(lo, hi)
	return &Test{Kind: Range, domain: domainFloat16s, lo: least, hi: most}
}

// Strings passes strings and bytes with lo <= value < hi, compared as unsigned
// bytes from the front. A nil hi is no bound. To exclude lo, or include hi,
// append a zero byte. The test keeps lo and hi: they must not be changed.
func Strings(lo, hi []byte) *Test {
	return &Test{Kind: Range, domain: domainBytes, blo: lo, bhi: hi}
}

// Decimals passes decimals in bytes: big-endian two's complement numbers from
// lo to hi, of any lengths. A nil lo or hi is no bound. The test keeps both: they must not be changed.
func Decimals(lo, hi []byte) *Test {
	return &Test{Kind: Range, domain: domainDecimals, blo: lo, bhi: hi}
}

// Stamps passes INT96 timestamps from lo to hi, given as they are stored: 8
// bytes of nanoseconds, which may be more than a day, and 4 of the Julian day, little
// endian. A nil lo or hi is no bound. The test keeps both: they must not be changed.
func Stamps(lo, hi []byte) *Test {
	return &Test{Kind: Range, domain: domainInt96s, blo: lo, bhi: hi}
}

// LongStamps passes timestamps of 12 bytes from lo to hi, given as they are stored: see vector.Type.IsLongStamp.
// A nil lo or hi is no bound. The test keeps both: they must not be changed.
func LongStamps(lo, hi []byte) *Test {
	return &Test{Kind: Range, domain: domainLongStamps, blo: lo, bhi: hi}
}

// IsNull passes slots whose definition level is below level: see Test.Level.
func IsNull(level int) *Test { return &Test{Kind: Null, Level: level} }

// Text returns a test of Kind Equal, Prefix, Suffix or Contains. It copies text.
func Text(k Kind, text []byte) *Test { return &Test{Kind: k, Text: bytes.Clone(text)} }

// By returns a test of Kind Func: see Test.Function.
func By(f func(values *vector.Vector, sel []uint64)) *Test { return &Test{Kind: Func, Function: f} }

// Mask returns a test of Kind Codes: entries has a bit for each entry of the
// chunk's dictionary. Values of pages that do not use it are tested by otherwise.
func Mask(entries []uint64, otherwise *Test) *Test {
	return &Test{Kind: Codes, Bits: entries, Else: otherwise}
}

// Ints returns the bounds of a Range of integers, without regard to Negate.
func (t *Test) Ints() (lo, hi int64, ok bool) {
	return t.lo, t.hi, t.Kind == Range && t.domain == domainInts
}

// Floats returns the bounds of a Range of floats.
func (t *Test) Floats() (lo, hi float64, ok bool) {
	return t.flo, t.fhi, t.Kind == Range && t.domain == domainFloats
}

// Bytes returns the bounds of a Range of strings.
func (t *Test) Bytes() (lo, hi []byte, ok bool) {
	return t.blo, t.bhi, t.Kind == Range && t.domain == domainBytes
}

// Decimals returns the bounds of a Range of decimals as keys of bits.DecimalKey. ok is false if a bound has the key
// that numbers of more than 128 bits share: the key would not show on which side of the bound these are.
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
	return least, most, t.Kind == Range && t.domain == domainDecimals && !beyond
}
