package value

import (
	"bytes"
	"math"
	"strconv"
)

// The texts that a CAST makes are those of DuckDB.

// AppendDay appends a day as a CAST to text writes it: 2024-01-31, or 0044-03-15 (BC).
func AppendDay(dst []byte, days int64) []byte {
	year, month, day := Civil(days)
	era := ""
	if year <= 0 {
		year, era = 1-year, " (BC)"
	}
	for least := int64(1000); year < least && least > 1; least /= 10 {
		dst = append(dst, '0')
	}
	dst = strconv.AppendInt(dst, year, 10)
	for _, part := range [...]int64{month, day} {
		dst = append(dst, '-', byte('0'+part/10), byte('0'+part%10))
	}
	return append(dst, era...)
}

// AppendStamp appends a timestamp as a CAST to text writes it: 2024-01-31 10:00:00.5, or with +00
// behind it where it is an instant.
func AppendStamp(dst []byte, days, nanos int64, instant bool) []byte {
	dst = AppendTime(append(AppendDay(dst, days), ' '), nanos)
	if instant {
		dst = append(dst, "+00"...)
	}
	return dst
}

// AppendDouble appends a double as a CAST to text writes it: 1.0, 1e+16 or inf. All NaNs are nan,
// for they are one value to conditions; DuckDB writes -nan for those with a sign.
func AppendDouble(dst []byte, f float64) []byte {
	switch {
	case f != f:
		return append(dst, "nan"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	}
	at := len(dst)
	if a := math.Abs(f); a != 0 && a < 1e-4 || a >= 1e16 {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	if dst = strconv.AppendFloat(dst, f, 'f', -1, 64); bytes.IndexByte(dst[at:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}
