package filter

import (
	"math"
	"math/big"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// maxEnumerated bounds how many values a subset may be enumerated to.
func maxEnumerated(s *subset) int { return max(1<<16, 8*s.intervals()) }

// lower returns the pred.Test of the values in s, without NULL: one with a kernel
// if there is one, else a test of each value's key.
func (d *domain) lower(s *subset) *pred.Test {
	if t, ok := d.kernel(s); ok {
		return t
	}
	set := *s
	return pred.By(func(v *vector.Vector, sel []uint64) {
		var k []byte
		for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
			var isNaN, ok bool
			k, isNaN, ok = d.appendSlot(k[:0], v, i)
			if pass := isNaN && set.nan || ok && set.hasBytes(k); !pass {
				bits.Clear(sel, i)
			}
		}
	})
}

// kernel returns a test that decoders run by a kernel. ok is false unless s is an
// interval, a few values, or the complement of these.
func (d *domain) kernel(s *subset) (*pred.Test, bool) {
	if s.nan || !d.hasNaN() {
		// A negated test lets NaN pass.
		negation := s.negated()
		switch {
		case negation.hasNoValues() && (s.nan || !d.hasNaN()):
			return &pred.Test{Kind: pred.Null, Negate: true}, true
		case d.hasNaN() || s.intervals() > negation.intervals() || s.intervals() > 1 && !d.enumerable(s):
			t, ok := d.positiveKernel(&negation)
			if ok {
				t.Negate = !t.Negate
			}
			return t, ok
		}
	}
	return d.positiveKernel(s)
}

// positiveKernel is kernel for subsets without NaN, and without trying the
// complement.
func (d *domain) positiveKernel(s *subset) (*pred.Test, bool) {
	switch s.intervals() {
	case 0:
		return &pred.Test{}, true
	case 1:
		return d.interval(s.interval(0))
	}
	if d.kind == ofInts || d.kind == ofUints {
		numbers, ok := d.enumerateInts(s, maxEnumerated(s))
		if !ok {
			return nil, false
		}
		ints := make([]int64, len(numbers))
		for i, n := range numbers {
			ints[i] = d.storedInt(n)
		}
		return pred.InInts(ints), true
	}
	points, ok := d.enumerate(s, maxEnumerated(s))
	if !ok {
		return nil, false
	}
	switch d.kind {
	case ofFloats:
		if d.typ.Physical == vector.FixedLenByteArray {
			return nil, false
		}
		floats := make([]float64, len(points))
		for i, k := range points {
			floats[i] = keyFloat(k)
		}
		return pred.InFloats(floats), true
	case ofBytes:
	case ofByteDecimals:
		if d.typ.Physical != vector.FixedLenByteArray {
			return nil, false // a value has several encodings, so that comparing bytes is not enough
		}
	default:
		return nil, false
	}
	texts := make([][]byte, len(points))
	for i, k := range points {
		texts[i] = d.plain(k)
	}
	return pred.InStrings(texts), true
}

// enumerable reports whether s has few enough values to enumerate.
func (d *domain) enumerable(s *subset) (ok bool) {
	if d.kind == ofInts || d.kind == ofUints {
		_, ok = d.enumerateInts(s, maxEnumerated(s))
	} else {
		_, ok = d.enumerate(s, maxEnumerated(s))
	}
	return ok
}

// storedInt returns an integer as decoders store it, which is signed, given its key
// as a number.
func (d *domain) storedInt(n uint64) int64 {
	switch {
	case d.kind == ofInts:
		return int64(n ^ 1<<63)
	case d.typ.Physical == vector.Int32:
		return int64(int32(uint32(n)))
	}
	return int64(n)
}

// interval returns the test of the values in [lo, hi). ok is false for UNKNOWN.
func (d *domain) interval(lo, hi cut) (*pred.Test, bool) {
	switch d.kind {
	case ofInts:
		from, to := d.min.Int64(), d.max.Int64()
		if lo.end == 0 {
			from = keyInt(lo.key)
		}
		if hi.end == 0 {
			to = keyInt(hi.key) - 1
		}
		return pred.Ints(from, to), true
	case ofUints:
		from, to := uint64(0), d.max.Uint64()
		if lo.end == 0 {
			from = keyUint(lo.key)
		}
		if hi.end == 0 {
			to = keyUint(hi.key) - 1
		}
		return pred.Unsigned(8*d.typ.Physical.Width(), from, to), true
	case ofFloats:
		from, to := math.Inf(-1), math.Inf(1)
		if lo.end == 0 {
			from = keyFloat(lo.key)
		}
		if hi.end == 0 {
			to = d.nextDown(keyFloat(hi.key))
		}
		if d.typ.Physical == vector.FixedLenByteArray {
			return pred.Halves(from, to), true
		}
		return pred.Floats(from, to), true
	case ofByteDecimals:
		var from, to []byte
		if lo.end == 0 {
			from = twosComplement(keyBig(lo.key))
		}
		if hi.end == 0 {
			to = twosComplement(new(big.Int).Sub(keyBig(hi.key), big.NewInt(1)))
		}
		return pred.Decimals(from, to), true
	case ofInt96:
		var from, to []byte
		if lo.end == 0 {
			from = d.plain(lo.key)
		}
		if hi.end == 0 {
			day, nanos := keyInt96(hi.key)
			to = d.plain(string(appendInt96Key(nil, day, nanos-1)))
		}
		return pred.Stamps(from, to), true
	case ofBytes:
		return d.stringInterval(lo, hi), true
	}
	return nil, false
}

