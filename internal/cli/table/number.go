package table

import (
	"cmp"
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

// TypeName returns the annotation of a type, or the physical type where that is all.
func TypeName(t vector.Type) string { return cmp.Or(t.Annotation(), t.String()) }

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

// Bar draws a share from 0 to 1 as a bar of at most twelve characters, in eighths
// of a character. A share that is not 0 shows.
func Bar(share float64) Cell {
	eighths := int(min(max(share, 0), 1)*12*8 + 0.5)
	if share > 0 {
		eighths = max(eighths, 1)
	}
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return Cyan.Cell(bar)
}

// Histogram draws counts as columns of one character each, the greatest of them
// at full height. A count that is not 0 shows.
func Histogram(counts []float64) string {
	greatest := 0.0
	for _, n := range counts {
		greatest = max(greatest, n)
	}
	var b strings.Builder
	for _, n := range counts {
		switch {
		case n <= 0:
			b.WriteByte(' ')
		default:
			b.WriteRune([]rune("▁▂▃▄▅▆▇█")[min(int(n/greatest*8), 7)])
		}
	}
	return b.String()
}

// Percent writes a share with three digits, and "<0.1 %" for less than shows.
func Percent(share float64) string {
	switch {
	case share <= 0:
		return "0 %"
	case share < 0.0005:
		return "<0.1 %"
	case share > 0.9995 && share < 1:
		return ">99.9 %"
	}
	digits := 1
	if share >= 0.9995 {
		digits = 0
	}
	return strconv.FormatFloat(share*100, 'f', digits, 64) + " %"
}
