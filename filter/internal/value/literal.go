package value

import (
	"encoding/hex"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
)

// Literal is a value as it is written, before it is converted to a column's type.
type Literal struct {
	Kind   LitKind
	Truth  bool
	Text   string // LitString, LitBinary; the error of LitBad
	Number Number
	Double float64 // LitFloat
	Days   int64   // since 1970-01-01: LitDate, LitStamp; the days of LitInterval
	Nanos  int64   // since midnight: LitTime, LitStamp; the rest of LitInterval
	Months int64   // LitInterval
	Zone   Zone    // LitStamp: as written; days and nanos are in UTC all the same
}

// IsNull reports whether l is NULL.
func (l *Literal) IsNull() bool { return l != nil && l.Kind == LitNull }

// IsMoment reports whether l is a date or a timestamp.
func (l *Literal) IsMoment() bool { return l != nil && (l.Kind == LitDate || l.Kind == LitStamp) }

// LitKind is the kind of a literal.
type LitKind uint8

const (
	LitNull LitKind = iota
	LitBool
	LitNumber
	LitFloat // a double, exactly
	LitString
	LitBinary
	LitDate
	LitTime
	LitStamp
	LitInterval
	LitBad // an invalid value, which Bind reports as an error
)

func (k LitKind) String() string {
	return [...]string{"NULL", "a boolean", "a number", "a number", "a string", "a binary", "a date", "a time", "a timestamp", "an interval", "a fault"}[k]
}

// Number is coef × 10^exp. An approximate one, written with point or exponent, means
// the nearest float where it is compared with floats. Elsewhere it is exact.
type Number struct {
	Coef   *big.Int
	Exp    int
	Approx bool
}

// isBit reports whether a number is 0 or 1, without a point.
func (n *Number) isBit() bool {
	return n.Exp == 0 && !n.Approx && n.Coef.Sign() >= 0 && n.Coef.BitLen() <= 1
}

const (
	MaxDigits   = 4300 // of a number
	maxExponent = 9999
)

// ParseNumber parses digits, point and exponent, with an optional sign in front.
func ParseNumber(s string) (n Number, fault string) {
	digits, exponent, hasExponent := s, "", false
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		digits, exponent, hasExponent = s[:i], s[i+1:], true
	}
	whole, fraction, hasPoint := strings.Cut(digits, ".")
	n.Approx = hasPoint || hasExponent
	if len(whole)+len(fraction) > MaxDigits {
		return n, "number of more than " + strconv.Itoa(MaxDigits) + " digits"
	}
	if hasExponent {
		e, err := strconv.Atoi(exponent)
		if err != nil || e > maxExponent || e < -maxExponent {
			return n, "exponent out of range"
		}
		n.Exp = e
	}
	n.Exp -= len(fraction)
	coef, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return n, "not a number"
	}
	n.Coef = coef
	n.trim()
	return n, ""
}

// trim strips the trailing zeros of an approximate number's coefficient, so that
// equal approximate numbers have equal fields. Integers have the exponent 0 already.
func (n *Number) trim() {
	if n.Coef.Sign() == 0 {
		n.Exp = 0
		return
	}
	if !n.Approx {
		return
	}
	s := n.Coef.String()
	t := strings.TrimRight(s, "0")
	if len(t) < len(s) {
		n.Coef, _ = new(big.Int).SetString(t, 10)
		n.Exp += len(s) - len(t)
	}
}

// String returns n as the parser reads it.
func (n Number) String() string {
	s := n.Coef.String()
	switch {
	case !n.Approx:
		return s
	case n.Exp >= 0 && n.Exp <= 20:
		return s + strings.Repeat("0", n.Exp) + ".0"
	case n.Exp > 20 || n.Exp < -40:
		return s + "e" + strconv.Itoa(n.Exp)
	}
	digits := strings.TrimPrefix(s, "-")
	sign := s[:len(s)-len(digits)]
	digits = strings.Repeat("0", max(0, 1-n.Exp-len(digits))) + digits
	point := len(digits) + n.Exp
	return sign + digits[:point] + "." + digits[point:]
}