// stringInterval is interval for strings: equality or a prefix where the interval
// is one.
func (d *domain) stringInterval(lo, hi cut) *pred.Test {
	if hi.end == 0 && d.typ.Physical == vector.ByteArray {
		switch {
		case hi.key == lo.key+"\x00":
			return pred.Text(pred.Equal, []byte(lo.key))
		case lo.key != "" && afterPrefix(lo.key) == hi:
			return pred.Text(pred.Prefix, []byte(lo.key))
		}
	}
	var to []byte
	if hi.end == 0 {
		to = []byte(hi.key)
	}
	return pred.Strings([]byte(lo.key), to)
}

// afterPrefix returns the cut behind all strings that start with s:
//
//	"ab\xff"    in front of "ac"
func afterPrefix(s string) cut {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] != 0xff {
			return cut{key: s[:i] + string([]byte{s[i] + 1})}
		}
	}
	return cut{end: 1}
}

// enumerate returns the keys of all values in s. ok is false if there are more than
// limit.
func (d *domain) enumerate(s *subset, limit int) ([]key, bool) {
	if s.intervals() > limit {
		return nil, false
	}
	points := make([]key, 0, s.intervals())
	if d.kind == ofInts || d.kind == ofUints {
		numbers, ok := d.enumerateInts(s, limit)
		for _, n := range numbers {
			points = append(points, uintKey(n))
		}
		return points, ok
	}
	for i := range s.intervals() {
		var ok bool
		if points, ok = d.appendInterval(points, limit, s, i); !ok {
			return nil, false
		}
	}
	return points, true
}

// enumerateInts is enumerate for integers, with keys as numbers.
func (d *domain) enumerateInts(s *subset, limit int) ([]uint64, bool) {
	if s.intervals() > limit {
		return nil, false
	}
	numbers := make([]uint64, 0, s.intervals())
	for i := range s.intervals() {
		lo, hi := s.interval(i)
		from, to := d.cutNumber(lo, d.min), d.cutNumber(hi, d.max)
		if hi.end > 0 {
			to++
		}
		if to-from > uint64(limit-len(numbers)) || to == from {
			return nil, false // from == to after overflow: all 2^64 values
		}
		for ; from != to; from++ {
			numbers = append(numbers, from)
		}
	}
	return numbers, true
}

// appendInterval appends the keys of the values in the i-th interval of s. ok is false
// if there are too many.
func (d *domain) appendInterval(points []key, limit int, s *subset, i int) ([]key, bool) {
	lo, hi := s.interval(i)
	switch d.kind {
	case ofFloats:
		if lo.end < 0 {
			lo = cut{key: floatKey(math.Inf(-1))}
		}
		f := keyFloat(lo.key)
		single := hi.end > 0 && math.IsInf(f, 1) || hi.end == 0 && !math.IsInf(f, 1) && ascending(d.nextUp(f)) == keyUint(hi.key)
		return append(points, lo.key), single
	case ofBytes:
		return append(points, lo.key), hi.end == 0 && hi.key == lo.key+"\x00"
	case ofByteDecimals:
		if lo.end != 0 || hi.end != 0 {
			return nil, false
		}
		from, to := keyBig(lo.key), keyBig(hi.key)
		if n := new(big.Int).Sub(to, from); !n.IsInt64() || n.Int64() > int64(limit-len(points)) {
			return nil, false
		}
		for ; from.Cmp(to) < 0; from.Add(from, big.NewInt(1)) {
			points = append(points, bigKey(from))
		}
		return points, true
	case ofInt96:
		if lo.end != 0 || hi.end != 0 {
			return nil, false
		}
		day, nanos := keyInt96(lo.key)
		return append(points, lo.key), hi.key == string(appendInt96Key(nil, day, nanos+1))
	}
	return nil, false
}

// cutNumber returns the key of a cut of ofInts or ofUints as a number. For a cut at
// an end of the domain, it is that of the least or greatest value, given as end.
func (d *domain) cutNumber(c cut, end *big.Int) uint64 {
	switch {
	case c.end == 0:
		return keyUint(c.key)
	case d.kind == ofInts:
		return keyUint(intKey(end.Int64()))
	}
	return end.Uint64()
}
