package value

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
)

// point divides the numbers, and both infinities, in two: those below it and all others. It
// lies in front of a number, or behind it.
type point struct {
	at       *big.Rat // nil: an infinity
	infinity int8     // -1 or 1
	behind   bool
}

func (p point) compare(o point) int {
	order := cmp.Compare(p.infinity, o.infinity)
	if order == 0 && p.at != nil {
		order = p.at.Cmp(o.at)
	}
	switch {
	case order != 0 || p.behind == o.behind:
		return order
	case o.behind:
		return -1
	}
	return 1
}

// line is a set of numbers and infinities, as Subset is one of a column's values: those
// between points at which membership begins and ends. Moments are numbers of nanoseconds.
type line struct {
	below  bool    // numbers below the first point belong to it
	points []point // ascending, none twice
}

// normalize sorts the points. Two that are equal cancel.
func (l *line) normalize() {
	slices.SortFunc(l.points, point.compare)
	kept := l.points[:0]
	for _, p := range l.points {
		if n := len(kept); n > 0 && kept[n-1].compare(p) == 0 {
			kept = kept[:n-1]
		} else {
			kept = append(kept, p)
		}
	}
	l.points = kept
}

// operation is a function of numbers, by its inverse.
type operation interface {
	// before returns the numbers that the function does not map below p.
	before(p point) line
}

// before returns the numbers that an operation maps into l. A line is its points' upper sides,
// each of which excludes what the one before it includes and the other way round; so are
// the numbers before the operation.
func (l line) before(o operation) line {
	out := line{below: l.below}
	for _, p := range l.points {
		part := o.before(p)
		out.below = out.below != part.below
		out.points = append(out.points, part.points...)
	}
	out.normalize()
	return out
}

// linear is x × factor + offset. A factor of 0 is for finite numbers only.
type linear struct{ factor, offset *big.Rat }

func (o linear) before(p point) line {
	sign := o.factor.Sign()
	switch {
	case sign == 0:
		return line{below: point{at: o.offset}.compare(p) >= 0}
	case p.at == nil:
		p.infinity *= int8(sign)
	default:
		p.at = new(big.Rat).Sub(p.at, o.offset)
		p.at.Quo(p.at, o.factor)
	}
	if sign < 0 {
		p.behind = !p.behind
	}
	return line{below: sign < 0, points: []point{p}}
}

// rounding rounds to the nearest float of a domain, to an even one halfway. Beyond the
// greatest, the next number is as far away as the one before, and stands for infinity.
type rounding struct{ to *Domain }

func (o rounding) before(p point) line {
	f := p.floatFrom(o.to)
	switch {
	case p.infinity > 0 && p.behind:
		return line{} // a point that is no infinity, for operations of finite numbers
	case math.IsInf(f, -1):
		return line{below: true}
	}
	return line{points: []point{roundedFrom(o.to, f)}}
}

// roundedFrom returns the point from which on numbers round to f or above: the middle between
// f and the float of the domain below it. f is not -Inf.
func roundedFrom(d *Domain, f float64) point {
	even, infinity := math.Float64bits(f)%2 == 0, uint(1024)
	switch d.Type.Physical {
	case vector.Float:
		even, infinity = math.Float32bits(float32(f))%2 == 0, 128
	case vector.FixedLenByteArray:
		even, infinity = halfAtLeast(f)%2 == 0, 16
	}
	finite := func(f float64) *big.Rat {
		if !math.IsInf(f, 0) {
			return new(big.Rat).SetFloat64(f)
		}
		r := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), infinity))
		if f < 0 {
			r.Neg(r)
		}
		return r
	}
	middle := new(big.Rat).Add(finite(f), finite(d.nextDown(f)))
	return point{at: middle.Quo(middle, big.NewRat(2, 1)), behind: !even}
}

// floatFrom returns the least float of a domain that is not below p; where there is none,
// infinity.
func (p point) floatFrom(d *Domain) float64 {
	if p.at == nil {
		f := math.Inf(int(p.infinity))
		if p.behind {
			return d.nextUp(f)
		}
		return f
	}
	f, _ := p.at.Float64()
	if !math.IsInf(f, 0) && new(big.Rat).SetFloat64(f).Cmp(p.at) < 0 || math.IsInf(f, -1) {
		f = math.Nextafter(f, math.Inf(1))
	}
	c := d.ceil(f)
	if p.behind && !math.IsInf(c, 0) && new(big.Rat).SetFloat64(c).Cmp(p.at) == 0 {
		return d.nextUp(c)
	}
	return c
}

