package filter

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// key is a value in an order-preserving encoding: keys of one domain compare as
// their values do. The domain defines the encoding.
type key = string

// cut divides the values of a domain in two: those below a key, and the key's own
// and all above. Cuts at either end have all values on one side.
type cut struct {
	end int8 // -1 below all values, 1 above all of them
	key key
}

// subset is the set of slots that pass a test. Values are given by the cuts at
// which passing begins and ends; NaN and NULL have a flag each.
//
//	NOT BETWEEN 3 AND 5, of integers     below cuts "3" "6"
//	                                     ─────)       [─────
//
// So complement, intersection and union of comparisons merge sorted lists, and all
// comparisons of one column become one test.
type subset struct {
	below bool  // values below the first cut pass
	cuts  []key // ascending, none twice
	nan   bool
	null  bool
}

// between returns the values in [lo, hi).
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

// allValues is the subset of all values, without NaN and NULL.
func allValues() subset { return subset{below: true} }

// negated returns the slots that are neither in s nor NULL.
func (s subset) negated() subset {
	return subset{below: !s.below, cuts: s.cuts, nan: !s.nan}
}

// complement returns the slots that are not in s, NULL included.
func (s subset) complement() subset {
	c := s.negated()
	c.null = !s.null
	return c
}

func (s subset) and(o subset) subset {
	return subset{nan: s.nan && o.nan, null: s.null && o.null}.merge(s, o, func(a, b bool) bool { return a && b })
}

func (s subset) or(o subset) subset {
	return subset{nan: s.nan || o.nan, null: s.null || o.null}.merge(s, o, func(a, b bool) bool { return a || b })
}

// merge returns out with the values for which f is true, given whether each is in s
// and in o.
func (out subset) merge(s, o subset, f func(a, b bool) bool) subset {
	a, b := s.below, o.below
	out.below = f(a, b)
	passing := out.below
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
		if next := f(a, b); next != passing {
			out.cuts = append(out.cuts, k)
			passing = next
		}
	}
	return out
}

// union returns the union of intervals [lo, hi), some of which may be empty.
func union(all [][2]cut) subset {
	type start struct {
		head uint64 // of the lower cut: decides most comparisons without the key
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

// head returns the first 8 bytes of the key as a number. Heads that differ compare
// as their cuts do.
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

// hasBytes reports whether the value with key k is in s.
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

// hasAllValues and hasNoValues ignore NaN and NULL.
func (s *subset) hasAllValues() bool { return s.below && len(s.cuts) == 0 }
func (s *subset) hasNoValues() bool  { return !s.below && len(s.cuts) == 0 }

// intervals returns the number of disjoint intervals of values in s.
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

// overlap reports whether a value within a key range may be in s, and whether one
// may not. The range must not be empty.
func (s *subset) overlap(v *keyRange) (pass, fail bool) {
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
