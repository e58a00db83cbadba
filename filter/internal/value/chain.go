package value

import (
	"math"
	"math/big"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
)

// Arithmetic is an operation on a column's value and a literal.
type Arithmetic uint8

const (
	Add Arithmetic = iota
	Subtract
	Multiply
	Divide
	Modulo // this and those below are not inverted
	Power
	BitAnd
	BitOr
	Join // of strings
)

func (op Arithmetic) String() string {
	return [...]string{"+", "-", "*", "/", "%", "^", "&", "|", "||"}[op]
}

// Chain is what arithmetic and casts make of a column's values, one operation after the
// other. It compares the result with literals by inverting the operations, so that what
// passes is a Subset of the column's own values, as exact as any.
//
// Integers and decimals are calculated exactly: nothing overflows, and 7 / 2 is 3.5. FLOATs
// and DOUBLEs are calculated as floats of their width, so the inverse of a sum is the
// interval of the floats that round to it.
type Chain struct {
	d       *Domain
	out     *Domain     // of the results, as literals compare with them
	steps   []operation // the first is done first
	float   *Domain     // of the result, where that is a float
	decimal bool        // the result is a number with a point, see Place
	date    bool        // the result is a date
	instant bool        // the result is an instant, to a time zone
	there   Subset      // the values whose result is not NULL
}

// NewChain returns the chain without any operation.
func NewChain(d *Domain) *Chain {
	c := &Chain{d: d, out: d, there: Subset{below: true, NaN: true}, decimal: d.Type.Scale > 0, date: d.Type.Logical == vector.Date, instant: d.Type.UTC}
	if d.Kind == OfFloats {
		c.float = FloatsOf(d.Type.Physical == vector.Double)
	}
	return c
}

// FloatsOf returns the domain of DOUBLE or FLOAT.
func FloatsOf(double bool) *Domain {
	physical := vector.Float
	if double {
		physical = vector.Double
	}
	return DomainOf(vector.Type{Physical: physical})
}

func (c *Chain) moments() bool { return FamilyOf(c.out) == Moments }

// add appends a linear operation, and rounds its result where that is a float.
func (c *Chain) add(factor, offset *big.Rat) {
	c.steps = append(c.steps, linear{factor, offset})
	if c.float != nil {
		c.steps = append(c.steps, rounding{c.float})
	}
}

// Calculate appends an operation with a literal, which is not NULL and may stand in front of the sign.
// The text is the error if the types do not go together, else "".
func (c *Chain) Calculate(op Arithmetic, l *Literal, front bool) string {
	switch {
	case c.d.Kind == OfUnknown:
		return ""
	case l.Kind == LitBad:
		return l.Text
	case c.moments():
		by, fault := Shift(op, l, front, c.date)
		if fault != "" {
			return "is " + c.out.Type.String() + ": " + fault
		}
		c.later(by)
		return ""
	case FamilyOf(c.out) != Numbers:
		return "is " + c.out.Type.String() + ": arithmetic is for numbers, dates and timestamps"
	case l.Kind != LitNumber && l.Kind != LitFloat:
		return "is " + c.out.Type.String() + ": no arithmetic of it with " + l.Kind.String()
	}
	if l.Kind == LitFloat && c.float != nil {
		c.float = FloatsOf(true)
	}
	k, fault := c.constant(l)
	if fault != "" {
		return fault
	}
	c.decimal = c.decimal || op == Divide || l.Kind == LitFloat || l.Number.Approx
	one, zero := big.NewRat(1, 1), new(big.Rat)
	switch op {
	case Add:
		c.add(one, k)
	case Subtract:
		if front {
			one.Neg(one)
		} else {
			k = zero.Neg(k)
		}
		c.add(one, k)
	case Multiply:
		if k.Sign() == 0 && c.float != nil {
			return "a float times 0: it is the same for all numbers"
		}
		c.add(k, zero)
	default:
		if k.Sign() == 0 {
			return "division by zero"
		}
		c.add(one.Quo(one, k), zero)
	}
	return ""
}

// constant returns a number as the chain calculates with it.
func (c *Chain) constant(l *Literal) (*big.Rat, string) {
	f := l.Double
	if l.Kind == LitNumber {
		r := l.Number.Rat()
		if c.float == nil {
			return r, ""
		}
		f = c.float.nearest(r)
	}
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, "arithmetic with a number that is out of range"
	}
	return new(big.Rat).SetFloat64(f), ""
}

