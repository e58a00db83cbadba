package value

import (
	"strings"
	"time"
)

// NanosPerDay is the length of a day without leap seconds, in nanoseconds.
const NanosPerDay = 86400 * int64(1e9)

// daysInRange reports whether a literal may be the given number of days from 1970-01-01:
// a DATE and the day of an INT96 can hold up to the year 5,874,897 on either side.
func daysInRange(days int64) bool { return -1<<31 <= days && days < 1<<31-JulianEpoch }

// InRange reports whether a literal that is a moment can be written.
func (l *Literal) InRange() bool { return daysInRange(l.Days) }

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

// Zone is the offset from UTC of a timestamp's text. The zero value means that the
// text has neither Z nor an offset.
type Zone struct {
	hasOffset bool
	seconds   int32 // seconds from UTC; 0 for Z
	isInstant bool  // it is an instant without an offset, which local timestamps compare with, too
}

// AsInstant returns a timestamp, or a fault, as TIMESTAMPTZ and now() have it.
func (l *Literal) AsInstant() *Literal {
	out := *l
	out.Zone.isInstant = true
	return &out
}

// ParseMoment parses a date, optionally with a time after a space or T, which may
// end in an offset from UTC, or a space and the name of a time zone, as a timestamp. Without these the
// time is taken as UTC.
func ParseMoment(s string) (l *Literal, ok bool) {
	l = &Literal{Kind: LitStamp}
	i := strings.IndexAny(s, " T")
	if i < 0 {
		l.Days, ok = ParseDate(s)
		return l, ok
	}
	if l.Days, ok = ParseDate(s[:i]); !ok {
		return l, false
	}
	clock, name, hasName := strings.Cut(s[i+1:], " ")
	if hasName {
		at, found := zoneNamed(name)
		if l.Nanos, ok = ParseTime(clock); !ok || !found {
			return l, false
		}
		l = l.inZone(at)
		return l, l.InRange()
	}
	if at := strings.IndexAny(clock, "Z+-"); at >= 0 {
		if l.Zone, ok = parseZone(clock[at:]); !ok {
			return l, false
		}
		clock = clock[:at]
	}
	if l.Nanos, ok = ParseTime(clock); !ok {
		return l, false
	}
	l.Nanos -= int64(l.Zone.seconds) * 1e9
	days := FloorDiv(l.Nanos, NanosPerDay)
	l.Days += days
	l.Nanos -= days * NanosPerDay
	return l, daysInRange(l.Days)
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

// appendMoment appends a timestamp as ParseMoment reads it, on the clock of its zone.
func (l *Literal) appendMoment(dst []byte) []byte {
	layout := "2006-01-02 15:04:05.999999999"
	if l.Zone.hasOffset {
		layout += "Z07:00"
	}
	return time.Unix(l.Days*86400, l.Nanos).In(time.FixedZone("", int(l.Zone.seconds))).AppendFormat(dst, layout)
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
	return time.Unix(days*86400, 0).UTC().AppendFormat(dst, time.DateOnly)
}

// AppendTime appends a time of day as ParseTime reads it.
func AppendTime(dst []byte, nanos int64) []byte {
	return time.Unix(0, nanos).UTC().AppendFormat(dst, "15:04:05.999999999")
}