// YearsError returns an error's text for a time in a year that no literal has, else "".
func YearsError(t time.Time) string {
	if daysInRange(FloorDiv(t.Unix(), 86400)) {
		return ""
	}
	return "year " + strconv.Itoa(t.Year()) + " is out of range"
}

// Of returns the literal for a Go value.
func Of(value any) *Literal {
	integer := func(v *big.Int) *Literal { return &Literal{Kind: LitNumber, Number: Number{Coef: v}} }
	switch v := value.(type) {
	case nil:
		return &Literal{}
	case Literal:
		return &v
	case bool:
		return &Literal{Kind: LitBool, Truth: v}
	case int, int8, int16, int32, int64:
		return integer(big.NewInt(reflect.ValueOf(v).Int()))
	case uint, uint8, uint16, uint32, uint64:
		return integer(new(big.Int).SetUint64(reflect.ValueOf(v).Uint()))
	case *big.Int:
		if v == nil {
			return &Literal{}
		}
		if v.BitLen() > mostBits {
			return &Literal{Kind: LitBad, Text: "number of more than " + strconv.Itoa(MaxDigits) + " digits"}
		}
		return integer(new(big.Int).Set(v))
	case float32:
		return FloatLiteral(float64(v))
	case float64:
		return FloatLiteral(v)
	case string:
		return &Literal{Kind: LitString, Text: v}
	case []byte:
		return &Literal{Kind: LitBinary, Text: string(v)}
	case time.Time:
		if fault := YearsError(v.UTC()); fault != "" {
			return &Literal{Kind: LitBad, Text: fault}
		}
		days := FloorDiv(v.Unix(), 86400)
		return &Literal{Kind: LitStamp, Days: days, Nanos: (v.Unix()-days*86400)*1e9 + int64(v.Nanosecond())}
	}
	if s, ok := value.(vector.Scalar); ok {
		return scalarLiteral(s)
	}
	return &Literal{Kind: LitBad, Text: "a value has a Go type that is none of those a filter takes"}
}

// FloatLiteral returns the shortest decimal that parses to the double, or a LitFloat
// for NaN and infinities.
func FloatLiteral(f float64) *Literal {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return &Literal{Kind: LitFloat, Double: f}
	}
	n, fault := ParseNumber(strconv.FormatFloat(f, 'e', -1, 64))
	if fault != "" {
		return &Literal{Kind: LitBad, Text: fault}
	}
	return &Literal{Kind: LitNumber, Number: n}
}

// String returns l as the parser reads it.
func (l *Literal) String() string {
	switch l.Kind {
	case LitNull:
		return "NULL"
	case LitBool:
		return strings.ToUpper(strconv.FormatBool(l.Truth))
	case LitNumber:
		return l.Number.String()
	case LitFloat:
		text := strings.TrimPrefix(strconv.FormatFloat(l.Double, 'g', -1, 64), "+")
		return "DOUBLE '" + strings.Replace(text, "Inf", "Infinity", 1) + "'"
	case LitString:
		return Quoted(l.Text)
	case LitBinary:
		return "X'" + hex.EncodeToString([]byte(l.Text)) + "'"
	case LitDate:
		return "DATE '" + string(AppendDate(nil, l.Days)) + "'"
	case LitTime:
		return "TIME '" + string(AppendTime(nil, l.Nanos)) + "'"
	case LitStamp:
		return "TIMESTAMP '" + l.momentText() + "'"
	case LitInterval:
		return "INTERVAL '" + l.intervalText() + "'"
	}
	return "<fault: " + l.Text + ">"
}

// Quoted returns a string in quotes.
func Quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// FloorDiv returns a / b, rounded down.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

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
