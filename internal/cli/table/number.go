package table

import (
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// Number writes n with a comma between thousands.
func Number(n int64) string {
	s := strconv.FormatInt(n, 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// NumberIf writes n, or nothing where it is not known.
func NumberIf(known bool, n int64) string {
	if !known {
		return ""
	}
	return Number(n)
}

// Plural writes a number of things.
func Plural(n int64, thing string) string {
	s := Number(n) + " " + thing
	switch {
	case n == 1:
		return s
	case strings.HasSuffix(s, "ch"):
		return s + "es"
	}
	return s + "s"
}

// Size writes a number of bytes in at most 4 digits.
func Size(n int64) string {
	if n < 0 || n < 10000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	v, unit := float64(n), 0
	for v >= 1000 && unit < 5 {
		v /= 1024
		unit++
	}
	digits := 2
	if v >= 100 {
		digits = 0
	} else if v >= 10 {
		digits = 1
	}
	return strconv.FormatFloat(v, 'f', digits, 64) + " " + [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}[unit]
}

// Ratio writes how many times smaller compression made something.
func Ratio(uncompressed, compressed int64) string {
	if compressed <= 0 || uncompressed < 0 {
		return ""
	}
	return strconv.FormatFloat(float64(uncompressed)/float64(compressed), 'f', 2, 64) + "×"
}

// IsNumber reports whether values of a type are read from their last digit.
func IsNumber(t vector.Type) bool {
	switch t.Logical {
	case vector.None, vector.Unrecognised:
		switch t.Physical {
		case vector.Int32, vector.Int64, vector.Float, vector.Double:
			return true
		}
	case vector.Decimal, vector.Integer, vector.Float16:
		return true
	}
	return false
}

// IsMoment reports whether values of a type are dates, times or both.
func IsMoment(t vector.Type) bool {
	return t.Physical == vector.Int96 || t.Logical == vector.Date || t.Logical == vector.Time || t.Logical == vector.Timestamp
}
