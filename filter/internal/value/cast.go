package value

import (
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
	ToBoolean: {"BOOLEAN", "BOOL"}, ToTinyint: {"TINYINT"}, ToSmallint: {"SMALLINT"}, ToInteger: {"INTEGER", "INT"},
	ToBigint: {"BIGINT", "LONG"}, ToFloat: {"FLOAT", "REAL", "FLOAT4"}, ToDouble: {"DOUBLE", "FLOAT8"},
	ToDecimal: {"DECIMAL", "NUMERIC"}, ToText: {"VARCHAR", "TEXT", "STRING", "CHAR"}, ToDate: {"DATE"},
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

// bits returns the size of a type of integers, 0 of others.
func (t TypeName) bits() int {
	if t < ToTinyint || t > ToBigint {
		return 0
	}
	return 8 << (t - ToTinyint)
}

// fits reports whether a type of integers has all values of a domain of integers.
func (t TypeName) fits(d *Domain) bool {
	bits := t.bits()
	if bits == 0 {
		return false
	}
	low, high := d.min, d.max
	if width := int(d.Type.Bits); width > 0 && width < 32 { // INT(8), say, in an INT32
		high = big.NewInt(1<<width - 1)
		low = new(big.Int)
		if d.Type.Signed {
			low, high = big.NewInt(-1<<(width-1)), big.NewInt(1<<(width-1)-1)
		}
	}
	return within(low, bits) && within(high, bits)
}

// within reports whether a number is one of so many bits, in two's complement.
func within(n *big.Int, bits int) bool {
	if n.Sign() < 0 {
		n = new(big.Int).Not(n)
	}
	return n.BitLen() < bits
}

// Cast returns a literal as a value of a type. The text is the error if there is none.
func (l *Literal) Cast(to TypeName) (*Literal, string) {
	fault := "no " + to.String() + ": " + string(l.AppendTo(nil))
	if len(fault) > 80 {
		fault = fault[:80] + "…"
	}
	text := l.Text
	switch {
	case l.Kind == LitNull || l.Kind == LitBad:
		return l, ""
	case l.Kind == LitString:
	case to == ToText:
		return l.asText()
	case to == ToDate && l.Kind == LitStamp:
		return &Literal{Kind: LitDate, Days: l.Days}, ""
	case to == ToDate && l.Kind == LitDate, to == ToTime && l.Kind == LitTime, to == ToBoolean && l.Kind == LitBool:
		return l, ""
	case (to == ToTimestamp || to == ToInstant) && (l.Kind == LitDate || l.Kind == LitStamp):
		return &Literal{Kind: LitStamp, Days: l.Days, Nanos: l.Nanos, Zone: Zone{isInstant: to == ToInstant}}, ""
	case l.Kind == LitNumber:
		text = string(l.Number.AppendTo(nil))
	case l.Kind == LitFloat:
		text = strconv.FormatFloat(l.Double, 'g', -1, 64)
	default:
		return nil, fault
	}
	switch to {
	case ToText:
		return l, ""
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
		if spelled, ok := spelledValue(text, true); ok && l.Kind == LitString {
			return spelled, ""
		}
	case ToDouble, ToFloat:
		if f, ok := ParseDouble(text); ok {
			if to == ToFloat {
				f, _ = strconv.ParseFloat(text, 32)
			}
			return &Literal{Kind: LitFloat, Double: f}, ""
		}
	case ToDecimal:
		if spelled, ok := spelledValue(text, false); ok && spelled.Kind == LitNumber {
			return spelled, ""
		}
	default:
		spelled, ok := spelledValue(text, false)
		if !ok || spelled.Kind != LitNumber {
			break
		}
		if n := spelled.Number.Rat(); n.IsInt() && within(n.Num(), to.bits()) {
			return &Literal{Kind: LitNumber, Number: Number{Coef: new(big.Int).Set(n.Num())}}, ""
		}
	}
	return nil, fault
}

// asText returns the text of a literal as a CAST writes it.
func (l *Literal) asText() (*Literal, string) {
	var text []byte
	if l.Kind == LitNumber && l.Number.Approx {
		return nil, "no text of a number with a point or an exponent, whose last zeros are not kept: write it in quotes"
	}
	switch l.Kind {
	case LitBool:
		text = strconv.AppendBool(nil, l.Truth)
	case LitNumber:
		text = l.Number.AppendTo(nil)
	case LitFloat:
		text = AppendDouble(nil, l.Double)
	case LitDate:
		text = AppendDay(nil, l.Days)
	case LitTime:
		text = AppendTime(nil, l.Nanos)
	case LitStamp:
		text = AppendStamp(nil, l.Days, l.Nanos, l.Zone != Zone{})
	default:
		return nil, "no text of " + l.Kind.String()
	}
	return &Literal{Kind: LitString, Text: string(text)}, ""
}
