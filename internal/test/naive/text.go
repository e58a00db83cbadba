package naive

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// text returns what DuckDB's cast makes of a value.
func (s *Step) text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return fmt.Sprint(v)
	case float64:
		return floatText(v)
	}
	n := exact(v)
	if s.As == "" {
		return n.FloatString(s.Scale)
	}
	second := ratOfInt(int(time.Second)).Num()
	seconds, nanos := ratOfInt(0).Num().DivMod(n.Num(), second, ratOfInt(0).Num())
	t := time.Unix(seconds.Int64(), nanos.Int64()).UTC()
	clock := t.Format("15:04:05.999999999")
	if s.As == "time" {
		return clock
	}
	day := fmt.Sprintf("%04d-%02d-%02d", t.Year(), t.Month(), t.Day())
	if t.Year() <= 0 {
		day = fmt.Sprintf("%04d-%02d-%02d (BC)", 1-t.Year(), t.Month(), t.Day())
	}
	switch s.As {
	case "local":
		return day + " " + clock
	case "instant":
		return day + " " + clock + "+00"
	}
	return day
}

// floatText writes the shortest digits, as Python does: with an exponent below 1e-4 and from 1e16 on.
func floatText(f float64) string {
	text := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, finite := strings.Cut(text, "e")
	at, _ := strconv.Atoi(exponent)
	switch {
	case !finite:
		return strings.ToLower(strings.TrimPrefix(text, "+"))
	case at < -4 || at >= 16:
		return text
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	digits := strings.Replace(mantissa, ".", "", 1)
	sign := ""
	if negative {
		sign = "-"
	}
	if at < 0 {
		return sign + "0." + strings.Repeat("0", -at-1) + digits
	}
	digits += strings.Repeat("0", max(0, at+2-len(digits)))
	return sign + digits[:at+1] + "." + digits[at+1:]
}
