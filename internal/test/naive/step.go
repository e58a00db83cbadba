package naive

import (
	"math/big"
	"strings"
	"time"
	"unicode/utf8"
)

// Step is an operation on a value. It is done forwards, with the numbers as they are.
type Step struct {
	Op StepOp
	By any // of arithmetic: an int64, *big.Rat, Decimal, or a float64, which makes floats doubles

	Months, Days, Nanos int64 // of Shift

	As    string // of CastText: what the value is: "date", "local", "instant" or "time"; else what it seems
	Scale int    // of CastText: of a decimal

	Name      string // of Call
	Constants []any
}

// StepOp is the kind of a Step.
type StepOp uint8

const (
	Add StepOp = iota
	Subtract
	SubtractFrom // By - value
	Multiply
	Divide
	Shift    // a moment by an interval: months first, then days, then nanoseconds
	CastDate // the midnight before a moment
	CastFloat
	CastDouble
	CastSame // to a type that has all values
	CastText
	Call // the function with a name
	Join // the text By behind a text
)

// Apply returns the result of a step. That of NULL is NULL.
//
//every:step naive
func (s *Step) Apply(v any) any {
	if v == nil {
		return nil
	}
	switch s.Op {
	case Call:
		return s.call(v)
	case Join:
		return v.(string) + s.By.(string)
	}
	f, _, isFloat := floatOf(v)
	_, single := v.(Single)
	_, half := v.(Half)
	switch s.Op {
	case CastSame:
		return v
	case CastText:
		return s.text(v)
	case Shift, CastDate:
		return s.move(exact(v))
	case CastFloat, CastDouble:
		if !isFloat {
			f, _ = exact(v).Float64()
			if s.Op == CastFloat {
				g, _ := exact(v).Float32()
				return Single(g)
			}
		}
		if s.Op == CastFloat {
			return Single(float32(f))
		}
		return f
	}
	by, byDouble := s.By.(float64)
	switch {
	case !isFloat:
		return s.exactly(v)
	case (single || half) && !byDouble:
		g, _ := exact(s.By).Float32()
		return Single(calculate(s.Op, float32(f), g))
	case !byDouble:
		by, _ = exact(s.By).Float64()
	}
	return calculate(s.Op, f, by)
}

//every:step naive
func calculate[T float32 | float64](op StepOp, x, by T) T {
	switch op {
	case Add:
		return x + by
	case Subtract:
		return x - by
	case SubtractFrom:
		return by - x
	case Multiply:
		return x * by
	case Divide:
		return x / by
	}
	panic("no arithmetic")
}

// exactly calculates with exact numbers. The result has a point where one of them has, and
// that of a division always.
func (s *Step) exactly(v any) any {
	_, point := v.(Decimal)
	_, byPoint := s.By.(Decimal)
	f, byDouble := s.By.(float64)
	x, by := exact(v), new(big.Rat)
	if byDouble {
		by.SetFloat64(f)
	} else {
		by = exact(s.By)
	}
	z := new(big.Rat)
	switch s.Op {
	case Add:
		z.Add(x, by)
	case Subtract:
		z.Sub(x, by)
	case SubtractFrom:
		z.Sub(by, x)
	case Multiply:
		z.Mul(x, by)
	default:
		z.Quo(x, by)
	}
	if point || byPoint || byDouble || s.Op == Divide {
		return Decimal{z}
	}
	return z
}

// move shifts a moment, in nanoseconds, by the calendar of package time.
func (s *Step) move(n *big.Rat) any {
	perDay := big.NewInt(int64(24 * time.Hour))
	days, clock := new(big.Int).DivMod(n.Num(), perDay, new(big.Int))
	if s.Op == CastDate {
		clock.SetInt64(0)
	}
	t := time.Unix(days.Int64()*86400, 0).UTC()
	first := time.Date(t.Year(), t.Month()+time.Month(s.Months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1)
	t = first.AddDate(0, 0, min(t.Day(), last.Day())-1+int(s.Days))
	out := new(big.Int).Mul(big.NewInt(t.Unix()/86400), perDay)
	out.Add(out, clock)
	return new(big.Rat).SetInt(out.Add(out, big.NewInt(s.Nanos)))
}

// inCase returns a code point in lower or upper case. What is none stays.
func inCase(c string, upper bool) string {
	switch {
	case !utf8.ValidString(c):
		return c
	case upper:
		return strings.ToUpper(c)
	}
	return strings.ToLower(c)
}