// Shift returns the interval that an operation with a literal, which may stand in front of the sign, adds to
// moments: an interval or, if they are dates, a number of days. The text is the error if there is none, else "".
func Shift(op Arithmetic, l *Literal, front, dates bool) (by *Literal, fault string) {
	by = l
	switch number := l.Kind == LitNumber && dates; {
	case op > Subtract || front && op == Subtract || l.Kind != LitInterval && !number:
		return nil, "add or subtract an INTERVAL, as in x - INTERVAL '1 day'"
	case number:
		days := l.Number.Rat()
		if !days.IsInt() || days.Num().BitLen() > 40 {
			return nil, "only whole days are added to a date"
		}
		by = &Literal{Kind: LitInterval, Days: days.Num().Int64()}
	}
	if op == Subtract {
		by = by.opposite()
	}
	return by, ""
}

// later appends the sum of a moment and an interval.
func (c *Chain) later(by *Literal) {
	if by.Months != 0 {
		c.steps = append(c.steps, months(by.Months))
	}
	offset := new(big.Int).Mul(big.NewInt(by.Days), big.NewInt(NanosPerDay))
	c.add(big.NewRat(1, 1), new(big.Rat).SetInt(offset.Add(offset, big.NewInt(by.Nanos))))
	c.date = c.date && by.Nanos == 0
}

// Cast appends a cast. The text is the error if there is none, else "".
func (c *Chain) Cast(target Target) string {
	to := target.Name
	least, most := target.Ends()
	family := FamilyOf(c.out)
	numbers := family == Numbers || family == Booleans
	switch {
	case c.d.Kind == OfUnknown:
		return ""
	case family == Booleans && to == ToBoolean:
		return ""
	case c.moments() && to == ToDate:
		c.instant = false
		if !c.date {
			c.truncate("day")
			c.date = true
		}
		return ""
	case c.moments() && (to == ToTimestamp || to == ToInstant):
		c.date, c.instant = false, to == ToInstant
		return ""
	case numbers && (to == ToDouble || to == ToFloat):
		c.float = FloatsOf(to == ToDouble)
		c.out, c.steps = c.float, append(c.steps, rounding{c.float})
		return ""
	case numbers && least != nil:
		float := c.float != nil
		if c.decimal || float {
			power, to := powerOf10(target.Scale), halfAway
			if float && target.IsInteger() {
				to = halfEven
			}
			c.units(power, to)
			c.float = nil
			c.add(new(big.Rat).Inv(power), new(big.Rat))
		}
		c.decimal, c.out = target.Scale > 0, DomainOf(vector.Type{Physical: vector.Int64})
		there := c.before(line{points: []point{{at: least}, {at: most, behind: true}}})
		if float || !there.HasAllValues() {
			c.there = c.there.And(there)
		}
		return ""
	}
	return "is " + c.out.Type.String() + ": CAST of it to " + target.String() + " is not supported"
}

// There returns the values of the column whose result is not NULL, NaN among them.
func (c *Chain) There() Subset { return c.there }

// before returns the values of the column whose result is on a line.
func (c *Chain) before(results line) Subset {
	for _, step := range slices.Backward(c.steps) {
		results = results.before(step)
	}
	return c.d.subset(results)
}

// Compare returns the values of the column whose result compares with a literal, which is not
// NULL. The text is the error where the two types do not compare, else "".
func (c *Chain) Compare(cmp Comparison, l *Literal) (Subset, string) {
	if cmp == Ne {
		s, fault := c.Compare(Eq, l)
		return s.Negated().And(c.there), fault
	}
	n, fault := c.place(l)
	if fault != "" || n.isNaN || c.d.Kind == OfUnknown {
		return Subset{}, fault
	}
	if c.float == nil && n.infinity != 0 { // results are finite
		return Subset{below: cmp.Holds(-int(n.infinity))}.And(c.there), ""
	}
	front, behind := n.sides()
	results := line{below: cmp == Lt || cmp == Le}
	results.points = [...][]point{Eq: {front, behind}, Lt: {front}, Le: {behind}, Gt: {behind}, Ge: {front}}[cmp]
	return c.before(results).And(c.there), ""
}

// place converts a literal for comparison with results.
func (c *Chain) place(l *Literal) (n number, fault string) {
	if l.Kind == LitBad || c.d.Kind == OfUnknown {
		return n, l.Text
	}
	kind := l.Kind
	if kind == LitString {
		l, _ = c.out.spelled(l.Text)
	}
	if l == nil || !c.out.comparesWith(l.Kind) {
		return n, "is " + c.out.Type.String() + ": the result cannot be compared with " + kind.String()
	}
	if fault = c.out.zoneFault(l); fault != "" {
		return n, fault
	}
	return l.number(c.float, c.decimal), ""
}
