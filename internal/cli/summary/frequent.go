package summary

import (
	"bytes"
	"cmp"
	"slices"
)

// frequent counts the values that come often. It counts all of them while they
// are few. When they are more, those that came least often so far are forgotten;
// where most come once, it gives up.
type frequent[K comparable] struct {
	counts   map[K]int64
	total    int64 // of all values
	partial  bool  // values were forgotten
	hopeless bool  // it gave up
}

const maxCounted = 8 << 10

func (f *frequent[K]) prune() {
	all := make([]int64, 0, len(f.counts))
	again := int64(0) // of values that came more than once
	for _, n := range f.counts {
		if all = append(all, n); n > 1 {
			again += n
		}
	}
	if again < f.total/16 {
		f.hopeless, f.counts = true, nil
		return
	}
	f.partial = true
	slices.Sort(all)
	median := all[len(all)/2]
	for key, n := range f.counts {
		if n <= median {
			delete(f.counts, key)
		}
	}
}

func (f *frequent[K]) merge(o *frequent[K]) {
	f.total += o.total
	f.partial = f.partial || o.partial
	if f.hopeless = f.hopeless || o.hopeless; f.hopeless {
		f.counts = nil
		return
	}
	for key, n := range o.counts {
		if f.counts == nil {
			f.counts = map[K]int64{}
		}
		f.counts[key] += n
	}
	if len(f.counts) > maxCounted {
		f.prune()
	}
}

// isExact reports whether every value has been counted.
func (f *frequent[K]) isExact() bool { return !f.partial && !f.hopeless }

// counted is a value and how often it came, at least.
type counted[K any] struct {
	key   K
	count int64
}

// top returns the n most frequent values, in the order of less where they come
// equally often.
func (f *frequent[K]) top(n int, less func(a, b K) int) []counted[K] {
	all := make([]counted[K], 0, len(f.counts))
	for key, count := range f.counts {
		all = append(all, counted[K]{key, count})
	}
	slices.SortFunc(all, func(a, b counted[K]) int {
		return cmp.Or(cmp.Compare(b.count, a.count), less(a.key, b.key))
	})
	return all[:min(n, len(all))]
}

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
