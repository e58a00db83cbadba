package summary

import (
	"bytes"
	"cmp"
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
