package value

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/vector"
)

// Comparison describes a single interval, as a comparison where it is one.
func (d *Domain) Comparison(lo, hi Cut) string {
	text, point := d.IntervalText(lo, hi)
	switch {
	case point:
		return "= " + text
	case lo.End == 0 && hi.End != 0:
		edge, sign := d.edge(lo.Key, "> ", ">= ")
		return sign + edge
	case lo.End != 0 && hi.End == 0:
		edge, sign := d.edge(hi.Key, "<= ", "< ")
		return sign + edge
	}
	return "in " + text
}

// IntervalText writes the values in [lo, hi) as an interval, or if there is just one, that value.
func (d *Domain) IntervalText(lo, hi Cut) (text string, point bool) {
	single := Between(lo, hi)
	if points, ok := d.Enumerate(&single, 1); ok {
		return d.keyText(points[0]), true
	}
	from, to := "(-∞", "∞)"
	if lo.End == 0 {
		edge, bracket := d.edge(lo.Key, "(", "[")
		from = bracket + edge
	}
	if hi.End == 0 {
		edge, bracket := d.edge(hi.Key, "]", ")")
		to = edge + bracket
	}
	return from + ", " + to, false
}

// edge describes where an interval begins or ends, given the key there. It is the value of
// the key or, where that reads better, the one just below it: 0.3, not
// 0.30000000000000004; "a", not "a\x00". The sign is that of the two that fits.
func (d *Domain) edge(k key, below, at string) (text, sign string) {
	text = d.keyText(k)
	switch d.Kind {
	case OfFloats:
		last := -d.nextUp(-keyFloat(k))
		if shorter := d.keyText(floatKey(last)); len(shorter)+1 < len(text) && !math.IsInf(last, 0) {
			return shorter, below
		}
	case OfBytes:
		if last, ok := strings.CutSuffix(k, "\x00"); ok {
			return d.keyText(last), below
		}
	}
	return text, at
}

// keyText returns the value of a key for descriptions: binaries as conditions have them.
func (d *Domain) keyText(k key) string {
	if d.Type.Logical == vector.Integer { // the text of 8 or 16 bits has no room for the number after the last
		if d.Kind == OfUints {
			return strconv.FormatUint(keyUint(k), 10)
		}
		return strconv.FormatInt(keyInt(k), 10)
	}
	format := d.Type.Text()
	text, err := format.Append(nil, d.Plain(k))
	if d.Kind == OfBytes && (err != nil || !d.isText()) {
		literal, rest := Literal{Kind: LitBinary, Text: k}, ""
		if len(k) > maxAbbreviated/2 {
			literal.Text, rest = k[:maxAbbreviated/2], "…"
		}
		return literal.String() + rest
	}
	return Abbreviated(string(text))
}

// isText reports whether the values have a text of their own that is not base64.
func (d *Domain) isText() bool {
	switch d.Type.Logical {
	case vector.String, vector.Enum, vector.JSON, vector.UUID:
		return true
	}
	return false
}

const maxAbbreviated = 40 // bytes

// Abbreviated returns s for descriptions, cut if it is long, and quoted unless it is
// a number or a time.
func Abbreviated(s string) string {
	if len(s) > maxAbbreviated {
		return strconv.Quote(s[:maxAbbreviated]) + "…"
	}
	if strings.Trim(s, "0123456789+-.:TZeE") == "" && s != "" {
		return s
	}
	return strconv.Quote(s)
}

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
