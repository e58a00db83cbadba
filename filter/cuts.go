package filter

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// key is a value of a column in an order-preserving encoding: keys compare as
// their values do. Which encoding it is, the column's domain knows.
type key = string

// cut is a place between the values of a domain: in front of a key and all
// that is above it, or beyond either end.
type cut struct {
	end int8 // -1 below all values, 1 above all of them
	key key
}

// subset is the slots of a column that pass a test: values, NaN and NULL apart.
// Values are given by the cuts at which passing begins and ends.
//
//	NOT BETWEEN 3 AND 5, of integers     below cuts "3" "6"
//	                                     ─────)       [─────
//
// So complement, intersection and union of all tests that compare are a matter
// of merging lists, and what one column's tests have in common is one test.
type subset struct {
	below bool  // values below the first cut pass
	cuts  []key // ascending, none twice
	nan   bool
	null  bool
}

// between returns the values from lo up to but not including hi.
func between(lo, hi cut) subset {
	s := subset{below: lo.end < 0}
	if lo.end > 0 || hi.end < 0 || lo.end == 0 && hi.end == 0 && lo.key >= hi.key {
		return subset{}
	}
	if lo.end == 0 {
		s.cuts = append(s.cuts, lo.key)
	}
	if hi.end == 0 {
		s.cuts = append(s.cuts, hi.key)
	}
	return s
}

// values is all values, NaN and NULL aside.
func values() subset { return subset{below: true} }

// others returns the slots that are not NULL and do not pass.
func (s subset) others() subset {
	return subset{below: !s.below, cuts: s.cuts, nan: !s.nan}
}

// complement returns the slots that do not pass, NULL among them if it does not.
func (s subset) complement() subset {
	c := s.others()
	c.null = !s.null
	return c
}

func (s subset) and(o subset) subset {
	return subset{nan: s.nan && o.nan, null: s.null && o.null}.merge(s, o, func(a, b bool) bool { return a && b })
}

func (s subset) or(o subset) subset {
	return subset{nan: s.nan || o.nan, null: s.null || o.null}.merge(s, o, func(a, b bool) bool { return a || b })
}

// merge gives out the values of which f says that they pass.
func (out subset) merge(s, o subset, f func(a, b bool) bool) subset {
	a, b := s.below, o.below
	out.below = f(a, b)
	now := out.below
	for i, j := 0, 0; i < len(s.cuts) || j < len(o.cuts); {
		var k key
		switch {
		case j == len(o.cuts) || i < len(s.cuts) && s.cuts[i] < o.cuts[j]:
			k, a = s.cuts[i], !a
			i++
		case i == len(s.cuts) || o.cuts[j] < s.cuts[i]:
			k, b = o.cuts[j], !b
			j++
		default:
			k, a, b = s.cuts[i], !a, !b
			i++
			j++
		}
		if next := f(a, b); next != now {
			out.cuts = append(out.cuts, k)
			now = next
		}
	}
	return out
}

// union returns the values of many intervals, those without values left out.
func union(all [][2]cut) subset {
	type start struct {
		head uint64 // tells most of them apart
		at   int
	}
	starts := make([]start, 0, len(all))
	for i := range all {
		if all[i][0].compare(all[i][1]) < 0 {
			starts = append(starts, start{all[i][0].head(), i})
		}
	}
	slices.SortFunc(starts, func(a, b start) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return all[a.at][0].compare(all[b.at][0])
	})
	s := subset{cuts: make([]key, 0, 2*len(starts))}
	for i := 0; i < len(starts); {
		lo, hi := all[starts[i].at][0], all[starts[i].at][1]
		for i++; i < len(starts) && all[starts[i].at][0].compare(hi) <= 0; i++ {
			if end := all[starts[i].at][1]; end.compare(hi) > 0 {
				hi = end
			}
		}
		if lo.end < 0 {
			s.below = true
		} else {
			s.cuts = append(s.cuts, lo.key)
		}
		if hi.end == 0 {
			s.cuts = append(s.cuts, hi.key)
		}
	}
	return s
}

func (c cut) compare(o cut) int {
	if c.end != o.end {
		return int(c.end) - int(o.end)
	}
	return strings.Compare(c.key, o.key)
}

// head returns the first bytes of the key as a number: where those of two cuts
// differ they compare as the cuts do.
func (c cut) head() uint64 {
	switch {
	case c.end < 0:
		return 0
	case c.end > 0:
		return math.MaxUint64
	case len(c.key) >= 8:
		return keyUint(c.key)
	}
	var k [8]byte
	copy(k[:], c.key)
	return binary.BigEndian.Uint64(k[:])
}

// hasBytes reports whether the value with the key k passes.
func (s *subset) hasBytes(k []byte) bool {
	lo, hi := 0, len(s.cuts)
	for lo < hi {
		if m := int(uint(lo+hi) / 2); s.cuts[m] <= string(k) {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return s.below != (lo%2 == 1)
}

// all and none tell about values, not about NaN and NULL.
func (s *subset) all() bool  { return s.below && len(s.cuts) == 0 }
func (s *subset) none() bool { return !s.below && len(s.cuts) == 0 }

// intervals returns the number of intervals of values that pass.
func (s *subset) intervals() int {
	if s.below {
		return 1 + len(s.cuts)/2
	}
	return (len(s.cuts) + 1) / 2
}

// interval returns the i-th interval.
func (s *subset) interval(i int) (lo, hi cut) {
	at := 2 * i
	if s.below {
		at--
	}
	lo, hi = cut{end: -1}, cut{end: 1}
	if at >= 0 {
		lo = cut{key: s.cuts[at]}
	}
	if at+1 < len(s.cuts) {
		hi = cut{key: s.cuts[at+1]}
	}
	return lo, hi
}

// meets reports whether one of the values of a stretch, of which there are
// some, passes, and whether one does not.
func (s *subset) meets(v *stretch) (pass, fail bool) {
	n, end := 0, len(s.cuts) // n: cuts that are not behind lo
	for v.hasLo && n < end {
		if m := int(uint(n+end) / 2); s.cuts[m] <= string(v.lo) {
			n = m + 1
		} else {
			end = m
		}
	}
	first := s.below != (n%2 == 1)
	both := n < len(s.cuts) && (!v.hasHi || s.cuts[n] < string(v.hi))
	return first || both, !first || both
}