// in returns how many whole units a finite point is at, or a number beyond all days, and the rest.
func (p point) in(unit int64) (n int64, rest *big.Rat) {
	const far = 2 * farthestDay
	size := new(big.Rat).SetInt64(unit)
	units := new(big.Rat).Quo(p.at, size)
	whole := new(big.Int).Div(units.Num(), units.Denom())
	rest = new(big.Rat).SetInt(whole)
	if n = int64(whole.Sign()) * far; whole.IsInt64() {
		n = min(max(whole.Int64(), -far), far)
	}
	return n, rest.Sub(p.at, rest.Mul(rest, size))
}

// startOf returns the point in front of a day's midnight.
func startOf(day int64) point {
	n := big.NewInt(day)
	return point{at: new(big.Rat).SetInt(n.Mul(n, big.NewInt(NanosPerDay)))}
}

// farthestDay is beyond the days that a column's moments can have, whatever is added to them: those of
// milliseconds in an int64 are within 1.1e11.
const farthestDay = 500_000_000_000

// months adds months to moments, by the calendar.
type months int64

// before finds the days that months later are the day of p, of which there may be several at
// the end of a month, or none:
//
//	x + 1 month >= February 28, 10:00    x is on January 28, 29, 30 or 31, from 10:00 on each,
//	                                     or after January
func (o months) before(p point) line {
	day, rest := p.in(NanosPerDay)
	later := func(day int64) int64 { return AddMonths(day, int64(o)) }
	first := firstDay(later, day)
	out := line{points: []point{startOf(first)}}
	for ; later(first) == day; first++ {
		from := startOf(first)
		from.at.Add(from.at, rest)
		from.behind = p.behind
		out.points = append(out.points, startOf(first), from) // the first midnight twice, so that it is none
	}
	return out
}

// subset returns the values of the domain that are on a line.
func (d *Domain) subset(l line) Subset {
	s := Subset{below: l.below}
	for _, p := range l.points {
		switch c := d.cutAt(p); {
		case c.End < 0:
			s.below = !s.below
		case c.End > 0:
		case len(s.cuts) > 0 && s.cuts[len(s.cuts)-1] == c.Key: // no value lies between the two
			s.cuts = s.cuts[:len(s.cuts)-1]
		default:
			s.cuts = append(s.cuts, c.Key)
		}
	}
	return s
}

// Narrowed returns the values of the domain that are in a set as values of a wider one.
func (d *Domain) Narrowed(set *Subset, from *Domain) Subset {
	l := line{below: set.below}
	for _, k := range set.cuts {
		l.points = append(l.points, from.pointOf(k))
	}
	s := d.subset(l)
	s.NaN = set.NaN && d.HasNaN()
	return s
}

// pointOf returns the point in front of a key's value, a number or moment.
func (d *Domain) pointOf(k key) point {
	if d.Kind == OfFloats {
		return (&Literal{Kind: LitFloat, Double: keyFloat(k)}).number(d, false).point
	}
	return point{at: d.Exact(d.Plain(k))}
}

// cutAt returns the cut of a domain of numbers or moments at a point.
func (d *Domain) cutAt(p point) Cut {
	if d.Kind == OfFloats {
		f := p.floatFrom(d)
		switch {
		case p.infinity > 0 && p.behind:
			return Cut{End: 1}
		case math.IsInf(f, -1):
			return Cut{End: -1}
		}
		return Cut{Key: floatKey(f)}
	}
	if p.at == nil {
		return Cut{End: p.infinity}
	}
	if d.Kind != OfInt96 {
		s := d.placeStored(p.at)
		if p.behind {
			return s.Hi
		}
		return s.Lo
	}
	day, rest := p.in(NanosPerDay)
	switch {
	case day < math.MinInt32-JulianEpoch:
		return Cut{End: -1}
	case day > math.MaxInt32-JulianEpoch:
		return Cut{End: 1}
	}
	nanos := new(big.Int).Div(rest.Num(), rest.Denom()).Int64()
	if p.behind || !rest.IsInt() {
		nanos++
	}
	return Cut{Key: string(appendInt96Key(nil, day, nanos))}
}

// placeStored returns the position of a number, or of a moment or time in nanoseconds, among
// integers in the domain's units.
func (d *Domain) placeStored(r *big.Rat) Position {
	num, den := r.Num(), r.Denom()
	switch t := d.Type; {
	case t.Logical == vector.Date:
		den = new(big.Int).Mul(den, big.NewInt(NanosPerDay))
	case t.Logical == vector.Timestamp || t.Logical == vector.Time:
		den = new(big.Int).Mul(den, big.NewInt(1e9/t.Unit.PerSecond()))
	case t.Scale > 0:
		num = new(big.Int).Mul(num, PowerOf10(int(t.Scale)))
	}
	floor, rest := new(big.Int).DivMod(num, den, new(big.Int))
	s := d.placeWhole(floor)
	if rest.Sign() != 0 {
		s.Lo = s.Hi
	}
	return s
}
