package value

import (
	"strconv"
	"strings"
)

// Comparison describes a single interval, as a comparison where it is one.
func (d *Domain) Comparison(lo, hi Cut) string {
	text, point := d.IntervalText(lo, hi)
	switch {
	case point:
		return "= " + text
	case lo.End != 0 && hi.End == 0:
		return "< " + d.keyText(hi.Key)
	case lo.End == 0 && hi.End != 0:
		return ">= " + d.keyText(lo.Key)
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
		from = "[" + d.keyText(lo.Key)
	}
	if hi.End == 0 {
		to = d.keyText(hi.Key) + ")"
	}
	return from + ", " + to, false
}

// keyText returns the value of a key for descriptions.
func (d *Domain) keyText(k key) string {
	format := d.Type.Text()
	text, err := format.Append(nil, d.Plain(k))
	if err != nil {
		return strconv.Quote(k)
	}
	return Abbreviated(string(text))
}

// Abbreviated returns s for descriptions, cut if it is long, and quoted unless it is
// a number or a time.
func Abbreviated(s string) string {
	const maxLength = 40
	if len(s) > maxLength {
		return strconv.Quote(s[:maxLength]) + "…"
	}
	if strings.Trim(s, "0123456789+-.:TZeE") == "" && s != "" {
		return s
	}
	return strconv.Quote(s)
}
