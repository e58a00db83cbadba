package filter

import (
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// literal is a value as it is written, before it is converted to a column's type.
type literal struct {
	kind  litKind
	b     bool
	s     string // litString, litBinary; the error of litBad
	num   number
	f     float64 // litFloat
	days  int64   // since 1970-01-01: litDate, litStamp
	nanos int64   // since midnight: litTime, litStamp
	zone  zone    // litStamp: as written; days and nanos are in UTC all the same
}

type litKind uint8

const (
	litNull litKind = iota
	litBool
	litNumber
	litFloat // NaN and the infinities
	litString
	litBinary
	litDate
	litTime
	litStamp
	litBad // an invalid value, which Bind reports as an error
)

func (k litKind) String() string {
	return [...]string{"NULL", "a boolean", "a number", "a number", "a string", "a binary", "a date", "a time", "a timestamp", "a fault"}[k]
}

// number is coef × 10^exp. An approximate one, written with point or exponent, means
// the nearest double where it is compared with floats. Elsewhere it is exact.
type number struct {
	coef   *big.Int
	exp    int
	approx bool
}

const (
	maxDigits   = 4300 // of a number
	maxExponent = 9999
)

// parseNumber parses digits, point and exponent, with an optional sign in front.
func parseNumber(s string) (n number, fault string) {
	digits, exponent, hasExponent := s, "", false
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		digits, exponent, hasExponent = s[:i], s[i+1:], true
	}
	whole, fraction, hasPoint := strings.Cut(digits, ".")
	n.approx = hasPoint || hasExponent
	if len(whole)+len(fraction) > maxDigits {
		return n, "number of more than " + strconv.Itoa(maxDigits) + " digits"
	}
	if hasExponent {
		e, err := strconv.Atoi(exponent)
		if err != nil || e > maxExponent || e < -maxExponent {
			return n, "exponent out of range"
		}
		n.exp = e
	}
	n.exp -= len(fraction)
	coef, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return n, "not a number"
	}
	n.coef = coef
	n.trim()
	return n, ""
}

// trim strips the trailing zeros of an approximate number's coefficient, so that
// equal approximate numbers have equal fields. Integers have the exponent 0 already.
func (n *number) trim() {
	if n.coef.Sign() == 0 {
		n.exp = 0
		return
	}
	if !n.approx {
		return
	}
	s := n.coef.String()
	t := strings.TrimRight(s, "0")
	if len(t) < len(s) {
		n.coef, _ = new(big.Int).SetString(t, 10)
		n.exp += len(s) - len(t)
	}
}

func (n number) appendTo(dst []byte) []byte {
	s := n.coef.String()
	switch {
	case !n.approx:
		return append(dst, s...)
	case n.exp >= 0 && n.exp <= 20:
		return append(append(append(dst, s...), strings.Repeat("0", n.exp)...), ".0"...)
	case n.exp > 20 || n.exp < -40:
		return strconv.AppendInt(append(append(dst, s...), 'e'), int64(n.exp), 10)
	}
	s, negative := strings.CutPrefix(s, "-")
	if negative {
		dst = append(dst, '-')
	}
	if missing := 1 - n.exp - len(s); missing > 0 {
		s = strings.Repeat("0", missing) + s
	}
	point := len(s) + n.exp
	return append(append(append(dst, s[:point]...), '.'), s[point:]...)
}

// Decimal returns a value for an exact number, such as "-1.25" or "1e-3". Compared
// with floats it means the nearest double, as in a text. A malformed text is an error
// of Bind.
func Decimal(text string) any {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789.eE+-") != "" || digits[0] == '+' || digits[0] == '-' {
		return literal{kind: litBad, s: "decimal " + strconv.Quote(text) + ": not a number"}
	}
	n, fault := parseNumber(text)
	if fault != "" {
		return literal{kind: litBad, s: "decimal " + strconv.Quote(text) + ": " + fault}
	}
	return literal{kind: litNumber, num: n}
}

// Date returns a value for a day.
func Date(year int, month time.Month, day int) any {
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if fault := yearsError(t); fault != "" {
		return literal{kind: litBad, s: fault}
	}
	return literal{kind: litDate, days: floorDiv(t.Unix(), 86400)}
}

// TimeOfDay returns a value for a time of day, given as the duration since midnight.
func TimeOfDay(d time.Duration) any {
	if d < 0 || d >= 24*time.Hour {
		return literal{kind: litBad, s: "time " + d.String() + " is not within a day"}
	}
	return literal{kind: litTime, nanos: int64(d)}
}

