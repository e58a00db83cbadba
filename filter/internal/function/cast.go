package function

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// ToText is CAST(value AS VARCHAR), of all values but strings, and FLOATs, which DuckDB writes with more
// digits at times.
var ToText = &Function{Name: "CAST to VARCHAR", Takes: Scalars, result: text, bind: bound(run{spelled: true})}

// speller writes values of a type as a CAST to text does.
type speller struct {
	t      vector.Type
	format vector.Formatter
}

// append appends the text of a slot that is not NULL.
func (s *speller) append(dst []byte, v *vector.Vector, i int) []byte {
	var buf [8]byte
	plain := value.PlainSlot(&buf, v, i)
	switch {
	case s.t.Physical == vector.Double:
		return value.AppendDouble(dst, v.Doubles[i])
	case s.t.Logical == vector.Date:
		return value.AppendDay(dst, int64(v.Int32s[i]))
	case s.t.IsLongMoment():
		days, nanos := s.t.SplitMoment(plain)
		return value.AppendStamp(dst, days, nanos, s.t.UTC)
	case s.t.Logical == vector.Timestamp:
		perSecond := s.t.Unit.PerSecond()
		days := value.FloorDiv(v.Int64s[i], secondsPerDay*perSecond)
		return value.AppendStamp(dst, days, (v.Int64s[i]-days*secondsPerDay*perSecond)*(1e9/perSecond), s.t.UTC)
	}
	at := len(dst)
	dst, _ = s.format.Append(dst, plain) // it fails for a decimal of more than 64 KiB alone, whose text is empty
	digits := bytes.TrimPrefix(dst[at:], []byte("-"))
	if s.t.Logical == vector.Decimal && s.t.Precision == s.t.Scale && bytes.HasPrefix(digits, []byte("0.")) { // .25
		dst = dst[:len(dst)-len(digits)+copy(digits, digits[1:])]
	}
	return dst
}

// FromText is CAST(value AS type) of strings. It is nil where the results fit no 64 bits, or where
// there is no such cast.
func FromText(to value.Target) *Function {
	t := resultOf(to)
	if t == (vector.Type{}) {
		return nil
	}
	least, most := int64(math.MinInt64), int64(math.MaxInt64)
	if low, high := to.Ends(); low != nil && t.Logical == vector.None {
		least, most = low.Num().Int64(), high.Num().Int64()
	}
	return &Function{Name: "CAST to " + to.String(), Takes: Texts, result: t, bind: bound(run{same: func(out, v *vector.Vector, sel []uint64) {
		build.NeedValidity(out)
		isInteger := t.Physical == vector.Int64 && t.Logical == vector.None
		isText := v.Type.Store() == vector.InViews && v.Type.Logical != vector.Decimal
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
				out.Int64s[i] = n
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
			case t.Physical == vector.Int32:
				out.Int32s[i] = int32(l.Days)
			case l.Kind == value.LitNumber:
				out.Int64s[i] = new(big.Int).Mul(l.Number.Coef, value.PowerOf10(l.Number.Exp+to.Scale)).Int64()
			default:
				out.Int64s[i] = l.Days*secondsPerDay*1e6 + l.Nanos/1e3
			}
		}
	}})}
}

// resultOf returns the type of what FromText makes of strings, the zero Type if it is nil.
func resultOf(to value.Target) vector.Type {
	t := vector.Type{Physical: vector.Int64, Unit: vector.Micros, UTC: to.Name == value.ToInstant}
	switch low, high := to.Ends(); {
	case to.Name == value.ToBoolean:
		t.Physical = vector.Boolean // with a unit, for without it is the zero Type
	case to.Name == value.ToDouble:
		return vector.Type{Physical: vector.Double}
	case to.Name == value.ToFloat:
		return vector.Type{Physical: vector.Float}
	case to.Name == value.ToDate:
		return vector.Type{Physical: vector.Int32, Logical: vector.Date}
	case to.Name == value.ToTime:
		t.Logical = vector.Time
	case to.Name == value.ToTimestamp || to.Name == value.ToInstant:
		t.Logical = vector.Timestamp
	case to.Name == value.ToDecimal && to.Precision <= 18:
		return vector.Type{Physical: vector.Int64, Logical: vector.Decimal, Precision: int32(to.Precision), Scale: int32(to.Scale)}
	case to.Name == value.ToDecimal || low == nil || !high.Num().IsInt64():
		return vector.Type{}
	default:
		return number
	}
	return t
}

// CastType returns the type of a column of what CastTo returns. ok is false where there is none.
func CastType(to value.Target) (t vector.Type, ok bool) {
	if to.Name == value.ToText {
		return text, true
	}
	if to.Name == value.ToBoolean {
		return vector.Type{Physical: vector.Boolean}, true
	}
	if t = resultOf(to); t == number && to.Name != value.ToBigint {
		t.Physical = vector.Int32
		if size := uint8(8) << ((to.Name - value.ToTinyint) % (value.ToUTinyint - value.ToTinyint)); to.Name != value.ToInteger {
			t.Logical, t.Bits, t.Signed = vector.Integer, size, to.Name < value.ToUTinyint
		}
	}
	return t, t != vector.Type{}
}

// CastTo returns the values of a flat vector of any primitive type as TRY_CAST does: NULL where one has no such cast.
func CastTo(v *vector.Vector, to value.Target) *vector.Vector {
	t, _ := CastType(to)
	isText := value.FamilyOf(value.DomainOf(v.Type)) == value.ByteStrings
	out := v
	if to.Name != value.ToText || !isText {
		f := ToText
		if to.Name != value.ToText {
			f = FromText(to)
		}
		there := v.Validity
		if len(there) == 0 {
			there = make([]uint64, bits.Words(v.Len))
			bits.SetRange(there, 0, v.Len)
		}
		if v.Type != t {
			if out = NewResults().Of([]Call{f.With()}, v, slices.Clone(there)); len(out.Validity) > 0 {
				bits.And(out.Validity, there)
			}
		}
	}
	retyped := *out
	if retyped.Type = t; t.Physical == vector.Int32 && len(out.Int64s) > 0 {
		for _, n := range out.Int64s {
			retyped.Int32s = append(retyped.Int32s, int32(n))
		}
	}
	return &retyped
}
