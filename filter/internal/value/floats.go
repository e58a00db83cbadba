package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// nearest returns the float of the domain's width that is nearest to a number, the even one of
// two.
func (d *Domain) nearest(r *big.Rat) float64 {
	switch d.Type.Physical {
	case vector.Double:
		f, _ := r.Float64()
		return f
	case vector.Float:
		f, _ := r.Float32()
		return float64(f)
	}
	p := point{at: r}
	f := p.floatFrom(d)
	if p.compare(roundedFrom(d, f)) < 0 {
		return d.nextDown(f)
	}
	return f
}

// ParseDouble parses what follows DOUBLE in a text: a number, NaN, Infinity or -Infinity.
// The double is the nearest one.
func ParseDouble(s string) (float64, bool) {
	if s != "NaN" && strings.TrimPrefix(s, "-") != "Infinity" && strings.Trim(s, "0123456789.eE+-") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// floatOf returns the float that a number means where it is compared with floats of the domain:
// an approximate one the float of their width that is nearest to it. ok is false where there
// is none.
func (d *Domain) floatOf(l *Literal) (f float64, ok bool) {
	n := l.Number
	switch {
	case l.Kind == LitFloat:
		f = l.Double
	case !n.Approx:
		f, acc := new(big.Float).SetInt(n.Coef).Float64()
		return f, acc == big.Exact
	case d.Type.Physical == vector.FixedLenByteArray:
		f = d.nearest(n.Rat())
	default:
		f, _ = strconv.ParseFloat(n.Coef.String()+"e"+strconv.Itoa(n.Exp), 8*d.Type.Physical.Width())
	}
	return f, f-f == 0
}

// placeFloat returns the position of a finite double among floats.
func (d *Domain) placeFloat(f float64) Position {
	c := d.ceil(f)
	s := Position{Lo: Cut{Key: floatKey(c)}}
	if s.Hi = s.Lo; c == f {
		s.Hi = Cut{Key: floatKey(d.nextUp(c))}
	}
	return s
}

// number is a literal as numbers compare with it, and as booleans, moments and times do.
type number struct {
	point
	isNaN   bool
	rounded bool // the numbers are rounded to doubles before
}

// number returns the number of a literal that has one: of a moment or time its nanoseconds. It
// is compared with the floats of a domain; where that is nil, with integers or decimals.
func (l *Literal) number(floats *Domain, decimals bool) (n number) {
	switch l.Kind {
	case LitBool:
		n.at = new(big.Rat)
		if l.Truth {
			n.at.SetInt64(1)
		}
	case LitFloat:
		switch {
		case math.IsNaN(l.Double):
			n.isNaN = true
		case math.IsInf(l.Double, 0):
			n.infinity = int8(math.Copysign(1, l.Double))
		default:
			n.at, n.rounded = new(big.Rat).SetFloat64(l.Double), decimals && floats == nil
		}
	case LitNumber:
		if floats != nil {
			if f, ok := floats.floatOf(l); ok {
				n.at = new(big.Rat).SetFloat64(f)
				break
			}
		}
		n.at = l.Number.Rat()
	default: // a date, a time or a timestamp
		nanos := new(big.Int).Mul(big.NewInt(l.Days), big.NewInt(NanosPerDay))
		n.at = new(big.Rat).SetInt(nanos.Add(nanos, big.NewInt(l.Nanos)))
	}
	return n
}

// sides returns the points in front of the numbers that equal n, and behind them.
func (n number) sides() (front, behind point) {
	front, behind = n.point, n.point
	behind.behind = true
	if n.rounded {
		double := FloatsOf(true)
		front, behind = roundedFrom(double, front.floatFrom(double)), roundedFrom(double, behind.floatFrom(double))
	}
	return front, behind
}

// CompareLiterals compares two literals of one kind, or two numbers, or two moments; intervals
// have no order. Numbers are compared as doubles if one is a double and the other is approximate,
// else exactly. isNaN reports that one is NaN.
func CompareLiterals(l, r *Literal) (order int, isNaN bool) {
	if l.Kind == LitString || l.Kind == LitBinary {
		return strings.Compare(l.Text, r.Text), false
	}
	var floats *Domain
	if l.Kind == LitFloat || r.Kind == LitFloat {
		floats = FloatsOf(true)
	}
	x, y := l.number(floats, false), r.number(floats, false)
	if x.isNaN || y.isNaN {
		return 0, true
	}
	return x.compare(y.point), false
}
