package value

import (
	"math"
	"strconv"
	"strings"
)

// Comparison describes a single interval, as a comparison where it is one.
func (d *Domain) Comparison(lo, hi Cut) string {
	text, point := d.IntervalText(lo, hi)
	switch {
	case point:
		return "= " + text
	case lo.End == 0 && hi.End != 0:
		edge, below := d.edge(lo.Key)
		if below {
			return "> " + edge
		}
		return ">= " + edge
	case lo.End != 0 && hi.End == 0:
		edge, below := d.edge(hi.Key)
		if below {
			return "<= " + edge
		}
		return "< " + edge
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
		edge, below := d.edge(lo.Key)
		if from = "[" + edge; below {
			from = "(" + edge
		}
	}
	if hi.End == 0 {
		edge, below := d.edge(hi.Key)
		if to = edge + ")"; below {
			to = edge + "]"
		}
	}
	return from + ", " + to, false
}

// edge describes where an interval begins or ends, given the key there. It is the value of
// the key or, where that reads better, the one just below it: 0.3, not
// 0.30000000000000004; "a", not "a\x00".
func (d *Domain) edge(k key) (text string, below bool) {
	text = d.keyText(k)
	switch d.Kind {
	case OfFloats:
		last := -d.nextUp(-keyFloat(k))
		if shorter := d.keyText(floatKey(last)); len(shorter)+1 < len(text) && !math.IsInf(last, 0) {
			return shorter, true
		}
	case OfBytes:
		if last, ok := strings.CutSuffix(k, "\x00"); ok {
			return d.keyText(last), true
		}
	}
	return text, false
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
