package value

import (
	"math"
	"math/big"
	"slices"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// MaxEnumerated bounds how many values a subset may be enumerated to.
func MaxEnumerated(s *Subset) int { return max(1<<16, 8*s.Intervals()) }

// Lower returns the pred.Test of the values in s, without NULL: one with a kernel
// if there is one, else a test of each value's key.
func (d *Domain) Lower(s *Subset) *pred.Test {
	if t, ok := d.Kernel(s); ok {
		return t
	}
	set := *s
	return pred.By(func(v *vector.Vector, sel []uint64) {
		var k []byte
		var buf [8]byte
		for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
			var isNaN, ok bool
			k, isNaN, ok = d.AppendKey(k[:0], build.Plain(buf[:0], v, i))
			if pass := isNaN && set.NaN || ok && set.hasBytes(k); !pass {
				bits.Clear(sel, i)
			}
		}
	})
}

// Kernel returns a test that decoders run by a kernel. ok is false unless s is an
// interval, a few values, or the complement of these.
func (d *Domain) Kernel(s *Subset) (*pred.Test, bool) {
	if !s.NaN && d.HasNaN() {
		return d.positiveKernel(s)
	}
	negation := s.Negated()
	if negation.HasNoValues() {
		return &pred.Test{Kind: pred.Null, Negate: true}, true
	}
	if !d.HasNaN() && s.Intervals() <= negation.Intervals() {
		if t, ok := d.positiveKernel(s); ok {
			return t, true
		}
	}
	t, ok := d.positiveKernel(&negation) // a negated test lets NaN pass
	if ok {
		t.Negate = !t.Negate
	}
	return t, ok
}

// positiveKernel is kernel for subsets without NaN, and without trying the
// complement.
func (d *Domain) positiveKernel(s *Subset) (*pred.Test, bool) {
	switch s.Intervals() {
	case 0:
		return &pred.Test{}, true
	case 1:
		return d.interval(s.Interval(0))
	}
	points, ok := d.Enumerate(s, MaxEnumerated(s))
	if !ok {
		return nil, false
	}
	switch d.Kind {
	case OfInts, OfUints:
		ints := make([]int64, len(points))
		for i, k := range points {
			ints[i] = d.storedInt(keyUint(k))
		}
		return pred.InInts(ints), true
	case OfFloats:
		if d.Type.Physical == vector.FixedLenByteArray {
			break // bytes are compared
		}
		floats := make([]float64, len(points))
		for i, k := range points {
			floats[i] = keyFloat(k)
		}
		return pred.InFloats(floats), true
	case OfBytes:
	case OfByteDecimals:
		if d.Type.Physical != vector.FixedLenByteArray {
			return nil, false // a value has several encodings, so that comparing bytes is not enough
		}
	default:
		return nil, false
	}
	texts := make([][]byte, len(points))
	for i, k := range points {
		texts[i] = d.Plain(k)
	}
	if d.Kind == OfFloats && slices.Contains(points, floatKey(0)) {
		texts = append(texts, []byte{0, 0x80}) // -0
	}
	return pred.InStrings(texts), true
}

// storedInt returns an integer as decoders store it, which is signed, given its key
// as a number.
func (d *Domain) storedInt(n uint64) int64 {
	switch {
	case d.Kind == OfInts:
		return int64(n ^ 1<<63)
	case d.Type.Physical == vector.Int32:
		return int64(int32(uint32(n)))
	}
	return int64(n)
}

// interval returns the test of the values in [lo, hi). ok is false for UNKNOWN.
func (d *Domain) interval(lo, hi Cut) (*pred.Test, bool) {
	switch d.Kind {
	case OfInts, OfUints:
		from, to := d.cutNumber(lo, d.min), d.cutNumber(hi, d.max)
		if hi.End == 0 {
			to--
		}
		if d.Kind == OfUints {
			return pred.Unsigned(8*d.Type.Physical.Width(), from, to), true
		}
		return pred.Ints(d.storedInt(from), d.storedInt(to)), true
	case OfFloats:
		from, to := math.Inf(-1), math.Inf(1)
		if lo.End == 0 {
			from = keyFloat(lo.Key)
		}
		if hi.End == 0 {
			to = d.nextDown(keyFloat(hi.Key))
		}
		if d.Type.Physical == vector.FixedLenByteArray {
			return pred.Halves(from, to), true
		}
		return pred.Floats(from, to), true
	case OfByteDecimals:
		var from, to []byte
		if lo.End == 0 {
			from = bits.Signed(keyBig(lo.Key))
		}
		if hi.End == 0 {
			to = bits.Signed(new(big.Int).Sub(keyBig(hi.Key), big.NewInt(1)))
		}
		if d.Type.IsLongStamp() {
			return pred.LongStamps(d.longStamp(from), d.longStamp(to)), true
		}
		return pred.Decimals(from, to), true
	case OfInt96:
		var from, to []byte
		if lo.End == 0 {
			from = d.Plain(lo.Key)
		}
		if hi.End == 0 {
			day, nanos := keyInt96(hi.Key)
			to = d.Plain(string(appendInt96Key(nil, day, nanos-1)))
		}
		return pred.Stamps(from, to), true
	case OfBytes:
		return d.stringInterval(lo, hi), true
	}
	return nil, false
}

