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

// InRange reports whether a literal that is a moment can be written.
func (l *Literal) InRange() bool { return daysInRange(l.Days) }

// ParseDate parses 2024-01-31. Years have four or more digits and an optional sign,
// because dates in files may be far off and are printed as +10000-01-01.
func ParseDate(s string) (days int64, ok bool) {
	behind := max(0, len(s)-len("-01-31"))
	written := strings.TrimLeft(s[:behind], "+-")
	year, fault := strconv.Atoi(s[:behind])
	alike := FloorDiv(int64(year), 400) * 400 // the calendar repeats after 400 years
	t, err := time.Parse(time.DateOnly, strconv.FormatInt(2000+int64(year)-alike, 10)+s[behind:])
	days = t.Unix()/86400 + (alike-2000)/400*146097
	return days, fault == nil && err == nil && len(written) >= 4 && len(written) <= 7 && daysInRange(days)
}

// ParseTime parses 10:00, 10:00:00 or 10:00:00.123456789.
func ParseTime(s string) (nanos int64, ok bool) {
	layout := time.TimeOnly
	if len(s) == len("10:00") {
		layout = "15:04"
	}
	t, err := time.Parse(layout, s)
	nanos = int64(t.Hour()*3600+t.Minute()*60+t.Second())*1e9 + int64(t.Nanosecond())
	return nanos, err == nil && s[2] == ':' && len(s) <= len("10:00:00.123456789") && !strings.Contains(s, ",")
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
	for _, layout := range [...]string{"-07", "-0700", "-07:00"} {
		if t, err := time.Parse(layout, s); err == nil && s[len(s)-2] < '6' {
			_, offset := t.Zone()
			return Zone{hasOffset: true, seconds: int32(offset)}, max(offset, -offset) < maxZoneHours*3600
		}
	}
	return Zone{}, false
}

// momentText returns a timestamp as ParseMoment reads it, on the clock of its zone.
func (l *Literal) momentText() string {
	layout := "2006-01-02 15:04:05.999999999"
	if l.Zone.hasOffset {
		layout += "Z07:00"
	}
	return time.Unix(l.Days*86400, l.Nanos).In(time.FixedZone("", int(l.Zone.seconds))).Format(layout)
}

// AppendDate appends a day as ParseDate reads it.
func AppendDate(dst []byte, days int64) []byte {
	return time.Unix(days*86400, 0).UTC().AppendFormat(dst, time.DateOnly)
}

// AppendTime appends a time of day as ParseTime reads it.
func AppendTime(dst []byte, nanos int64) []byte {
	return time.Unix(0, nanos).UTC().AppendFormat(dst, "15:04:05.999999999")
}
