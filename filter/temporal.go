package filter

import (
	"strconv"
	"strings"
	"time"
)

const nanosPerDay = 86400 * int64(1e9)

// inDays reports whether a literal may be so many days from 1970-01-01: as a DATE
// and the day of an INT96 can be, up to the year 5,874,897 on either side.
func inDays(days int64) bool { return -1<<31 <= days && days < 1<<31-julianEpoch }

// parseDate reads 2024-01-31. Years have four digits or more, and maybe a sign
// before them: those in a file may be far away, and +10000-01-01 is how they
// are printed.
func parseDate(s string) (days int64, ok bool) {
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	parts := strings.Split(s, "-")
	if len(parts) != 3 || len(parts[0]) < 4 || len(parts[0]) > 7 || len(parts[1]) != 2 || len(parts[2]) != 2 {
		return 0, false
	}
	var n [3]int
	for i, p := range parts {
		if n[i], ok = digits(p); !ok {
			return 0, false
		}
	}
	if negative {
		n[0] = -n[0]
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], 0, 0, 0, 0, time.UTC)
	if int(t.Month()) != n[1] || t.Day() != n[2] {
		return 0, false
	}
	days = floorDiv(t.Unix(), 86400)
	return days, inDays(days)
}

// parseTime reads 10:00, 10:00:00 or 10:00:00.123456789.
func parseTime(s string) (nanos int64, ok bool) {
	clock, fraction, hasFraction := strings.Cut(s, ".")
	parts := strings.Split(clock, ":")
	if len(parts) < 2 || len(parts) > 3 || hasFraction && (len(parts) < 3 || fraction == "" || len(fraction) > 9) {
		return 0, false
	}
	limits := [3]int{24, 60, 60}
	unit := int64(3600 * 1e9)
	for i, p := range parts {
		n, ok := digits(p)
		if !ok || len(p) != 2 || n >= limits[i] {
			return 0, false
		}
		nanos += int64(n) * unit
		unit /= 60
	}
	if hasFraction {
		n, ok := digits(fraction + strings.Repeat("0", 9-len(fraction)))
		if !ok {
			return 0, false
		}
		nanos += int64(n)
	}
	return nanos, true
}

// parseStamp reads a date, and a time behind a space or T, in UTC whether or
// not there is a Z, +00 or +00:00 at the end.
func parseStamp(s string) (days, nanos int64, ok bool) {
	i := strings.IndexAny(s, " T")
	if i < 0 {
		days, ok = parseDate(s)
		return days, 0, ok
	}
	if days, ok = parseDate(s[:i]); !ok {
		return 0, 0, false
	}
	clock := s[i+1:]
	for _, zone := range []string{"Z", "+00", "+00:00"} {
		if rest, is := strings.CutSuffix(clock, zone); is {
			clock = rest
			break
		}
	}
	nanos, ok = parseTime(clock)
	return days, nanos, ok
}

func digits(s string) (int, bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

func appendDate(dst []byte, days int64) []byte {
	y, m, d := time.Unix(days*86400, 0).UTC().Date()
	if y < 0 {
		dst, y = append(dst, '-'), -y
	}
	dst = appendPadded(dst, y, 4)
	dst = appendPadded(append(dst, '-'), int(m), 2)
	return appendPadded(append(dst, '-'), d, 2)
}

func appendTime(dst []byte, nanos int64) []byte {
	seconds := int(nanos / 1e9)
	dst = appendPadded(dst, seconds/3600, 2)
	dst = appendPadded(append(dst, ':'), seconds/60%60, 2)
	dst = appendPadded(append(dst, ':'), seconds%60, 2)
	if f := int(nanos % 1e9); f != 0 {
		text := string(appendPadded(nil, f, 9))
		dst = append(append(dst, '.'), strings.TrimRight(text, "0")...)
	}
	return dst
}

func appendPadded(dst []byte, n, width int) []byte {
	s := strconv.Itoa(n)
	for range width - len(s) {
		dst = append(dst, '0')
	}
	return append(dst, s...)
}
