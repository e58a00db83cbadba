package value

import (
	"time"

	"github.com/winnow-scan/winnow/column/vector"
)

// scalarLiteral returns the literal of a scalar: a value of its type as a text or a program
// would give it.
//
//every:logical literal
func scalarLiteral(s vector.Scalar) *Literal {
	t := s.Type()
	switch {
	case s.IsNull():
		return &Literal{}
	case s.Layout() != vector.Leaf:
		return &Literal{Kind: LitBad, Text: "a struct, a list or a map stands where a value is wanted"}
	}
	switch t.Logical {
	case vector.Decimal:
		n, fault := ParseNumber(s.String())
		if fault != "" {
			return &Literal{Kind: LitBad, Text: fault}
		}
		return &Literal{Kind: LitNumber, Number: n}
	case vector.Date, vector.Timestamp:
		if at, ok := s.Time(); ok {
			l := Of(at)
			if t.Logical == vector.Date && l.Kind == LitStamp {
				l = &Literal{Kind: LitDate, Days: l.Days}
			}
			return l
		}
	case vector.Time:
		if d, ok := s.Duration(); ok && 0 <= d && d < 24*time.Hour {
			return &Literal{Kind: LitTime, Nanos: int64(d)}
		}
		return &Literal{Kind: LitBad, Text: "time " + s.String() + " is not within a day"}
	case vector.String, vector.Enum, vector.JSON, vector.UUID:
		return Of(s.String())
	case vector.None, vector.Null, vector.BSON, vector.Integer, vector.Float16, vector.Interval, vector.Geometry, vector.Geography, vector.Variant,
		vector.File, vector.Unrecognised:
	}
	if b, ok := s.Bool(); ok {
		return Of(b)
	} else if u, ok := s.Uint64(); ok {
		return Of(u)
	} else if n, ok := s.Int64(); ok {
		return Of(n)
	} else if f, ok := s.Float64(); ok {
		return &Literal{Kind: LitFloat, Double: f}
	} else if at, ok := s.Time(); ok { // an INT96
		return Of(at)
	}
	return Of(s.Plain())
}
