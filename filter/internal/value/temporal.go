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

// The calendar is the Gregorian one, before its time too.

// Civil returns the year, month and day of a day, by the proleptic Gregorian calendar. Years begin in
// March here, so that a leap day is the last of its year:
//
//	400 years    146,097 days
//	5 months     153 days, from March and from August on
func Civil(day int64) (year, month, ofMonth int64) {
	const eras = 1 << 22                         // before the year 0: no day of a column is before them
	day += 719468 + eras*146097                  // since the first of them, and March 1
	quarters := uint32(uint64(day)%146097)*4 + 3 // of a day: a century has 146,097 of them
	century := quarters / 146097
	ofCentury := uint64(quarters%146097/4)*4 + 3
	split := ofCentury * 2939745 // 2^32 / 1461, rounded: the year of the century, and the rest of the year
	ofYear := uint32(split) / 2939745 / 4
	m := 2141*ofYear + 197913 // 2^16 / 30.6, rounded: the month, and the rest of it
	year, month = (int64(uint64(day)/146097)-eras)*400+int64(century)*100+int64(split>>32), int64(m>>16)
	if month > 12 {
		month, year = month-12, year+1
	}
	return year, month, int64(m&0xffff/2141) + 1
}

// Year returns the year of a day.
func Year(day int64) int64 {
	year, _, _ := Civil(day)
	return year
}

// NewYear returns the first day of a year.
func NewYear(year int64) int64 {
	y := year - 1 // whole years since 0001-01-01
	return 365*y + FloorDiv(y, 4) - FloorDiv(y, 100) + FloorDiv(y, 400) - 719162
}

// dayOf returns the first day of a month, given as months since the year 0.
func dayOf(months int64) int64 {
	year := FloorDiv(months, 12)
	month := months - year*12 + 1
	if month < 3 { // in front of the leap day
		return NewYear(year) + 31*(month-1)
	}
	return NewYear(year+1) - 306 + (153*(month-3)+2)/5
}

// monthOf returns the month of a day, as months since the year 0, and the day within it.
func monthOf(days int64) (months, day int64) {
	year, month, day := Civil(days)
	return year*12 + month - 1, day
}

// AddMonths adds months to a day. A day that the month lacks becomes its last.
func AddMonths(days, months int64) int64 {
	month, day := monthOf(days)
	month += months
	return min(dayOf(month)+day, dayOf(month+1)) - 1
}
