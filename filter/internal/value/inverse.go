package value

import (
	"math"
	"math/big"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
)

// Inverse is a function of numbers or moments that a Chain inverts.
type Inverse uint8

const (
	NoInverse  Inverse = iota
	Years              // the year of a moment
	Truncation         // the begin of a moment's month, or of another unit
	Seconds            // the seconds since 1970 of a moment
	InZone             // a moment in a time zone
	Absolute
	Floor
	Ceiling
	Sign
	Rounded // to so many digits behind the point, halves away from 0
)

// Results returns the domain that results are compared in.
func (c *Chain) Results() *Domain { return c.out }

// Call appends a function with its constants. The values must be such as it takes.
func (c *Chain) Call(f Inverse, constants []*Literal) {
	if c.d.Kind == OfUnknown {
		return
	}
	switch f {
	case Years:
		c.becomes(vector.Type{Physical: vector.Int64}, ofDay{Year, 1})
	case Seconds:
		c.becomes(vector.Type{Physical: vector.Int64}, linear{big.NewRat(1, 1e9), new(big.Rat)})
		c.decimal = true
	case Truncation:
		c.truncate(constants[0].Text)
	case InZone:
		at, _ := zoneNamed(constants[0].Text)
		c.instant = !c.instant
		c.becomes(vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Nanos, UTC: c.instant}, zoned{at: at, instants: c.instant})
	case Absolute:
		c.steps = append(c.steps, absolute{})
	case Floor:
		c.steps = append(c.steps, down)
	case Ceiling:
		c.steps = append(c.steps, up)
	case Sign:
		c.becomes(vector.Type{Physical: vector.Int64}, toSign{})
		c.float, c.decimal = nil, false
	case Rounded:
		c.round(Digits(f, constants))
	}
}

// Digits returns how many digits behind the point a call of round, floor or ceil keeps.
func Digits(f Inverse, constants []*Literal) int {
	if f != Rounded || len(constants) == 0 {
		return 0
	}
	r := constants[0].Number.Rat() // a whole number of 64 bits
	return int(min(max(r.Num().Int64(), -farthestDigit), farthestDigit))
}

// farthestDigit bounds the digits that round takes: no DOUBLE has more in front of the point.
const farthestDigit = 308

// powerOf10 returns 10^n.
func powerOf10(n int) *big.Rat { return Number{Coef: big.NewInt(1), Exp: n}.Rat() }

// units appends the multiplication by a power of ten, and the rounding to an integer. FLOATs and DOUBLEs
// are multiplied as doubles.
func (c *Chain) units(power *big.Rat, to stairs) {
	if c.float != nil {
		c.float = FloatsOf(true)
	}
	c.add(power, new(big.Rat))
	c.steps = append(c.steps, to)
}

// round appends the rounding to so many digits. FLOATs and DOUBLEs are divided as doubles, too. Those
// which the multiplication takes beyond all doubles stay what they are.
func (c *Chain) round(digits int) {
	at, float := len(c.steps), c.float
	power := powerOf10(digits)
	c.units(power, halfAway)
	if float != nil && digits > 0 {
		c.steps = append(c.steps[:len(c.steps)-2], product{}) // in place of both roundings
	}
	c.add(new(big.Rat).Inv(power), new(big.Rat))
	o := rounded{steps: slices.Clone(c.steps[at:])}
	c.steps = append(c.steps[:at], &o)
	if float != nil {
		o.most = new(big.Rat).SetFloat64(math.MaxFloat64)
		o.most.Quo(o.most, power)
		c.float, c.steps = float, append(c.steps, rounding{float})
	}
}

// becomes appends operations whose results are of another type.
func (c *Chain) becomes(t vector.Type, all ...operation) {
	c.steps, c.out, c.date = append(c.steps, all...), DomainOf(t), false
}

// whole returns the least integer that is not below a point at a number.
func (p point) whole() *big.Int {
	floor, rest := new(big.Int).DivMod(p.at.Num(), p.at.Denom(), new(big.Int))
	if rest.Sign() != 0 || p.behind {
		floor.Add(floor, big.NewInt(1))
	}
	return floor
}

// ofDay is a function of the day of a moment that keeps the order, times so many: of a moment's year, or of the
// begin of its month.
type ofDay struct {
	of    func(day int64) int64
	times int64
}

func (o ofDay) before(p point) line {
	n, rest := p.in(o.times)
	if rest.Sign() > 0 || p.behind {
		n++
	}
	return line{points: []point{startOf(firstDay(o.of, n))}}
}

