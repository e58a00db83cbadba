package calculate

import (
	"math/big"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Type returns the type of vectors of a term. The text is the error where it has none, else "".
func (t *Term) Type() (of vector.Type, fault string) {
	of.Physical = vector.Int64
	switch number := t.Family == value.Numbers; {
	case t.Domain != nil:
		return t.Domain.Type, ""
	case number && t.narrow != nil:
		return t.narrow.Type, ""
	case t.Family == value.Moments && t.days:
		of.Physical, of.Logical = vector.Int32, vector.Date
	case t.Family == value.Moments:
		of.Logical, of.Unit, of.UTC = vector.Timestamp, vector.Unit(max(t.scale/3, 1)), t.instant
	case number && t.float:
		of.Physical = vector.Double
	case number && t.cast && 0 < t.scale && t.scale <= 18:
		of.Logical, of.Precision, of.Scale = vector.Decimal, 18, int32(t.scale)
	case !number || t.scale > 0:
		fault = "is calculated: CAST it to DOUBLE, or to DECIMAL with so many digits, before a function takes it"
	}
	return of, fault
}

// Vector returns the values of n rows as a vector of the term's type, which is not to be changed. What 64
// bits do not hold is NULL, and of moments only what microseconds do not.
func (t *Term) Vector(m *Memory, n int) *vector.Vector {
	if t.Domain != nil {
		return m.Vectors[t.column]
	}
	m.used = 0
	l := t.run(m, n)
	v := &vector.Vector{}
	of, _ := t.Type()
	if of.Physical == vector.Int64 && t.Family == value.Numbers { // a result may fit where an operand does not, such as a UINT64
		scale := new(big.Rat).SetInt(value.PowerOf10(t.scale))
		for i := bits.Next(l.apart, 0, n); i < n; i = bits.Next(l.apart, i+1, n) {
			if bits.Get(l.valid, i) {
				if f := new(big.Rat).Mul(t.fraction(m, i), scale); f.IsInt() && f.Num().IsInt64() {
					l.ints[i] = f.Num().Int64()
					bits.Clear(l.apart, i)
				}
			}
		}
	}
	apart := bits.Next(l.apart, 0, n) < n
	if apart = apart && of.Logical == vector.Timestamp; apart {
		of.Unit = vector.Micros
	}
	build.Reset(v, of)
	build.Extend(v, n)
	build.NeedValidity(v)
	copy(v.Doubles, l.floats)
	for i := range v.Int64s {
		switch v.Int64s[i] = l.ints[i]; {
		case apart && bits.Get(l.valid, i):
			if at := t.literal(t.fraction(m, i)); at != nil && at.Days/1e8 == 0 {
				v.Int64s[i] = at.Days*(value.NanosPerDay/1e3) + at.Nanos/1e3
				bits.Clear(l.apart, i)
			}
		case of.Logical == vector.Timestamp && t.scale == 0: // in seconds
			v.Int64s[i] *= 1000
		}
	}
	for i := range v.Int32s {
		if v.Int32s[i] = int32(l.ints[i]); int64(v.Int32s[i]) != l.ints[i] {
			bits.Clear(l.valid, i)
		}
	}
	bits.AndNot(l.valid, l.apart)
	copy(v.Validity, l.valid)
	return v
}