func yearsError(t time.Time) string {
	if daysInRange(floorDiv(t.Unix(), 86400)) {
		return ""
	}
	return "year " + strconv.Itoa(t.Year()) + " is out of range"
}

// literalOf returns the literal for a Go value.
func literalOf(value any) *literal {
	integer := func(v *big.Int) *literal { return &literal{kind: litNumber, num: number{coef: v}} }
	switch v := value.(type) {
	case nil:
		return &literal{}
	case literal:
		return &v
	case bool:
		return &literal{kind: litBool, b: v}
	case int:
		return integer(big.NewInt(int64(v)))
	case int8:
		return integer(big.NewInt(int64(v)))
	case int16:
		return integer(big.NewInt(int64(v)))
	case int32:
		return integer(big.NewInt(int64(v)))
	case int64:
		return integer(big.NewInt(v))
	case uint:
		return integer(new(big.Int).SetUint64(uint64(v)))
	case uint8:
		return integer(big.NewInt(int64(v)))
	case uint16:
		return integer(big.NewInt(int64(v)))
	case uint32:
		return integer(big.NewInt(int64(v)))
	case uint64:
		return integer(new(big.Int).SetUint64(v))
	case *big.Int:
		if v == nil {
			return &literal{}
		}
		if v.BitLen() > 14000 { // as many bits as maxDigits have
			return &literal{kind: litBad, s: "number of more than " + strconv.Itoa(maxDigits) + " digits"}
		}
		return integer(new(big.Int).Set(v))
	case float32:
		return floatLiteral(float64(v))
	case float64:
		return floatLiteral(v)
	case string:
		return &literal{kind: litString, s: v}
	case []byte:
		return &literal{kind: litBinary, s: string(v)}
	case time.Time:
		if fault := yearsError(v.UTC()); fault != "" {
			return &literal{kind: litBad, s: fault}
		}
		days := floorDiv(v.Unix(), 86400)
		return &literal{kind: litStamp, days: days, nanos: (v.Unix()-days*86400)*1e9 + int64(v.Nanosecond())}
	case Column:
		return &literal{kind: litBad, s: "a column stands where a value is wanted"}
	}
	return &literal{kind: litBad, s: "a value has a Go type that is none of those a filter takes"}
}

// momentLiteral returns the literal of a timestamp.
func momentLiteral(m moment) *literal {
	return &literal{kind: litStamp, days: m.days, nanos: m.nanos, zone: m.zone}
}

// floatLiteral returns the shortest decimal that parses to the double, or a litFloat
// for NaN and infinities.
func floatLiteral(f float64) *literal {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return &literal{kind: litFloat, f: f}
	}
	n, fault := parseNumber(strconv.FormatFloat(f, 'e', -1, 64))
	if fault != "" {
		return &literal{kind: litBad, s: fault}
	}
	return &literal{kind: litNumber, num: n}
}

// appendTo appends l as the parser reads it.
func (l *literal) appendTo(dst []byte) []byte {
	switch l.kind {
	case litNull:
		return append(dst, "NULL"...)
	case litBool:
		if l.b {
			return append(dst, "TRUE"...)
		}
		return append(dst, "FALSE"...)
	case litNumber:
		return l.num.appendTo(dst)
	case litFloat:
		text := "NaN"
		if !math.IsNaN(l.f) {
			text = "Infinity"
			if l.f < 0 {
				text = "-Infinity"
			}
		}
		return append(append(append(dst, "DOUBLE '"...), text...), '\'')
	case litString:
		return appendString(dst, l.s)
	case litBinary:
		return append(hex.AppendEncode(append(dst, "X'"...), []byte(l.s)), '\'')
	case litDate:
		return append(appendDate(append(dst, "DATE '"...), l.days), '\'')
	case litTime:
		return append(appendTime(append(dst, "TIME '"...), l.nanos), '\'')
	case litStamp:
		return append(appendMoment(append(dst, "TIMESTAMP '"...), moment{l.days, l.nanos, l.zone}), '\'')
	}
	return append(append(append(dst, "<fault: "...), l.s...), '>')
}

// appendString appends a string in quotes.
func appendString(dst []byte, s string) []byte {
	return append(append(append(dst, '\''), strings.ReplaceAll(s, "'", "''")...), '\'')
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
