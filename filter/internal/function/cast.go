package function

import (
	"bytes"
	"math/big"
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
	t := vector.Type{Physical: vector.Int64, Unit: vector.Micros, UTC: to.Name == value.ToInstant}
	var least, most int64 // of integers
	switch low, high := to.Ends(); {
	case to.Name == value.ToDouble:
		t.Physical = vector.Double
	case to.Name == value.ToFloat:
		t.Physical = vector.Float
	case to.Name == value.ToDate:
		t.Physical, t.Logical = vector.Int32, vector.Date
	case to.Name == value.ToTime:
		t.Logical = vector.Time
	case to.Name == value.ToTimestamp || to.Name == value.ToInstant:
		t.Logical = vector.Timestamp
	case to.Name == value.ToDecimal && to.Precision <= 18:
		t.Logical, t.Precision, t.Scale = vector.Decimal, int32(to.Precision), int32(to.Scale)
	case to.Name == value.ToDecimal || low == nil || !high.Num().IsInt64():
		return nil
	default:
		least, most = low.Num().Int64(), high.Num().Int64()
	}
	return &Function{Name: "CAST to " + to.String(), Takes: Texts, result: t, bind: bound(run{same: func(out, v *vector.Vector, sel []uint64) {
		build.NeedValidity(out)
		for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
			if n, err := strconv.ParseInt(string(v.Bytes(i)), 10, 64); err == nil && t.Physical == vector.Int64 && t.Logical == vector.None && n >= least && n <= most {
				out.Int64s[i] = n
				continue
			}
			l, fault := value.Of(string(v.Bytes(i))).Cast(to)
			switch {
			case fault != "" || l.Days != int64(int32(l.Days)) || t.Logical == vector.Timestamp && l.Days/1e8 != 0: // no microseconds hold it
				bits.Clear(out.Validity, i)
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
