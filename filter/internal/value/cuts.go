package value

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"strings"
)

// key is a value in an order-preserving encoding: keys of one domain compare as
// their values do. The domain defines the encoding.
type key = string

// Cut divides the values of a domain in two: those below a key, and the key's own
// and all above. Cuts at either end have all values on one side.
type Cut struct {
	End int8 // -1 below all values, 1 above all of them
	Key key
}

// Subset is the set of slots that pass a test. Values are given by the cuts at
// which passing begins and ends; NaN and NULL have a flag each.
//
//	NOT BETWEEN 3 AND 5, of integers     below cuts "3" "6"
//	                                     ─────)       [─────
//
// So complement, intersection and union of comparisons merge sorted lists, and all
// comparisons of one column become one test.
type Subset struct {
	below bool  // values below the first cut pass
	cuts  []key // ascending, none twice
	NaN   bool
	Null  bool
}

// Between returns the values in [lo, hi).
func Between(lo, hi Cut) Subset {
	s := Subset{below: lo.End < 0}
	if lo.End > 0 || hi.End < 0 || lo.End == 0 && hi.End == 0 && lo.Key >= hi.Key {
		return Subset{}
	}
	if lo.End == 0 {
		s.cuts = append(s.cuts, lo.Key)
	}
	if hi.End == 0 {
		s.cuts = append(s.cuts, hi.Key)
	}
	return s
}

// AllValues is the subset of all values, without NaN and NULL.
func AllValues() Subset { return Subset{below: true} }

// Negated returns the slots that are neither in s nor NULL.
func (s Subset) Negated() Subset {
	return Subset{below: !s.below, cuts: s.cuts, NaN: !s.NaN}
}

// Complement returns the slots that are not in s, NULL included.
func (s Subset) Complement() Subset {
	c := s.Negated()
	c.Null = !s.Null
	return c
}

// And returns the slots that are in both.
func (s Subset) And(o Subset) Subset {
	return Subset{NaN: s.NaN && o.NaN, Null: s.Null && o.Null}.merge(s, o, func(a, b bool) bool { return a && b })
}

// Or returns the slots that are in s or o.
func (s Subset) Or(o Subset) Subset {
	return Subset{NaN: s.NaN || o.NaN, Null: s.Null || o.Null}.merge(s, o, func(a, b bool) bool { return a || b })
}

// merge returns out with the values for which f is true, given whether each is in s
// and in o.
func (out Subset) merge(s, o Subset, f func(a, b bool) bool) Subset {
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

// Union returns the union of intervals [lo, hi), some of which may be empty.
func Union(all [][2]Cut) Subset {
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
	s := Subset{cuts: make([]key, 0, 2*len(starts))}
	for i := 0; i < len(starts); {
		lo, hi := all[starts[i].at][0], all[starts[i].at][1]
		for i++; i < len(starts) && all[starts[i].at][0].compare(hi) <= 0; i++ {
			if end := all[starts[i].at][1]; end.compare(hi) > 0 {
				hi = end
			}
		}
		if lo.End < 0 {
			s.below = true
		} else {
			s.cuts = append(s.cuts, lo.Key)
		}
		if hi.End == 0 {
			s.cuts = append(s.cuts, hi.Key)
		}
	}
	return s
}

func (c Cut) compare(o Cut) int {
	return cmp.Or(cmp.Compare(c.End, o.End), strings.Compare(c.Key, o.Key))
}

// head returns the first 8 bytes of the key as a number. Heads that differ compare
// as their cuts do.
func (c Cut) head() uint64 {
	switch {
	case c.End < 0:
		return 0
	case c.End > 0:
		return math.MaxUint64
	case len(c.Key) >= 8:
		return keyUint(c.Key)
	}
	var k [8]byte
	copy(k[:], c.Key)
	return binary.BigEndian.Uint64(k[:])
}

// hasBytes reports whether the value with key k is in s.
func (s *Subset) hasBytes(k []byte) bool {
	return s.below != (s.cutsUpTo(k)%2 == 1)
}

// cutsUpTo returns the number of cuts that are not above a key.
func (s *Subset) cutsUpTo(k []byte) int {
	return sort.Search(len(s.cuts), func(i int) bool { return s.cuts[i] > string(k) })
}

// HasAllValues and HasNoValues ignore NaN and NULL.
func (s *Subset) HasAllValues() bool { return s.below && len(s.cuts) == 0 }
func (s *Subset) HasNoValues() bool  { return !s.below && len(s.cuts) == 0 }

// Intervals returns the number of disjoint intervals of values in s.
func (s *Subset) Intervals() int {
	if s.below {
		return 1 + len(s.cuts)/2
	}
	return (len(s.cuts) + 1) / 2
}

// Interval returns the i-th interval.
func (s *Subset) Interval(i int) (lo, hi Cut) {
	at := 2 * i
	if s.below {
		at--
	}
	lo, hi = Cut{End: -1}, Cut{End: 1}
	if at >= 0 {
		lo = Cut{Key: s.cuts[at]}
	}
	if at+1 < len(s.cuts) {
		hi = Cut{Key: s.cuts[at+1]}
	}
	return lo, hi
}

// Overlap reports whether a value within a key range may be in s, and whether one
// may not. The range must not be empty.
func (s *Subset) Overlap(v *KeyRange) (pass, fail bool) {
	n := 0 // cuts that are not after lo
	if v.HasLo {
		n = s.cutsUpTo(v.Lo)
	}
	first := s.below != (n%2 == 1)
	both := n < len(s.cuts) && (!v.HasHi || s.cuts[n] < string(v.Hi))
	return first || both, !first || both
}

// KeyRange is the range of keys [lo, hi), without an end where HasLo or HasHi is
// false.
type KeyRange struct {
	Lo, Hi       []byte
	HasLo, HasHi bool
}
