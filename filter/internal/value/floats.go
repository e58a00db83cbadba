package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// nearest converts a number for comparison with the floats of a domain. An approximate
// number means the float of the domain's width that is nearest to it. For an integer, and
// for a number beyond all floats, f is the least double that is not below it, and exact
// reports whether f equals it.
func (d *Domain) nearest(n Number) (f float64, exact bool) {
	if !n.Approx {
		f, acc := new(big.Float).SetInt(n.Coef).Float64()
		if acc == big.Below {
			return math.Nextafter(f, math.Inf(1)), false
		}
		return f, acc == big.Exact
	}
	text := n.Coef.String() + "e" + strconv.Itoa(n.Exp)
	most := math.MaxFloat64
	switch d.Type.Physical {
	case vector.Double:
		f, _ = strconv.ParseFloat(text, 64)
	case vector.Float:
		f, _ = strconv.ParseFloat(text, 32)
		most = math.MaxFloat32
	default:
		f, most = nearestHalf(n.Rat()), halfValue(0x7bff)
	}
	switch {
	case math.IsInf(f, 1):
		return math.Nextafter(most, f), false
	case math.IsInf(f, -1):
		return -most, false
	}
	return f, true
}

// nearestHalf returns the half-precision number that is nearest to r, the even one of two.
// It is infinite from 65520 on, as if the next number was 65536.
func nearestHalf(r *big.Rat) float64 {
	f, _ := r.Float64()
	switch {
	case f >= 1<<17:
		return math.Inf(1)
	case f <= -1<<17:
		return math.Inf(-1)
	}
	value := func(o int) float64 { // of an ordinal, 65536 for infinity
		if o == 0x7c00 || o == -0x7c00 {
			return math.Copysign(1<<16, float64(o))
		}
		return halfValue(o)
	}
	up := halfAtLeast(f)
	for ; up < 0x7c00 && new(big.Rat).SetFloat64(value(up)).Cmp(r) < 0; up++ { // f may be rounded down
	}
	if up == -0x7c00 {
		return math.Inf(-1)
	}
	middle := new(big.Rat).SetFloat64((value(up) + value(up-1)) / 2)
	if c := r.Cmp(middle); c < 0 || c == 0 && up%2 != 0 {
		up--
	}
	return halfValue(up)
}

// placeFloat returns the position of a literal among floats, given the least double f that
// is not below it, and whether f equals it.
func (d *Domain) placeFloat(f float64, exact bool) Position {
	at := func(f float64) Cut {
		if math.IsInf(f, -1) {
			return Cut{End: -1}
		}
		return Cut{Key: floatKey(f)}
	}
	c := d.ceil(f)
	s := Position{Lo: at(c), Hi: at(c)}
	if exact && c == f {
		if math.IsInf(c, 1) {
			s.Hi = Cut{End: 1}
		} else {
			s.Hi = at(d.nextUp(c))
		}
	}
	return s
}

// placeDouble returns the position of a double. Integers and floats compare with it exactly,
// a decimal by the double nearest to it.
func (d *Domain) placeDouble(f float64) Position {
	switch {
	case math.IsNaN(f):
		return Position{NaN: true}
	case d.Kind == OfFloats:
		return d.placeFloat(f, true)
	case math.IsInf(f, 1): // no value of any other kind is as high
		return Position{Lo: Cut{End: 1}, Hi: Cut{End: 1}}
	case math.IsInf(f, -1):
		return Position{Lo: Cut{End: -1}, Hi: Cut{End: -1}}
	case d.Type.Scale == 0:
		r := new(big.Rat).SetFloat64(f)
		return d.placeRatio(r.Num(), r.Denom())
	}
	// The decimals whose nearest double is f lie between the middles to its neighbours,
	// and on these if f is even.
	even := math.Float64bits(f)%2 == 0
	lo, hi := d.scaled(middleBelow(f)), d.scaled(new(big.Rat).Neg(middleBelow(-f)))
	return Position{Lo: d.cutBeside(lo.Num(), lo.Denom(), !even), Hi: d.cutBeside(hi.Num(), hi.Denom(), even)}
}

// scaled returns a number as a decimal of the domain is stored: times 10^scale.
func (d *Domain) scaled(r *big.Rat) *big.Rat {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.Type.Scale)), nil)
	return new(big.Rat).Mul(r, new(big.Rat).SetInt(power))
}

// middleBelow returns the number in the middle between f and the double below it. Below the
// least double lies -2^1024, as rounding has it.
func middleBelow(f float64) *big.Rat {
	below := math.Nextafter(f, math.Inf(-1))
	r := new(big.Rat).SetFloat64(f)
	if math.IsInf(below, -1) {
		r.Sub(r, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 1024)))
	} else {
		r.Add(r, new(big.Rat).SetFloat64(below))
	}
	return r.Quo(r, big.NewRat(2, 1))
}

// ParseDouble parses what follows DOUBLE in a text: a number, NaN, Infinity or -Infinity.
// The double is the nearest one.
func ParseDouble(s string) (float64, bool) {
	switch s {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// CompareNumbers compares two literals that are numbers: as doubles if one is a double and
// the other is approximate, else exactly. isNaN reports that one is NaN.
func CompareNumbers(l, r *Literal) (order int, isNaN bool) {
	double := Domain{Kind: OfFloats, Type: vector.Type{Physical: vector.Double}}
	switch {
	case l.Kind == LitNumber && r.Kind == LitNumber:
		return l.Number.Rat().Cmp(r.Number.Rat()), false
	case l.Kind == LitNumber:
		order, isNaN = CompareNumbers(r, l)
		return -order, isNaN
	case l.Double != l.Double || r.Kind == LitFloat && r.Double != r.Double:
		return 0, true
	}
	at := double.placeFloat(r.Double, true)
	if r.Kind == LitNumber {
		at = double.placeFloat(double.nearest(r.Number))
	}
	switch key := floatKey(l.Double); {
	case at.Lo.compare(Cut{Key: key}) > 0:
		return -1, false
	case at.Hi.compare(Cut{Key: key}) <= 0:
		return 1, false
	}
	return 0, false
}
