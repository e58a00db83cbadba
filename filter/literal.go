package filter

import (
	"strconv"
	"strings"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Decimal returns a value for an exact number, such as "-1.25" or "1e-3". Compared
// with floats it means the nearest of their width, as in a text. A malformed text is an error
// when the condition is bound.
func Decimal(text string) any {
	digits, fault := strings.TrimPrefix(text, "-"), "not a number"
	var n value.Number
	if digits != "" && strings.Trim(digits, "0123456789.eE+-") == "" && digits[0] != '+' && digits[0] != '-' {
		n, fault = value.ParseNumber(text)
	}
	if fault != "" {
		return value.Literal{Kind: value.LitBad, Text: "decimal " + strconv.Quote(text) + ": " + fault}
	}
	return value.Literal{Kind: value.LitNumber, Number: n}
}

// Date returns a value for a day.
func Date(year int, month time.Month, day int) any {
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if fault := value.YearsError(t); fault != "" {
		return value.Literal{Kind: value.LitBad, Text: fault}
	}
	return value.Literal{Kind: value.LitDate, Days: value.FloorDiv(t.Unix(), 86400)}
}

// TimeOfDay returns a value for a time of day, given as the duration since midnight.
func TimeOfDay(d time.Duration) any {
	if d < 0 || d >= 24*time.Hour {
		return value.Literal{Kind: value.LitBad, Text: "time " + d.String() + " is not within a day"}
	}
	return value.Literal{Kind: value.LitTime, Nanos: int64(d)}
}

// Constants are columns that have the same value in all rows of a file: columns
// that the file lacks, and partition columns whose value its path gives. The key is
// the column's path as schema.FormatPath writes it. Structs, lists and maps are always
// NULL. A constant hides a column of the file with the same path.
type Constants map[string]vector.Scalar
