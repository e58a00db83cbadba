package value

import (
	"strconv"
	"strings"
	"time"
)

// NanosPerDay is the length of a day without leap seconds, in nanoseconds.
const NanosPerDay = 86400 * int64(1e9)

// daysInRange reports whether a literal may be the given number of days from 1970-01-01:
// a DATE and the day of an INT96 can hold up to the year 5,874,897 on either side.
func daysInRange(days int64) bool { return -1<<31 <= days && days < 1<<31-JulianEpoch }

// ParseDate parses 2024-01-31. Years have four or more digits and an optional sign,
// because dates in files may be far off and are printed as +10000-01-01.
func ParseDate(s string) (days int64, ok bool) {
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
	days = FloorDiv(t.Unix(), 86400)
	return days, daysInRange(days)
}

// ParseTime parses 10:00, 10:00:00 or 10:00:00.123456789.
func ParseTime(s string) (nanos int64, ok bool) {
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

// Moment is a date with a time, in UTC.
type Moment struct {
	Days, Nanos int64 // since 1970-01-01, since midnight
	zone        Zone
}

// Zone is the offset from UTC of a timestamp's text. The zero value means that the
// text has neither Z nor an offset.
type Zone struct {
	hasOffset bool
	seconds   int32 // seconds from UTC; 0 for Z
}

// ParseMoment parses a date, optionally with a time after a space or T, which may
// end in an offset from UTC. Without an offset the time is taken as UTC.
func ParseMoment(s string) (m Moment, ok bool) {
	i := strings.IndexAny(s, " T")
	if i < 0 {
		m.Days, ok = ParseDate(s)
		return m, ok
	}
	if m.Days, ok = ParseDate(s[:i]); !ok {
		return Moment{}, false
	}
	clock := s[i+1:]
	if at := strings.IndexAny(clock, "Z+-"); at >= 0 {
		if m.zone, ok = parseZone(clock[at:]); !ok {
			return Moment{}, false
		}
		clock = clock[:at]
	}
	if m.Nanos, ok = ParseTime(clock); !ok {
		return Moment{}, false
	}
	m = m.addSeconds(-m.zone.seconds)
	return m, daysInRange(m.Days)
}

// addSeconds returns m plus a number of seconds whose magnitude is less than a day's.
func (m Moment) addSeconds(seconds int32) Moment {
	m.Nanos += int64(seconds) * 1e9
	days := FloorDiv(m.Nanos, NanosPerDay)
	m.Days += days
	m.Nanos -= days * NanosPerDay
	return m
}

// maxZoneHours is one more than the whole hours of an offset may be. Clocks have
// been up to 15:56 away from UTC.
const maxZoneHours = 16

// parseZone parses Z, +02, +0200 or +02:00.
func parseZone(s string) (z Zone, ok bool) {
	if s == "Z" {
		return Zone{hasOffset: true}, true
	}
	sign, s := s[0], s[1:]
	minutes := 0
	switch {
	case len(s) == 5 && s[2] == ':':
		minutes, ok = digits(s[3:])
	case len(s) == 4:
		minutes, ok = digits(s[2:])
	default:
		ok = len(s) == 2
	}
	if !ok {
		return Zone{}, false
	}
	hours, ok := digits(s[:2])
	if !ok || sign == 'Z' || hours >= maxZoneHours || minutes >= 60 {
		return Zone{}, false
	}
	z = Zone{hasOffset: true, seconds: int32(hours*3600 + minutes*60)}
	if sign == '-' {
		z.seconds = -z.seconds
	}
	return z, true
}

// AppendMoment appends m as parseMoment reads it, on the clock of its zone.
func AppendMoment(dst []byte, m Moment) []byte {
	local := m.addSeconds(m.zone.seconds)
	dst = AppendTime(append(AppendDate(dst, local.Days), ' '), local.Nanos)
	switch minutes := int(m.zone.seconds) / 60; {
	case !m.zone.hasOffset:
		return dst
	case minutes == 0:
		return append(dst, 'Z')
	case minutes < 0:
		return appendClock(append(dst, '-'), -minutes)
	default:
		return appendClock(append(dst, '+'), minutes)
	}
}

// appendClock appends hours and minutes.
func appendClock(dst []byte, minutes int) []byte {
	dst = appendPadded(dst, minutes/60, 2)
	return appendPadded(append(dst, ':'), minutes%60, 2)
}

// digits parses up to 9 decimal digits without a sign.
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

// AppendDate appends a day as ParseDate reads it.
func AppendDate(dst []byte, days int64) []byte {
	y, m, d := time.Unix(days*86400, 0).UTC().Date()
	if y < 0 {
		dst, y = append(dst, '-'), -y
	}
	dst = appendPadded(dst, y, 4)
	dst = appendPadded(append(dst, '-'), int(m), 2)
	return appendPadded(append(dst, '-'), d, 2)
}

// AppendTime appends a time of day as ParseTime reads it.
func AppendTime(dst []byte, nanos int64) []byte {
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
