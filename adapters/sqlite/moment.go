package sqlitescan

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite/vtab"

	"github.com/winnow-scan/winnow/filter"
)

// timeCollation compares texts that are dates, timestamps or times of day by value.
const timeCollation = "PARQUET_TIME"

// moment is what a text of a date or a timestamp stands for. A date stands for its midnight.
type moment struct {
	at       time.Time // whole seconds, in UTC
	fraction string    // digits of the fraction, without zeros at the end
	day      time.Time // the day that is written, whatever the zone
	offset   time.Duration
	spaced   bool // there is no T between date and time
}

// parseMoment reads 2024-01-31, 2024-01-31 12:00, 2024-01-31T12:00:00.5Z, with an offset from UTC or
// without, and what the driver makes of a time.Time: 2024-01-31 12:00:00 +0000 UTC m=+0.5.
// Without an offset it is a moment in UTC.
func parseMoment(s string) (m moment, ok bool) {
	s, _, _ = strings.Cut(s, " m=")
	date, clock, hasClock := s, "", false
	if i := strings.IndexAny(s, " Tt"); i >= 0 {
		date, clock, hasClock = s[:i], s[i+1:], true
	}
	if m.day, ok = parseDay(date); !ok {
		return m, false
	}
	m.at, m.spaced = m.day, !hasClock || s[len(date)] == ' '
	if !hasClock {
		return m, true
	}
	if i := strings.IndexAny(clock, " Zz+-"); i >= 0 {
		if m.offset, ok = parseZone(strings.TrimPrefix(clock[i:], " ")); !ok {
			return m, false
		}
		clock = clock[:i]
	}
	seconds, fraction, ok := parseClock(clock)
	m.at, m.fraction = m.day.Add(seconds-m.offset), fraction
	return m, ok
}

// parseDay reads a date. Years have four digits or more, and may have a sign.
func parseDay(s string) (day time.Time, ok bool) {
	unsigned := strings.TrimLeft(s, "+-")
	parts := strings.Split(unsigned, "-")
	if len(s) > len(unsigned)+1 || len(parts) != 3 || len(parts[0]) < 4 || len(parts[1]) != 2 || len(parts[2]) != 2 {
		return day, false
	}
	var n [3]int
	for i, p := range parts {
		if n[i], ok = parseDigits(p); !ok {
			return day, false
		}
	}
	if s[0] == '-' {
		n[0] = -n[0]
	}
	day = time.Date(n[0], time.Month(n[1]), n[2], 0, 0, 0, 0, time.UTC)
	return day, int(day.Month()) == n[1] && day.Day() == n[2]
}

// parseClock reads 12:00, 12:00:00 or 12:00:00.5.
func parseClock(s string) (whole time.Duration, fraction string, ok bool) {
	s, fraction, hasFraction := strings.Cut(s, ".")
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 3 || hasFraction && (len(parts) < 3 || fraction == "" || !allDigits(fraction)) {
		return 0, "", false
	}
	unit := time.Hour
	for i, limit := range []int{24, 60, 60}[:len(parts)] {
		n, ok := parseDigits(parts[i])
		if !ok || len(parts[i]) != 2 || n >= limit {
			return 0, "", false
		}
		whole += time.Duration(n) * unit
		unit /= 60
	}
	return whole, strings.TrimRight(fraction, "0"), true
}

// zoneForm is +02:00 or +0200, and behind it the zone's name, as time.Time writes it.
var zoneForm = regexp.MustCompile(`^([+-])([0-9]{2}):?([0-9]{2})( [A-Za-z0-9+-]+)?$`)

func parseZone(s string) (offset time.Duration, ok bool) {
	if s == "Z" || s == "z" || s == "UTC" {
		return 0, true
	}
	parts := zoneForm.FindStringSubmatch(s)
	if parts == nil {
		return 0, false
	}
	hours, _ := parseDigits(parts[2])
	minutes, _ := parseDigits(parts[3])
	offset = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if parts[1] == "-" {
		offset = -offset
	}
	return offset, hours < 24 && minutes < 60
}

// parseDigits reads up to nine digits.
func parseDigits(s string) (int, bool) {
	if s == "" || len(s) > 9 || !allDigits(s) {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// key returns a text in whose order moments are.
func (m *moment) key() string {
	year := ""
	switch y := m.at.Year(); {
	case y < 0:
		year = fmt.Sprintf("-%010d", 9999999999+y)
	case y > 9999:
		year = fmt.Sprintf("~%010d", y)
	default:
		year = fmt.Sprintf("%04d", y)
	}
	return year + m.at.Format("-01-02 15:04:05") + point(m.fraction)
}

func point(fraction string) string {
	if fraction == "" {
		return ""
	}
	return "." + fraction
}

// timeKey returns a text in whose order timeCollation has a text. Of a text that is neither a moment nor a time of
// day it is the text itself, so that the start of a moment, as 2024-01, is before all that go on.
func timeKey(s string) string {
	if m, ok := parseMoment(s); ok {
		return m.key()
	}
	if whole, fraction, ok := parseTimeOfDay(s); ok {
		return time.Time{}.Add(whole).Format(time.TimeOnly) + point(fraction)
	}
	if len(s) > 10 && (s[10] == 'T' || s[10] == 't') {
		return s[:10] + " " + s[11:]
	}
	return s
}

// parseTimeOfDay reads a time as parseClock does, and in the form T12:00:00Z.
func parseTimeOfDay(s string) (whole time.Duration, fraction string, ok bool) {
	return parseClock(strings.TrimRight(strings.TrimLeft(s, "Tt"), "Zz"))
}

// compareTimes is the collation of texts that are dates, timestamps and times.
func compareTimes(a, b string) int {
	if a == b {
		return 0
	}
	if len(a) == len(b) && isPlainTime(a) && isPlainTime(b) {
		return strings.Compare(a, b)
	}
	return strings.Compare(timeKey(a), timeKey(b))
}

// isPlainTime reports whether a text is in the form of a column's values, with a year of four digits. Those of the
// same length are in the order of their bytes.
func isPlainTime(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
		case c == '-' && (i == 4 || i == 7), c == ' ' && i == 10, c == ':' && (i == 13 || i == 16), c == '.' && i == 19:
		default:
			return false
		}
	}
	return len(s) == 10 || len(s) >= 19
}

