package vector

import (
	"cmp"
	"encoding/binary"
	"math"
	mathbits "math/bits"
	"strconv"
	"time"
)

const (
	secondsPerDay = 86400
	nanosPerDay   = secondsPerDay * 1e9

	// julianEpoch is the Julian day number of 1970-01-01.
	julianEpoch = 2440588

	// farthestDay is beyond the days of which a time.Time counts the seconds, and the years.
	farthestDay = 1e14
)

// floorDiv returns a/b rounded down and the remainder, 0 <= r < b.
func floorDiv(a, b int64) (q, r int64) {
	q, r = a/b, a%b
	if r < 0 {
		q, r = q-1, r+b
	}
	return q, r
}

// appendDate appends YYYY-MM-DD of the proleptic Gregorian calendar, given days since 1970-01-01: with a minus before year 0, and with a plus and
// more digits beyond year 9999.
func appendDate(dst []byte, days int64) []byte {
	const cycle = 400*365 + 97 // the calendar repeats after 400 years
	cycles, rest := floorDiv(days, cycle)
	of, month, day := time.Unix(rest*secondsPerDay, 0).UTC().Date()
	year := int64(of) + 400*cycles
	switch {
	case year < 0:
		dst = append(dst, '-')
		year = -year
	case year > 9999:
		dst = append(dst, '+')
	}
	if year > 9999 {
		dst = strconv.AppendInt(dst, year, 10)
	} else {
		dst = append2(dst, int(year/100))
		dst = append2(dst, int(year%100))
	}
	dst = append(dst, '-')
	dst = append2(dst, int(month))
	dst = append(dst, '-')
	return append2(dst, day)
}

// append2 appends v, 0 to 99, as two digits.
func append2(dst []byte, v int) []byte {
	return append(dst, byte('0'+v/10), byte('0'+v%10))
}

// appendTime appends a time of day, in units of which a second has per.
func appendTime(dst []byte, v, per int64) []byte {
	u := uint64(v)
	if v < 0 {
		dst = append(dst, '-')
		u = -u // right for the smallest int64 too
	}
	seconds := u / uint64(per)
	return appendClock(dst, seconds, int64(u%uint64(per)), per)
}

// appendClock appends HH:MM:SS and the fraction/per of a second.
func appendClock(dst []byte, seconds uint64, fraction, per int64) []byte {
	if hours := seconds / 3600; hours < 100 {
		dst = append2(dst, int(hours))
	} else {
		dst = strconv.AppendUint(dst, hours, 10)
	}
	dst = append(dst, ':')
	dst = append2(dst, int(seconds/60%60))
	dst = append(dst, ':')
	dst = append2(dst, int(seconds%60))
	if fraction == 0 {
		return dst
	}
	dst = append(dst, '.')
	for fraction != 0 {
		per /= 10
		dst = append(dst, byte('0'+fraction/per))
		fraction %= per
	}
	return dst
}

// appendTimestamp appends a date, T, a time of day, and Z if the timestamp is in UTC.
func appendTimestamp(dst []byte, v, per int64, utc bool) []byte {
	seconds, fraction := floorDiv(v, per)
	days, clock := floorDiv(seconds, secondsPerDay)
	dst = appendDate(dst, days)
	dst = append(dst, 'T')
	dst = appendClock(dst, uint64(clock), fraction, per)
	if utc {
		dst = append(dst, 'Z')
	}
	return dst
}

// SplitInt96 returns the day since 1970-01-01, and the nanoseconds within it, of
// an INT96 timestamp, as Impala and old versions of Spark wrote them:
//
//	byte  0        8     12
//	      | nanos  | day |      little-endian; nanoseconds of the Julian day
//
// Nanoseconds outside of a day carry into the day, so two encodings of the same
// time give the same result.
func SplitInt96(b []byte) (days, nanos int64) {
	carry, nanos := floorDiv(int64(binary.LittleEndian.Uint64(b)), nanosPerDay)
	return int64(int32(binary.LittleEndian.Uint32(b[8:]))) - julianEpoch + carry, nanos
}

// IsLongMoment reports whether values are moments of 12 bytes: INT96, or a TIMESTAMP in a
// FIXED_LEN_BYTE_ARRAY(12). SplitMoment takes them apart.
func (t Type) IsLongMoment() bool { return t.Physical == Int96 || t.IsLongStamp() }

// IsLongStamp reports whether values are numbers of units since 1970-01-01 in 96 bits: a TIMESTAMP in a
// FIXED_LEN_BYTE_ARRAY(12). CompareLongStamps compares them.
func (t Type) IsLongStamp() bool {
	return t.Logical == Timestamp && t.Physical == FixedLenByteArray && t.Length == 12
}

// SplitMoment returns the day since 1970-01-01, and the nanoseconds within it, of a value of a type of
// which IsLongMoment is true. A day beyond 64 bits, which milliseconds alone can have, is replaced by the nearest.
func (t Type) SplitMoment(b []byte) (days, nanos int64) {
	if t.Physical == Int96 {
		return SplitInt96(b)
	}
	return splitLongStamp(b, t.Unit.PerSecond())
}

// splitLongStamp divides a number of units, of which a second has per, by those of a day:
//
//	byte  0      4                 12
//	      | low  | high            |    little-endian, two's complement
func splitLongStamp(b []byte, per int64) (days, nanos int64) {
	low, high := binary.LittleEndian.Uint32(b), int64(binary.LittleEndian.Uint64(b[4:]))
	day := uint64(secondsPerDay * per)
	days, rest := floorDiv(high, int64(day))
	whole, part := mathbits.Div64(uint64(rest)>>32, uint64(rest)<<32|uint64(low), day) // whole < 1<<32, as rest < day
	nanos = int64(part) * (1e9 / per)
	switch {
	case days >= 1<<31:
		return math.MaxInt64, nanos
	case days < -1<<31:
		return math.MinInt64, nanos
	}
	return days<<32 + int64(whole), nanos
}

// CompareLongStamps compares two TIMESTAMPs of 12 bytes: see Type.IsLongStamp.
func CompareLongStamps(a, b []byte) int {
	high := cmp.Compare(int64(binary.LittleEndian.Uint64(a[4:])), int64(binary.LittleEndian.Uint64(b[4:])))
	return cmp.Or(high, cmp.Compare(binary.LittleEndian.Uint32(a), binary.LittleEndian.Uint32(b)))
}

// appendMoment appends a timestamp given its day, and the nanoseconds within it.
func appendMoment(dst []byte, days, nanos int64, utc bool) []byte {
	dst = append(appendDate(dst, days), 'T')
	dst = appendClock(dst, uint64(nanos/1e9), nanos%1e9, 1e9)
	if utc {
		dst = append(dst, 'Z')
	}
	return dst
}
