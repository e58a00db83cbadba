package value

import (
	"math"
	"math/big"
)

// Of returns what a function that a Chain inverts returns for a constant, nil where it takes others.
func (f Inverse) Of(l *Literal, constants []*Literal) *Literal {
	moment := l.IsMoment()
	switch {
	case f == Years && moment:
		return Of(Year(l.Days))
	case f == Seconds && moment:
		out := Number{Coef: l.number(nil, false).at.Num(), Exp: -9, Approx: true}
		out.trim()
		return &Literal{Kind: LitNumber, Number: out}
	case f == Truncation && moment:
		return l.truncated(constants[0].Text)
	case f == InZone && moment:
		at, _ := zoneNamed(constants[0].Text)
		return l.inZone(at)
	case f < Absolute:
		return nil
	case l.Kind == LitNumber:
		return f.ofNumber(l.Number, constants)
	case l.Kind == LitFloat:
		var out [1]float64
		f.Doubles(out[:], []float64{l.Double}, constants)
		return &Literal{Kind: LitFloat, Double: out[0]}
	}
	return nil
}

// truncated returns the begin of the unit of time that a moment is in.
func (l *Literal) truncated(unit string) *Literal {
	out := *l
	if day, nanos := UnitOf(unit); day == nil {
		out.Nanos -= l.Nanos % nanos
	} else {
		out.Days, out.Nanos = day(l.Days), 0
	}
	return &out
}

// ofNumber returns an exact result.
func (f Inverse) ofNumber(n Number, constants []*Literal) *Literal {
	digits := Digits(f, constants)
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

// Doubles sets z to what a function returns for doubles, as for those of a column.
func (f Inverse) Doubles(z, x []float64, constants []*Literal) {
	digits := Digits(f, constants)
	power, _ := powerOf10(max(digits, -digits)).Float64()
	for i, x := range x[:len(z)] {
		switch f {
		case Absolute:
			z[i] = math.Abs(x)
		case Floor:
			z[i] = math.Floor(x)
		case Ceiling:
			z[i] = math.Ceil(x)
		case Sign:
			if z[i] = math.Copysign(1, x); x == 0 || x != x {
				z[i] = x
			}
		default:
			y := x * power
			whole := math.Round(y)
			if math.Abs(whole-y) == 0.5 && math.FMA(x, power, -y)*y < 0 { // the exact product is no half, see product
				whole = math.Trunc(y)
			}
			if z[i] = whole / power; digits < 0 {
				z[i] = math.Round(x/power) * power
			}
			if z[i]-z[i] != 0 {
				z[i] = x
			}
		}
	}
}
