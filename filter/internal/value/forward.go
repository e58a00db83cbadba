package value

import (
	"math"
	"math/big"
	"strings"
)

// Of returns what a function that a Chain inverts returns for a constant, nil where it takes others.
func (f Inverse) Of(l *Literal, constants []*Literal) *Literal {
	moment := l.IsMoment()
	switch {
	case f == Years && moment:
		month, _ := monthOf(l.Days)
		return Of(FloorDiv(month, 12))
	case f == Seconds && moment:
		out := Number{Coef: l.number(nil, false).at.Num(), Exp: -9, Approx: true}
		out.trim()
		return &Literal{Kind: LitNumber, Number: out}
	case f == Truncation && moment:
		return l.truncated(units[strings.ToLower(constants[0].Text)])
	case f == InZone && moment:
		at, _ := zoneNamed(constants[0].Text)
		return l.inZone(at)
	case f < Absolute:
		return nil
	case l.Kind == LitNumber:
		return f.ofNumber(l.Number, constants)
	case l.Kind == LitFloat:
		return &Literal{Kind: LitFloat, Double: f.ofDouble(l.Double, constants)}
	}
	return nil
}

// truncated returns the begin of the unit of time that a moment is in.
func (l *Literal) truncated(unit truncation) *Literal {
	out := *l
	switch {
	case unit.months > 0:
		month, _ := monthOf(l.Days)
		out.Days, out.Nanos = dayOf(unit.months*FloorDiv(month, unit.months)), 0
	case unit.nanos < NanosPerDay:
		out.Nanos -= l.Nanos % unit.nanos
	default:
		days, from := unit.nanos/NanosPerDay, unit.from/NanosPerDay
		out.Days, out.Nanos = from+days*FloorDiv(l.Days-from, days), 0
	}
	return &out
}

// ofNumber returns an exact result.
func (f Inverse) ofNumber(n Number, constants []*Literal) *Literal {
	digits := 0
	if f == Rounded {
		digits = digitsOf(constants)
	}
	x, out := n.Rat(), n
	floor := func(x *big.Rat) *big.Int { return new(big.Int).Div(x.Num(), x.Denom()) }
	switch {
	case f == Absolute:
		out.Coef = new(big.Int).Abs(n.Coef)
	case f == Sign:
		out = Number{Coef: big.NewInt(int64(x.Sign()))}
	case n.Exp >= -digits: // nothing is cut off
	case f == Floor:
		out = Number{Coef: floor(x)}
	case f == Ceiling:
		z := floor(x.Neg(x))
		out = Number{Coef: z.Neg(z)}
	default:
		z := floor(new(big.Rat).Add(new(big.Rat).Mul(new(big.Rat).Abs(x), powerOf10(digits)), big.NewRat(1, 2)))
		if x.Sign() < 0 {
			z.Neg(z)
		}
		out = Number{Coef: z, Exp: -digits, Approx: digits != 0}
	}
	out.trim()
	return &Literal{Kind: LitNumber, Number: out}
}

// ofDouble returns a result that is a double, as that of a column would be.
func (f Inverse) ofDouble(x float64, constants []*Literal) float64 {
	switch f {
	case Absolute:
		return math.Abs(x)
	case Floor:
		return math.Floor(x)
	case Ceiling:
		return math.Ceil(x)
	case Sign:
		if x == 0 || math.IsNaN(x) {
			return x
		}
		return math.Copysign(1, x)
	}
	digits := digitsOf(constants)
	power, _ := powerOf10(max(digits, -digits)).Float64()
	out := math.Round(x*power) / power
	if digits < 0 {
		out = math.Round(x/power) * power
	}
	if math.IsInf(out, 0) || math.IsNaN(out) {
		return x
	}
	return out
}
