package function

import (
	"bytes"
	"math"
	"math/big"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// ToText is CAST(value AS VARCHAR), of all values but strings, and FLOATs, which DuckDB writes with more
// digits at times.
var ToText = &Function{Name: "CAST to VARCHAR", Takes: Scalars, result: text, bind: bound(spelled)}

// spelled writes values as a CAST to text does.
func spelled(r *Results, out, v *vector.Vector, sel []uint64) {
	format := v.Type.Text()
	r.texts(out, sel, func(dst []byte, i int) []byte { return appendText(dst, &format, v, i) })
}

// appendText appends the text of a slot that is not NULL.
func appendText(dst []byte, format *vector.Formatter, v *vector.Vector, i int) []byte {
	var buf [8]byte
	plain := build.Plain(buf[:0], v, i)
	switch t := v.Type; {
	case t.Physical == vector.Double:
		return value.AppendDouble(dst, v.Doubles[i])
	case t.Logical == vector.Date:
		return value.AppendDay(dst, int64(v.Int32s[i]))
	case t.IsLongMoment():
		days, nanos := t.SplitMoment(plain)
		return value.AppendStamp(dst, days, nanos, t.UTC)
	case t.Logical == vector.Timestamp:
		perSecond := t.Unit.PerSecond()
		days := value.FloorDiv(v.Int64s[i], secondsPerDay*perSecond)
		return value.AppendStamp(dst, days, (v.Int64s[i]-days*secondsPerDay*perSecond)*(1e9/perSecond), t.UTC)
	}
	at := len(dst)
	dst, _ = format.Append(dst, plain) // it fails for a decimal of more than 64 KiB alone, whose text is empty
	digits := bytes.TrimPrefix(dst[at:], []byte("-"))
	if v.Type.Logical == vector.Decimal && v.Type.Precision <= v.Type.Scale && bytes.HasPrefix(digits, []byte("0.")) { // .25
		dst = dst[:len(dst)-len(digits)+copy(digits, digits[1:])]
	}
	return dst
}

// FromText is CAST(value AS type) of strings. It is nil where the results fit no 64 bits, or where
// there is no such cast.
func FromText(to value.Target) *Function {
	t, ok := CastType(to)
	if !ok {
		return nil
	}
	isInteger := to.IsInteger()
	least, most := int64(math.MinInt64), int64(math.MaxInt64)
	if isInteger {
		low, high := to.Ends()
		least, most = low.Num().Int64(), high.Num().Int64()
	}
	return &Function{Name: "CAST to " + to.String(), Takes: Texts, result: t, bind: bound(func(_ *Results, out, v *vector.Vector, sel []uint64) {
		build.NeedValidity(out)
		isText := v.Type.Store() == vector.InViews && v.Type.Logical != vector.Decimal
		set := func(i int, n int64) {
			if t.Physical == vector.Int32 {
				out.Int32s[i] = int32(n)
			} else {
				out.Int64s[i] = n
			}
		}
		for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
			n, isWhole := int64(0), false
			switch {
			case isText:
				whole, err := strconv.ParseInt(string(v.Bytes(i)), 10, 64)
				n, isWhole = whole, err == nil
			case v.Type == number:
				n, isWhole = v.Int64s[i], true
			}
			if isWhole && isInteger && n >= least && n <= most {
				set(i, n)
				continue
			}
			var l *value.Literal
			if isText {
				l = value.Of(string(v.Bytes(i)))
			} else {
				l = value.Of(v.Scalar(i))
			}
			l, fault := l.Cast(to)
			switch {
			case fault != "" || l.Kind == value.LitBad || l.Days != int64(int32(l.Days)) || t.Logical == vector.Timestamp && l.Days/1e8 != 0: // no microseconds hold it
				bits.Clear(out.Validity, i)
			case t.Physical == vector.Boolean:
				if bits.Clear(out.Bools, i); l.Truth {
					bits.Set(out.Bools, i)
				}
			case t.Physical == vector.Double:
				out.Doubles[i] = l.Double
			case t.Physical == vector.Float:
				out.Floats[i] = float32(l.Double)
			case l.Kind == value.LitNumber:
				set(i, new(big.Int).Mul(l.Number.Coef, value.PowerOf10(l.Number.Exp+to.Scale)).Int64())
			case t.Logical == vector.Date:
				set(i, l.Days)
			default:
				set(i, l.Days*secondsPerDay*1e6+l.Nanos/1e3)
			}
		}
	})}
}

// castTypes are the types of what casts return, but of decimals.
var castTypes = map[value.TypeName]vector.Type{
	value.ToText: text, value.ToBoolean: {Physical: vector.Boolean}, value.ToFloat: {Physical: vector.Float}, value.ToDouble: {Physical: vector.Double},
	value.ToTinyint:   {Physical: vector.Int32, Logical: vector.Integer, Bits: 8, Signed: true},
	value.ToSmallint:  {Physical: vector.Int32, Logical: vector.Integer, Bits: 16, Signed: true},
	value.ToUTinyint:  {Physical: vector.Int32, Logical: vector.Integer, Bits: 8},
	value.ToUSmallint: {Physical: vector.Int32, Logical: vector.Integer, Bits: 16},
	value.ToUInteger:  {Physical: vector.Int32, Logical: vector.Integer, Bits: 32},
	value.ToInteger:   {Physical: vector.Int32}, value.ToBigint: number,
	value.ToDate: {Physical: vector.Int32, Logical: vector.Date}, value.ToTime: {Physical: vector.Int64, Logical: vector.Time, Unit: vector.Micros},
	value.ToTimestamp: {Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Micros},
	value.ToInstant:   {Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Micros, UTC: true},
}

// CastType returns the type of what FromText and CastTo return. ok is false where there is none.
func CastType(to value.Target) (t vector.Type, ok bool) {
	if to.Name == value.ToDecimal {
		return vector.Type{Physical: vector.Int64, Logical: vector.Decimal, Precision: int32(to.Precision), Scale: int32(to.Scale)}, to.Precision <= 18
	}
	t, ok = castTypes[to.Name]
	return t, ok
}

// CastTo returns the values of a flat vector of any primitive type as TRY_CAST does: NULL where one has no such cast.
func CastTo(v *vector.Vector, to value.Target) *vector.Vector {
	f := ToText
	switch t, _ := CastType(to); {
	case v.Type == t:
		return v
	case to.Name != value.ToText:
		f = FromText(to)
	case value.FamilyOf(value.DomainOf(v.Type)) == value.ByteStrings:
		out := *v
		out.Type = t
		return &out
	}
	all := make([]uint64, bits.Words(v.Len))
	bits.SetRange(all, 0, v.Len)
	return NewResults().Of([]Call{f.With()}, v, all)
}
