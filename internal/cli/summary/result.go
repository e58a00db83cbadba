package summary

import (
	"bytes"
	"cmp"

	"github.com/winnow-scan/winnow/column/vector"
)

// Extremes returns the least and the greatest value in the PLAIN encoding,
// without a length. ok is false where there is none, or values have no order.
func (c *Column) Extremes() (least, most []byte, ok bool) {
	if !c.any {
		return nil, nil, false
	}
	if c.kind.hasKeys() {
		return c.kind.plainOfKey(c.Type, c.low), c.kind.plainOfKey(c.Type, c.high), true
	}
	return c.least, c.most, true
}

// Distinct returns how many different values there are, and whether that is exact.
// NULL and NaN are none.
func (c *Column) Distinct() (n int64, exact bool) {
	values := c.Slots - c.Nulls - c.NaNs
	counted, isExact := len(c.texts.counts), c.texts.isExact()
	if c.kind.hasKeys() {
		counted, isExact = len(c.keys.counts), c.keys.isExact()
	}
	switch {
	case c.kind == unknown || values <= 0:
		return 0, true
	case isExact || c.distinct == nil:
		return int64(counted), true
	}
	return min(c.distinct.estimate(), values), false
}

// Mean returns the mean of all numbers but NaN: of decimals without their scale,
// of moments in their unit. ok is false where there are none, or infinite ones.
func (c *Column) Mean() (mean float64, ok bool) {
	if c.numbers == 0 || !c.finite {
		return 0, false
	}
	return c.base + c.sum/float64(c.numbers), true
}

// Frequent is a value in the PLAIN encoding and how often it comes: at least, where
// not all values were counted.
type Frequent struct {
	Plain []byte
	Count int64
}

// Top returns the n most frequent values, none where most come once.
func (c *Column) Top(n int) (top []Frequent) {
	if c.kind.hasKeys() {
		for _, v := range c.keys.top(n, cmp.Compare[int64]) {
			top = append(top, Frequent{c.kind.plainOfKey(c.Type, v.key), v.count})
		}
		return top
	}
	for _, v := range c.texts.top(n, func(a, b string) int { return bytes.Compare([]byte(a), []byte(b)) }) {
		top = append(top, Frequent{[]byte(v.key), v.count})
	}
	return top
}

// Histogram returns how many numbers lie in each of n equal parts between the
// least and the greatest; nil where that says nothing.
func (c *Column) Histogram(n int) []float64 {
	if !c.kind.isNumber() || !c.finite || c.values == nil || !c.values.divides(n) {
		return nil
	}
	exact := c.keys.isExact()
	if !c.kind.hasKeys() {
		exact = c.texts.isExact()
	}
	if !exact {
		return c.values.between(n)
	}
	counts := make([]float64, n)
	add := func(x float64, count int64) { counts[min(int(c.values.place(x, n)), n-1)] += float64(count) }
	for key, count := range c.keys.counts {
		add(c.numberOf(key), count)
	}
	for value, count := range c.texts.counts {
		add(c.kind.number([]byte(value)), count)
	}
	return counts
}

// PlainOf returns the whole number nearest to x as a value of the column in the
// PLAIN encoding; nil where its values are not stored as whole numbers.
func (c *Column) PlainOf(x float64) []byte {
	switch {
	case c.kind != signed || !(x > -9.2e18 && x < 9.2e18):
		return nil
	case c.Type.Physical == vector.Int32:
		x = max(min(x, 1<<31-1), -1<<31)
	}
	if x < 0 {
		x -= 0.5
	} else {
		x += 0.5
	}
	return c.kind.plainOfKey(c.Type, int64(x))
}

// IsNumber reports whether a mean of the values is a number, or a moment.
func (c *Column) IsNumber() bool { return c.kind.isNumber() }