// momentForm and timeForm are the forms of texts of dates and timestamps, and of times.
var (
	momentForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}[ Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?$`)
	timeForm   = regexp.MustCompile(`^[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?$`)
)

// isStart reports whether a text of the column may begin with s. A start is before all texts that go on.
func (c *column) isStart(s string) bool {
	form, like := momentForm, "0000-00-00 00:00:00"
	if c.kind == kindTime {
		form, like = timeForm, "00:00:00"
	}
	return form.MatchString(s + like[min(len(s), len(like)):])
}

// checkTime returns an error where a value is compared with a column of dates, timestamps or times that stands
// for no such value, or for one that cannot be compared with the column's.
func (c *column) checkTime(op vtab.ConstraintOp, v any) error {
	s, isText := v.(string)
	switch _, isBytes := v.([]byte); {
	case isBytes:
		return c.refuse(v, "is no text")
	case !isText, c.kind != kindTime && isNumber(s):
		return c.refuse(v, "is a number")
	}
	m, isMoment := parseMoment(s)
	if c.kind == kindTime && isMoment {
		return c.refuse(v, "is no time of day")
	}
	if c.kind != kindTime && isMoment && m.offset != 0 && !c.field.Type.UTC {
		return c.refuse(v, "has an offset from UTC, but the column has no zone")
	}
	_, _, isTime := parseTimeOfDay(s)
	if isMoment || isTime && c.kind == kindTime || c.isStart(s) || !strings.ContainsAny(s, "0123456789") {
		return nil
	}
	if !isEquality(op) && c.isStart(s[:len(s)-1]) {
		return nil // what follows all texts with a prefix, as SQLite makes it of LIKE and GLOB
	}
	return c.refuse(v, "has another form")
}

// isNumber reports whether SQLite takes a text for a number beside a column that is declared a DATE or TIMESTAMP.
func isNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return err == nil
}

// isEquality reports whether an operator asks whether values are equal.
func isEquality(op vtab.ConstraintOp) bool {
	switch op {
	case vtab.OpEQ, vtab.OpNE, vtab.OpIS, vtab.OpISNOT:
		return true
	}
	return false
}

// refuse returns the error about a value that is compared with the column.
func (c *column) refuse(v any, why string) error {
	text := fmt.Sprint(v)
	switch v := v.(type) {
	case float64:
		text = strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		text = quoteCut(v)
	case []byte:
		text = fmt.Sprintf("x'%x'", v[:min(len(v), 50)])
	}
	return fmt.Errorf("column %s is compared with %s, which %s: %s", c.path, text, why, c.advice())
}

// quoteCut returns the start of a text as an error shows it.
func quoteCut(s string) string { return strconv.Quote(s[:min(len(s), 50)]) }

// advice tells how a value of the column is written.
func (c *column) advice() string {
	return cmp.Or(map[kind]string{
		kindDate:      "a DATE is written as '2024-01-31'",
		kindTimestamp: "a TIMESTAMP is written as '2024-01-31 12:00:00'",
		kindTime:      "a TIME is written as '12:00:00'",
	}[c.kind], "write the digits in quotes")
}

// instant compares dates and timestamps with a text, so that it is right under SQLite's own collations, too.
// Nothing is known of texts that are no moments.
func instant(c *column, op vtab.ConstraintOp, v any) *filter.Expr {
	col := c.col()
	m, ok := parseMoment(v.(string))
	if !ok || m.at.Year() < 1 || m.at.Year() > 9998 {
		return nil
	}
	nanos, _ := strconv.Atoi((m.fraction + "000000000")[:9])
	low := m.at.Add(time.Duration(nanos))
	high := low
	if len(m.fraction) > 9 {
		high = high.Add(1)
	}
	if op == vtab.OpEQ {
		return col.Between(low, high)
	}
	if !m.spaced || m.offset != 0 {
		// As texts, they are in order only by the day that is written.
		if m.day.Before(low) {
			low = m.day
		}
		if end := m.day.AddDate(0, 0, 1); end.After(high) {
			high = end
		}
	}
	if op == vtab.OpLT || op == vtab.OpLE {
		return filter.Or(col.Le(high), col.Gt(lastDay)) // as a text, +10000-01-01 is before all years without a sign
	}
	return col.Ge(low)
}

// The last day and time of day whose texts have their places in the order of texts: 100:00:00 is before 11:00:00.
const (
	lastDay  = "9999-12-31"
	lastTime = "23:59:59.999999999"
)

// timeOfDay compares times with a text, as instant does. As texts, those with a T or Z would have other places.
func timeOfDay(c *column, op vtab.ConstraintOp, v any) *filter.Expr {
	whole, fraction, ok := parseClock(v.(string))
	if !ok || len(fraction) > 9 {
		return nil
	}
	at := time.Time{}.Add(whole).Format(time.TimeOnly) + point(fraction)
	switch op {
	case vtab.OpEQ:
		return c.col().Eq(at)
	case vtab.OpLT, vtab.OpLE:
		return filter.Or(c.col().Le(at), c.col().Gt(lastTime))
	}
	return c.col().Ge(at)
}
