package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// An interval is a number of months, of days and of nanoseconds. Adding it to a moment adds
// these in turn: after the months, a day that its month lacks becomes the month's last.

// Bounds of what an interval may contain, so that sums of a few cannot overflow.
const (
	maxMonths = 12 * 10_000_000
	maxDays   = 366 * 10_000_000
)

// unit is a unit of time. A day is apart: it is 24 hours, but not written as such.
type unit struct{ months, days, nanos int64 }

// units are those of intervals and, down to the microsecond, of date_trunc.
var units = map[string]unit{
	"decade": {months: 120}, "year": {months: 12}, "quarter": {months: 3}, "month": {months: 1}, "week": {days: 7}, "day": {days: 1},
	"hour": {nanos: 3600e9}, "minute": {nanos: 60e9}, "second": {nanos: 1e9},
	"millisecond": {nanos: 1e6}, "microsecond": {nanos: 1e3}, "nanosecond": {nanos: 1},
}

// unitNamed returns the unit with a name: day or DAYS, say.
func unitNamed(name string) (u unit, ok bool) {
	u, ok = units[strings.TrimSuffix(strings.ToLower(name), "s")]
	return u, ok
}

// IsIntervalUnit reports whether a word is a unit of intervals.
func IsIntervalUnit(word string) bool {
	_, ok := unitNamed(word)
	return ok
}

// AddInterval adds a number of a unit to an interval. ok is false for other words, and for
// numbers that do not fit: fractions are of hours and less only.
func AddInterval(l *Literal, number, unit string) (ok bool) {
	u, isUnit := unitNamed(unit)
	r, isNumber := new(big.Rat).SetString(number)
	if !isUnit || !isNumber || len(number) > 40 || strings.ContainsAny(number, "eEpPxX/_") {
		return false
	}
	return l.addMultiple(r, u.months, u.days, u.nanos)
}

// addMultiple adds a multiple of an interval. ok is false if it has fractions or gets too long.
func (l *Literal) addMultiple(by *big.Rat, months, days, nanos int64) (ok bool) {
	parts := [...]int64{months, days, nanos}
	for i, part := range parts {
		product := new(big.Rat).Mul(by, new(big.Rat).SetInt64(part))
		if !product.IsInt() || !product.Num().IsInt64() {
			return false
		}
		parts[i] = product.Num().Int64()
	}
	return l.addInterval(parts[0], parts[1], parts[2])
}

// addInterval adds to an interval. ok is false if it gets too long.
func (l *Literal) addInterval(months, days, nanos int64) (ok bool) {
	l.Months += months
	l.Days += days
	sum := l.Nanos + nanos
	if (sum > l.Nanos) != (nanos > 0) && nanos != 0 {
		return false
	}
	l.Nanos = sum
	return -maxMonths <= l.Months && l.Months <= maxMonths && -maxDays <= l.Days && l.Days <= maxDays && l.Nanos != math.MinInt64
}

// ParseInterval parses what follows INTERVAL in a text: '1 year 2 months -3 days 10:00:00.5'.
func ParseInterval(s string) (*Literal, bool) {
	l := &Literal{Kind: LitInterval}
	words := strings.Fields(s)
	if len(words) == 0 {
		return nil, false
	}
	for i := 0; i < len(words); i++ {
		switch {
		case strings.Contains(words[i], ":"):
			clock, negative := strings.CutPrefix(words[i], "-")
			nanos, ok := ParseTime(clock)
			if negative {
				nanos = -nanos
			}
			if !ok || i != len(words)-1 || !l.addInterval(0, 0, nanos) {
				return nil, false
			}
		case i+1 == len(words) || !AddInterval(l, words[i], words[i+1]):
			return nil, false
		default:
			i++
		}
	}
	return l, true
}

// intervalText returns an interval as ParseInterval reads it.
func (l *Literal) intervalText() string {
	var parts []string
	part := func(n int64, unit string) {
		if n != 1 {
			unit += "s"
		}
		parts = append(parts, strconv.FormatInt(n, 10)+" "+unit)
	}
	if l.Months != 0 {
		part(l.Months, "month")
	}
	if l.Days != 0 {
		part(l.Days, "day")
	}
	switch seconds, rest := l.Nanos/1e9, l.Nanos%1e9; {
	case rest != 0:
		part(l.Nanos, "nanosecond")
	case seconds != 0 || parts == nil:
		part(seconds, "second")
	}
	return strings.Join(parts, " ")
}