// longStamp returns a number of few bytes as it is stored in 12 of them; nil stays nil.
func (d *Domain) longStamp(b []byte) []byte {
	if b == nil {
		return nil
	}
	return d.bigEndian(bits.AppendSigned(nil, bits.SetSigned(new(big.Int), b), int(d.Type.Length)))
}

// stringInterval is interval for strings: equality or a prefix where the interval
// is one.
func (d *Domain) stringInterval(lo, hi Cut) *pred.Test {
	if hi.End == 0 && d.Type.Physical == vector.ByteArray {
		switch {
		case hi.Key == lo.Key+"\x00":
			return pred.Text(pred.Equal, []byte(lo.Key))
		case lo.Key != "" && AfterPrefix(lo.Key) == hi:
			return pred.Text(pred.Prefix, []byte(lo.Key))
		}
	}
	var to []byte
	if hi.End == 0 {
		to = []byte(hi.Key)
	}
	return pred.Strings([]byte(lo.Key), to)
}

// AfterPrefix returns the cut after all strings that start with s:
//
//	"ab\xff"    in front of "ac"
func AfterPrefix(s string) Cut {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] != 0xff {
			return Cut{Key: s[:i] + string([]byte{s[i] + 1})}
		}
	}
	return Cut{End: 1}
}

// Enumerate returns the keys of all values in s. ok is false if there are more than
// limit.
func (d *Domain) Enumerate(s *Subset, limit int) ([]key, bool) {
	if s.Intervals() > limit {
		return nil, false
	}
	points := make([]key, 0, s.Intervals())
	for i := range s.Intervals() {
		var ok bool
		if points, ok = d.appendInterval(points, limit, s, i); !ok {
			return nil, false
		}
	}
	return points, true
}

// appendInterval appends the keys of the values in the i-th interval of s. ok is false
// if there are too many.
func (d *Domain) appendInterval(points []key, limit int, s *Subset, i int) ([]key, bool) {
	lo, hi := s.Interval(i)
	switch d.Kind {
	case OfInts, OfUints:
		from, to := d.cutNumber(lo, d.min), d.cutNumber(hi, d.max)
		if hi.End > 0 {
			to++
		}
		if to-from > uint64(limit-len(points)) || to == from {
			return nil, false // from == to after overflow: all 2^64 values
		}
		for ; from != to; from++ {
			points = append(points, uintKey(from))
		}
		return points, true
	case OfFloats:
		if lo.End < 0 {
			lo = Cut{Key: floatKey(math.Inf(-1))}
		}
		f := keyFloat(lo.Key)
		single := hi.End > 0 && math.IsInf(f, 1) || hi.End == 0 && !math.IsInf(f, 1) && ascending(d.nextUp(f)) == keyUint(hi.Key)
		return append(points, lo.Key), single
	case OfBytes:
		return append(points, lo.Key), hi.End == 0 && hi.Key == lo.Key+"\x00"
	case OfByteDecimals:
		if lo.End != 0 || hi.End != 0 {
			return nil, false
		}
		from, to := keyBig(lo.Key), keyBig(hi.Key)
		if n := new(big.Int).Sub(to, from); !n.IsInt64() || n.Int64() > int64(limit-len(points)) {
			return nil, false
		}
		for ; from.Cmp(to) < 0; from.Add(from, big.NewInt(1)) {
			points = append(points, bigKey(from))
		}
		return points, true
	case OfInt96:
		if lo.End != 0 || hi.End != 0 {
			return nil, false
		}
		day, nanos := keyInt96(lo.Key)
		return append(points, lo.Key), hi.Key == string(appendInt96Key(nil, day, nanos+1))
	}
	return nil, false
}

// cutNumber returns the key of a cut of OfInts or OfUints as a number. For a cut at
// an end of the domain, it is that of the least or greatest value, given as end.
func (d *Domain) cutNumber(c Cut, end *big.Int) uint64 {
	switch {
	case c.End == 0:
		return keyUint(c.Key)
	case d.Kind == OfInts:
		return keyUint(intKey(end.Int64()))
	}
	return end.Uint64()
}
