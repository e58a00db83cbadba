package value

import (
	"math"
	"strconv"
	"strings"
)

// Comparison describes a single interval, as a comparison where it is one.
func (d *Domain) Comparison(lo, hi Cut) string {
	text, point := d.IntervalText(lo, hi)
	last, hasLast := d.lastBefore(lo)
	switch {
	case point:
		return "= " + text
	case lo.End == 0 && hi.End != 0 && hasLast:
		return "> " + last
	case lo.End == 0 && hi.End != 0:
		return ">= " + d.keyText(lo.Key)
	}
	last, hasLast = d.lastBefore(hi)
	switch {
	case lo.End != 0 && hi.End == 0 && hasLast:
		return "<= " + last
	case lo.End != 0 && hi.End == 0:
		return "< " + d.keyText(hi.Key)
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
	if last, ok := d.lastBefore(lo); ok {
		from = "(" + last
	} else if lo.End == 0 {
		from = "[" + d.keyText(lo.Key)
	}
	if last, ok := d.lastBefore(hi); ok {
		to = last + "]"
	} else if hi.End == 0 {
		to = d.keyText(hi.Key) + ")"
	}
	return from + ", " + to, false
}

// lastBefore returns the value just below a cut, where it reads better than the one above
// it: 0.3, not 0.30000000000000004; "a", not "a\x00".
func (d *Domain) lastBefore(c Cut) (text string, ok bool) {
	switch {
	case c.End != 0:
	case d.Kind == OfFloats:
		last := -d.nextUp(-keyFloat(c.Key))
		text = d.keyText(floatKey(last))
		return text, len(text)+1 < len(d.keyText(c.Key)) && !math.IsInf(last, 0)
	case d.Kind == OfBytes:
		last, ok := strings.CutSuffix(c.Key, "\x00")
		return d.keyText(last), ok
	}
	return "", false
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
