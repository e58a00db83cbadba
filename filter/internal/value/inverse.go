package value

import (
	"math"
	"math/big"
	"slices"
	"strings"

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
		c.becomes(vector.Type{Physical: vector.Int64}, years{})
	case Seconds:
		c.becomes(vector.Type{Physical: vector.Int64}, seconds{})
		c.decimal = true
	case Truncation:
		unit := units[strings.ToLower(constants[0].Text)]
		c.steps = append(c.steps, unit)
		c.date = c.date && unit.nanos%NanosPerDay == 0
	case InZone:
		at, _ := zoneNamed(constants[0].Text)
		c.instant = !c.instant
		c.becomes(vector.Type{Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Nanos, UTC: c.instant}, zoned{at: at, instants: c.instant})
	case Absolute:
		c.steps = append(c.steps, absolute{})
	case Floor:
		c.steps = append(c.steps, wholeNumbers{})
	case Ceiling:
		c.steps = append(c.steps, wholeNumbers{up: true})
	case Sign:
		c.becomes(vector.Type{Physical: vector.Int64}, sign{})
		c.float, c.decimal = nil, false
	case Rounded:
		c.round(digitsOf(constants))
	}
}

// digitsOf returns how many digits behind the point a call of round keeps.
func digitsOf(constants []*Literal) int {
	if len(constants) == 0 {
		return 0
	}
	r := constants[0].Number.Rat() // a whole number of 64 bits
	return int(min(max(r.Num().Int64(), -farthestDigit), farthestDigit))
}

// farthestDigit bounds the digits that round takes: no DOUBLE has more in front of the point.
const farthestDigit = 308

// powerOf10 returns 10^n.
func powerOf10(n int) *big.Rat { return Number{Coef: big.NewInt(1), Exp: n}.Rat() }

// round appends the rounding to so many digits. FLOATs and DOUBLEs are multiplied by a power of ten
// and divided by it, as doubles. Those which that takes beyond all doubles stay what they are.
func (c *Chain) round(digits int) {
	at, float := len(c.steps), c.float
	power := powerOf10(digits)
	if float != nil {
		c.float = floatsOf(true)
	}
	c.add(power, new(big.Rat))
	c.steps = append(c.steps, halfAway{})
	c.add(new(big.Rat).Inv(power), new(big.Rat))
	o := rounded{steps: slices.Clone(c.steps[at:])}
	c.steps = append(c.steps[:at], &o)
	if float != nil {
		o.most = new(big.Rat).SetFloat64(math.MaxFloat64)
		o.most.Quo(o.most, power)
		c.float, c.steps = float, append(c.steps, rounding{float})
	}
}

// becomes appends an operation whose results are of another type.
func (c *Chain) becomes(t vector.Type, o operation) {
	c.steps, c.out, c.date = append(c.steps, o), DomainOf(t), false
}

// whole returns the least integer that is not below a point at a number.
func (p point) whole() *big.Int {
	floor, rest := new(big.Int).DivMod(p.at.Num(), p.at.Denom(), new(big.Int))
	if rest.Sign() != 0 || p.behind {
		floor.Add(floor, big.NewInt(1))
	}
	return floor
}

// everything and nothing are what an operation maps below no point, and below all.
func everything() line { return line{below: true} }
func nothing() line    { return line{} }

// farthestYear bounds the years that a column's moments can have.
const farthestYear = farthestDay / 365

// years is the year of a moment.
type years struct{}

func (years) before(p point) line {
	if p.at == nil {
		return line{below: p.infinity < 0}
	}
	year := p.whole()
	switch {
	case year.Cmp(big.NewInt(-farthestYear)) < 0:
		return everything()
	case year.Cmp(big.NewInt(farthestYear)) > 0:
		return nothing()
	}
	return line{points: []point{startOf(big.NewInt(dayOf(12 * year.Int64())))}}
}

// seconds is the number of seconds of a moment, which may have fractions.
type seconds struct{}

func (seconds) before(p point) line {
	if p.at == nil { // all moments are finite, and so are their seconds
		return line{below: p.infinity < 0}
	}
	return linear{big.NewRat(1, 1e9), new(big.Rat)}.before(p)
}

