package vector

import (
	"encoding/binary"
	"strconv"
	"time"
)

const (
	secondsPerDay = 86400
	nanosPerDay   = secondsPerDay * 1e9

	// julianEpoch is the Julian day number of 1970-01-01.
	julianEpoch = 2440588
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
	year, month, day := time.Unix(days*secondsPerDay, 0).UTC().Date()
	switch {
	case year < 0:
		dst = append(dst, '-')
		year = -year
	case year > 9999:
		dst = append(dst, '+')
	}
	if year > 9999 {
		dst = strconv.AppendInt(dst, int64(year), 10)
	} else {
		dst = append2(dst, year/100)
		dst = append2(dst, year%100)
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

func appendInt96(dst, b []byte) []byte {
	days, nanos := SplitInt96(b)
	dst = appendDate(dst, days)
	dst = append(dst, 'T')
	return appendClock(dst, uint64(nanos/1e9), nanos%1e9, 1e9)
}
