package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// TypeName is a type that CAST names.
type TypeName uint8

const (
	NoType TypeName = iota
	ToBoolean
	ToTinyint
	ToSmallint
	ToInteger
	ToBigint
	ToHugeint
	ToUTinyint
	ToUSmallint
	ToUInteger
	ToUBigint
	ToUHugeint
	ToFloat
	ToDouble
	ToDecimal
	ToText
	ToDate
	ToTime
	ToTimestamp // of a local time: what a clock in UTC shows
	ToInstant
)

var typeNames = [...][]string{
	ToBoolean: {"BOOLEAN", "BOOL"}, ToTinyint: {"TINYINT", "INT1"}, ToSmallint: {"SMALLINT", "INT2", "SHORT"}, ToInteger: {"INTEGER", "INT", "INT4"},
	ToBigint: {"BIGINT", "LONG", "INT8"}, ToHugeint: {"HUGEINT"}, ToUTinyint: {"UTINYINT"}, ToUSmallint: {"USMALLINT"}, ToUInteger: {"UINTEGER"},
	ToUBigint: {"UBIGINT"}, ToUHugeint: {"UHUGEINT"}, ToFloat: {"FLOAT", "REAL", "FLOAT4"}, ToDouble: {"DOUBLE", "FLOAT8"},
	ToDecimal: {"DECIMAL", "NUMERIC", "DEC"}, ToText: {"VARCHAR", "TEXT", "STRING", "CHAR"}, ToDate: {"DATE"},
	ToTime: {"TIME"}, ToTimestamp: {"TIMESTAMP", "DATETIME"}, ToInstant: {"TIMESTAMPTZ"},
}

// TypeNamed returns the type that a word names, NoType if it names none.
func TypeNamed(word string) TypeName {
	for t, names := range typeNames {
		for _, name := range names {
			if strings.EqualFold(name, word) {
				return TypeName(t)
			}
		}
	}
	return NoType
}

func (t TypeName) String() string { return typeNames[t][0] }

// Target is the type that a cast makes.
type Target struct {
	Name             TypeName
	Precision, Scale int // of a DECIMAL: how many digits it has, and how many of them behind the point
}

func (t Target) String() string {
	if t.Name == ToDecimal {
		return "DECIMAL(" + strconv.Itoa(t.Precision) + ", " + strconv.Itoa(t.Scale) + ")"
	}
	return t.Name.String()
}

// IsInteger reports whether t is a type of integers.
func (t Target) IsInteger() bool { return t.Name >= ToTinyint && t.Name <= ToUHugeint }

// Ends returns the least and the greatest value of a type of integers or decimals, nil of others.
func (t Target) Ends() (least, most *big.Rat) {
	switch {
	case t.Name == ToDecimal:
		most = new(big.Rat).Sub(powerOf10(t.Precision-t.Scale), powerOf10(-t.Scale))
		return new(big.Rat).Neg(most), most
	case t.IsInteger():
		bits := uint(8) << ((t.Name - ToTinyint) % (ToUTinyint - ToTinyint))
		least, most = new(big.Rat), new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), bits))
		if t.Name < ToUTinyint { // signed
			least.Neg(most.Quo(most, big.NewRat(2, 1)))
		}
		most.Sub(most, big.NewRat(1, 1))
	}
	return least, most
}

// rounded returns a number as a type of integers or decimals has it, halves away from 0; nil where it
// is beyond the ends of the type.
func (t Target) rounded(n Number) *Literal {
	if n.Exp > 40 && n.Coef.Sign() != 0 { // it is not calculated, which takes long
		return nil
	}
	l := Rounded.ofNumber(n, []*Literal{Of(t.Scale)})
	least, most := t.Ends()
	x := l.Number.Rat()
	if x.Cmp(least) < 0 || x.Cmp(most) > 0 {
		return nil
	}
	if l.Number.Approx = t.Scale > 0; !l.Number.Approx {
		l.Number = Number{Coef: x.Num()}
	}
	return l
}

// Cast returns a literal as a value of a type. The text is the error if there is none.
func (l *Literal) Cast(target Target) (*Literal, string) {
	to := target.Name
	fault := "no " + target.String() + ": " + l.String()
	if len(fault) > 80 {
		fault = fault[:80] + "…"
	}
	text := l.Text
	switch {
	case l.Kind == LitNull || l.Kind == LitBad || to == ToText && l.Kind == LitString:
		return l, ""
	case l.Kind == LitString:
		text = strings.TrimSpace(text)
	case to == ToText:
		return l.asText()
	case to == ToDate && l.Kind == LitStamp:
		return &Literal{Kind: LitDate, Days: l.Days}, ""
	case to == ToDate && l.Kind == LitDate, to == ToTime && l.Kind == LitTime, to == ToBoolean && l.Kind == LitBool:
		return l, ""
	case (to == ToTimestamp || to == ToInstant) && (l.Kind == LitDate || l.Kind == LitStamp):
		return &Literal{Kind: LitStamp, Days: l.Days, Nanos: l.Nanos, Zone: Zone{isInstant: to == ToInstant}}, ""
	case l.Kind == LitNumber:
		text = l.Number.String()
	case l.Kind == LitBool:
		text = "0"
		if l.Truth {
			text = "1"
		}
	case l.Kind == LitFloat:
		if text = strconv.FormatFloat(l.Double, 'g', -1, 64); target.IsInteger() {
			text = strconv.FormatFloat(math.RoundToEven(l.Double), 'g', -1, 64)
		}
	default:
		return nil, fault
	}
	switch to {
	case ToDate, ToTimestamp, ToInstant:
		m, ok := ParseMoment(text)
		switch {
		case !ok || l.Kind != LitString:
		case to == ToDate:
			return &Literal{Kind: LitDate, Days: m.Days}, ""
		case to == ToInstant:
			return m.AsInstant(), ""
		default:
			return m, ""
		}
	case ToTime:
		if nanos, ok := ParseTime(text); ok && l.Kind == LitString {
			return &Literal{Kind: LitTime, Nanos: nanos}, ""
		}
	case ToBoolean:
		if spelled, ok := spelledValue(l.Text, true); ok && l.Kind == LitString {
			return spelled, ""
		}
	case ToDouble, ToFloat:
		if f, ok := ParseDouble(text); ok {
			switch {
			case to == ToDouble:
			case l.Kind == LitFloat: // its text is another number, which may be nearest to another FLOAT
				f = float64(float32(f))
			default:
				f, _ = strconv.ParseFloat(text, 32)
			}
			return &Literal{Kind: LitFloat, Double: f}, ""
		}
	default:
		if spelled, ok := spelledValue(text, false); ok && spelled.Kind == LitNumber {
			if out := target.rounded(spelled.Number); out != nil {
				return out, ""
			}
		}
	}
	return nil, fault
}

// asText returns the text of a literal as a CAST writes it.
func (l *Literal) asText() (*Literal, string) {
	text := ""
	if l.Kind == LitNumber && l.Number.Approx {
		return nil, "no text of a number with a point or an exponent, whose last zeros are not kept: write it in quotes"
	}
	switch l.Kind {
	case LitBool:
		text = strconv.FormatBool(l.Truth)
	case LitNumber:
		text = l.Number.String()
	case LitFloat:
		text = string(AppendDouble(nil, l.Double))
	case LitDate:
		text = string(AppendDay(nil, l.Days))
	case LitTime:
		text = string(AppendTime(nil, l.Nanos))
	case LitStamp:
		text = string(AppendStamp(nil, l.Days, l.Nanos, l.Zone != Zone{}))
	default:
		return nil, "no text of " + l.Kind.String()
	}
	return Of(text), ""
}