// truncation is the begin of a unit of time: of so many nanoseconds, or of months.
type truncation struct {
	nanos, from int64 // from: of one unit's begin, since 1970
	months      int64 // in place of nanos, since the year 0
}

// units are those of date_trunc. Weeks begin on Mondays.
var units = map[string]truncation{
	"microsecond": {nanos: 1e3}, "microseconds": {nanos: 1e3}, "millisecond": {nanos: 1e6}, "milliseconds": {nanos: 1e6},
	"second": {nanos: 1e9}, "minute": {nanos: 60e9}, "hour": {nanos: 3600e9}, "day": {nanos: NanosPerDay},
	"week": {nanos: 7 * NanosPerDay, from: -3 * NanosPerDay}, "month": {months: 1}, "quarter": {months: 3}, "year": {months: 12}, "decade": {months: 120},
}

// IsTruncation reports whether date_trunc has a unit with a name.
func IsTruncation(name string) bool {
	_, ok := units[strings.ToLower(name)]
	return ok
}

// Truncations returns the names of date_trunc's units, for error messages.
func Truncations() string {
	return "decade, year, quarter, month, week, day, hour, minute, second, milliseconds and microseconds"
}

func (o truncation) before(p point) line {
	if o.months == 0 {
		unit, from := big.NewRat(o.nanos, 1), big.NewRat(o.from, 1)
		n := point{at: new(big.Rat).Sub(p.at, from), behind: p.behind}
		n.at.Quo(n.at, unit)
		begin := new(big.Rat).SetInt(n.whole())
		return line{points: []point{{at: begin.Add(begin.Mul(begin, unit), from)}}}
	}
	day, _ := p.day()
	switch {
	case day.Cmp(big.NewInt(-farthestDay)) < 0:
		return everything()
	case day.Cmp(big.NewInt(farthestDay)) > 0:
		return nothing()
	}
	month, _ := monthOf(day.Int64())
	month = o.months * FloorDiv(month, o.months)
	begin := startOf(big.NewInt(dayOf(month)))
	if begin.at.Cmp(p.at) < 0 || p.behind {
		begin = startOf(big.NewInt(dayOf(month + o.months)))
	}
	return line{points: []point{begin}}
}

// absolute takes a number's sign away.
type absolute struct{}

func (absolute) before(p point) line {
	opposite := point{infinity: -p.infinity, behind: !p.behind}
	switch {
	case p.infinity < 0, p.at != nil && (p.at.Sign() < 0 || p.at.Sign() == 0 && !p.behind):
		return everything()
	case p.at != nil:
		opposite.at = new(big.Rat).Neg(p.at)
	case p.behind:
		return nothing()
	}
	return line{below: true, points: []point{opposite, p}}
}

// wholeNumbers rounds a number down, or up, to an integer.
type wholeNumbers struct{ up bool }

func (o wholeNumbers) before(p point) line {
	if p.at == nil {
		return line{points: []point{p}}
	}
	n := p.whole()
	if o.up {
		n.Sub(n, big.NewInt(1))
	}
	return line{points: []point{{at: new(big.Rat).SetInt(n), behind: o.up}}}
}

// sign is -1, 0 or 1.
type sign struct{}

func (sign) before(p point) line {
	if p.at == nil {
		return line{below: p.infinity < 0}
	}
	switch n := p.whole(); {
	case n.Cmp(big.NewInt(-1)) <= 0:
		return everything()
	case n.Cmp(big.NewInt(1)) > 0:
		return nothing()
	default:
		return line{points: []point{{at: new(big.Rat), behind: n.Sign() > 0}}}
	}
}

// halfAway rounds a number to the nearest integer, halves away from 0.
type halfAway struct{}

func (halfAway) before(p point) line {
	if p.at == nil {
		return line{points: []point{p}}
	}
	n := p.whole()
	middle := new(big.Rat).SetInt(n)
	return line{points: []point{{at: middle.Sub(middle, big.NewRat(1, 2)), behind: n.Sign() <= 0}}}
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
