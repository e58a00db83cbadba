package function

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

const (
	secondsPerDay = 86400

	// farthestDay stands for all days that are even farther, so that seconds fit 64 bits.
	farthestDay = 100_000_000_000_000
)

// seconds sets dst to the seconds since 1970 of dates and timestamps, and since midnight of times.
func seconds(dst []int64, v *vector.Vector, sel []uint64) {
	switch t := v.Type; {
	case t.Logical == vector.Date:
		for i, day := range v.Int32s[:v.Len] {
			dst[i] = int64(day) * secondsPerDay
		}
	case t.IsLongMoment():
		for i := bits.Next(sel, 0, v.Len); i < v.Len; i = bits.Next(sel, i+1, v.Len) {
			day, nanos := t.SplitMoment(v.Bytes(i))
			dst[i] = min(max(day, -farthestDay), farthestDay)*secondsPerDay + value.FloorDiv(nanos, 1e9)
		}
	case t.Store() == vector.InInt32s: // a time in milliseconds
		floor(dst, v.Int32s[:v.Len], 1e3)
	default:
		floor(dst, v.Int64s[:v.Len], t.Unit.PerSecond())
	}
}

// floor divides by a number of units a second. Divisors that the compiler knows take a fifth of the time.
func floor[T int32 | int64](dst []int64, all []T, by int64) {
	dst = dst[:len(all)]
	switch by {
	case 1e3:
		for i, x := range all {
			dst[i] = value.FloorDiv(int64(x), 1e3)
		}
	case 1e6:
		for i, x := range all {
			dst[i] = value.FloorDiv(int64(x), 1e6)
		}
	default:
		for i, x := range all {
			dst[i] = value.FloorDiv(int64(x), 1e9)
		}
	}
}

// modulo is never negative.
func modulo(x, by int64) int64 { return x - by*value.FloorDiv(x, by) }

// ofSeconds counts units of so many seconds within a day, of which so many are the next one.
func ofSeconds(unit, most uint32) func([]*value.Literal) run {
	return bound(ofNumbers(func(dst []int64, v *vector.Vector, sel []uint64) {
		seconds(dst, v, sel)
		for i, x := range dst[:v.Len] {
			dst[i] = int64(uint32(modulo(x, secondsPerDay)) / unit % most)
		}
	}))
}

// ofDays calls a function for the day of each moment, given as days since 1970.
func ofDays(of func(day int64) int64) func([]*value.Literal) run {
	return bound(ofNumbers(func(dst []int64, v *vector.Vector, sel []uint64) {
		seconds(dst, v, sel)
		last, result := int64(-1), of(-1)
		for i, x := range dst[:v.Len] {
			if day := value.FloorDiv(x, secondsPerDay); day != last {
				last, result = day, of(day)
			}
			dst[i] = result
		}
	}))
}

func quarter(day int64) int64      { return (month(day) + 2) / 3 }
func dayOfWeek(day int64) int64    { return modulo(day+4, 7) } // 1970-01-01 was a Thursday
func isoDayOfWeek(day int64) int64 { return modulo(day+3, 7) + 1 }

func month(day int64) int64 {
	_, m, _ := value.Civil(day)
	return m
}

func dayOfMonth(day int64) int64 {
	_, _, d := value.Civil(day)
	return d
}

func dayOfYear(day int64) int64 {
	year, _, _ := value.Civil(day)
	return day - value.NewYear(year) + 1
}

// week returns the number of a week by ISO 8601: it belongs to the year that its Thursday is in.
func week(day int64) int64 {
	thursday := day - isoDayOfWeek(day) + 4
	return (dayOfYear(thursday)-1)/7 + 1
}