// firstDay returns the first day for which a function that keeps the order is not below a number.
func firstDay(of func(day int64) int64, least int64) int64 {
	day, end := int64(-farthestDay), int64(farthestDay) // sort.Search counts in int, which may have 32 bits
	for day < end {
		if middle := day + (end-day)/2; of(middle) < least {
			day = middle + 1
		} else {
			end = middle
		}
	}
	return day
}

// UnitOf returns the function from a day to the begin of a unit of date_trunc, nil if it is shorter than a
// day, and how many nanoseconds it has then. Weeks begin on Mondays.
func UnitOf(name string) (day func(days int64) int64, nanos int64) {
	const monday = -3
	switch u, _ := unitNamed(name); {
	case u.months > 0:
		return func(days int64) int64 {
			month, _ := monthOf(days)
			return dayOf(u.months * FloorDiv(month, u.months))
		}, 0
	case u.days > 0:
		return func(days int64) int64 { return monday + u.days*FloorDiv(days-monday, u.days) }, 0
	default:
		return nil, u.nanos
	}
}

// truncate appends the begin of a unit of time.
func (c *Chain) truncate(name string) {
	day, nanos := UnitOf(name)
	if day != nil {
		c.steps = append(c.steps, ofDay{day, NanosPerDay})
		return
	}
	in := linear{big.NewRat(nanos, 1), new(big.Rat)}
	c.steps, c.date = append(c.steps, linear{new(big.Rat).Inv(in.factor), in.offset}, down, in), false
}

// IsTruncation reports whether date_trunc has a unit with a name.
func IsTruncation(name string) bool {
	u, ok := unitNamed(name)
	return ok && u.nanos != 1
}

// Truncations are the names of date_trunc's units, for error messages.
const Truncations = "decade, year, quarter, month, week, day, hour, minute, second, milliseconds and microseconds"

// absolute takes a number's sign away.
type absolute struct{}

func (absolute) before(p point) line {
	opposite := point{infinity: -p.infinity, behind: !p.behind}
	switch {
	case p.infinity < 0, p.at != nil && (p.at.Sign() < 0 || p.at.Sign() == 0 && !p.behind):
		return line{below: true}
	case p.at != nil:
		opposite.at = new(big.Rat).Neg(p.at)
	case p.behind:
		return line{}
	}
	return line{below: true, points: []point{opposite, p}}
}

// toSign takes a number to -1, 0 or 1.
type toSign struct{}

func (toSign) before(p point) line {
	zero := new(big.Rat)
	if p.compare(point{at: big.NewRat(-1, 1)}) <= 0 || p.compare(point{at: big.NewRat(1, 1), behind: true}) >= 0 {
		return line{below: p.compare(point{at: zero}) < 0}
	}
	return line{points: []point{{at: zero, behind: p.compare(point{at: zero}) > 0}}}
}

// stairs takes a number to an integer.
type stairs uint8

const (
	down stairs = iota
	up
	halfAway // to the nearest one, halves away from 0
	halfEven // or to the even one
)

func (o stairs) before(p point) line {
	if p.at == nil {
		return line{points: []point{p}}
	}
	n := p.whole()
	back := [...]*big.Rat{down: new(big.Rat), up: big.NewRat(1, 1), halfAway: big.NewRat(1, 2), halfEven: big.NewRat(1, 2)}[o]
	behind := [...]bool{up: true, halfAway: n.Sign() <= 0, halfEven: n.Bit(0) == 1}[o]
	return line{points: []point{{at: back.Sub(new(big.Rat).SetInt(n), back), behind: behind}}}
}

// product rounds a product to an integer, halves away from 0: the exact one, unless doubles of its size have no
// fractions. So 2.675, which is a little less, becomes 2.67, though 100 times the double is the double 267.5.
type product struct{}

func (product) before(p point) line {
	l := halfAway.before(p)
	if p.at != nil && new(big.Rat).Abs(p.at).Cmp(new(big.Rat).SetInt64(1<<52)) < 0 {
		return l
	}
	return l.before(rounding{FloatsOf(true)})
}

// rounded is several operations, which numbers beyond most, if there is one, stay out of.
type rounded struct {
	steps []operation
	most  *big.Rat
}

func (o *rounded) before(p point) line {
	l := line{points: []point{p}}
	if o.most != nil && p.at != nil && new(big.Rat).Abs(p.at).Cmp(o.most) > 0 {
		return l
	}
	for _, step := range slices.Backward(o.steps) {
		l = l.before(step)
	}
	return l
}
