package keys

import (
	"math"
	"math/big"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// column has the values at one place in the keys: as words, with their bounds. Each of
// its methods that adds a value returns the value's word.
type column struct {
	seen         seen
	comparableTo value.Families // families that all values can be compared with

	// Bounds of numbers, or of the seconds of moments and times, rounded outwards to
	// integers.
	least, most            int64
	belowInt64, aboveInt64 bool // some value is below, or above, the range of int64

	// Some number is a decimal, some is of a column of FLOATs. Words stand for doubles, and a
	// decimal equals the FLOAT that is nearest to it, which is another double.
	decimals, singles bool

	first, last []byte // bounds of strings and binaries
}

func newColumn(reserved int) column {
	c := column{comparableTo: allFamilies(), least: math.MaxInt64, most: math.MinInt64}
	c.seen.reserve(reserved)
	return c
}

// allFamilies has one bit for each value.Family.
func allFamilies() value.Families { return value.Unordered.Only()<<1 - 1 }

// ofBinaries are the families of a binary.
func ofBinaries() value.Families {
	return value.ByteStrings.Only() | value.UUIDs.Only() | value.Unordered.Only()
}

// seen is a Bloom filter of words. It keeps the words themselves as long as it grows.
type seen struct {
	words   bloom.Words // nil while it grows
	pending []uint64    // nil when it does not
}

// reserve makes room for n words; with 0 it grows.
func (s *seen) reserve(n int) {
	if n > 0 {
		s.words = bloom.NewWords(n)
	}
}

func (s *seen) insert(word uint64) {
	if s.words == nil {
		s.pending = append(s.pending, word)
	} else {
		s.words.Insert(word)
	}
}

func (s *seen) merge(o *seen) {
	if s.words == nil && o.words != nil {
		grown := seen{pending: s.pending}
		s.words, s.pending, o = slices.Clone(o.words), nil, &grown
	}
	switch {
	case o.words != nil:
		s.words.Merge(o.words)
	case s.words == nil:
		s.pending = append(s.pending, o.pending...)
	default:
		for _, w := range o.pending {
			s.words.Insert(w)
		}
	}
}

// finish ends the growth.
func (s *seen) finish() {
	if s.words == nil {
		grown := seen{pending: s.pending}
		s.words, s.pending = bloom.NewWords(len(grown.pending)), nil
		s.merge(&grown)
	}
}

// add inserts a word, and drops the families that its value cannot be compared with.
func (c *column) add(word uint64, fits value.Families) uint64 {
	c.seen.insert(word)
	c.comparableTo &= fits
	return word
}

func (c *column) addInt64(v int64) uint64 {
	c.least, c.most = min(c.least, v), max(c.most, v)
	return c.add(uint64(v), value.Numbers.Only())
}

// addLiteral adds a value, which is neither NULL nor NaN.
func (c *column) addLiteral(l *value.Literal) uint64 {
	switch l.Kind {
	case value.LitBool:
		w := uint64(0)
		if l.Truth {
			w = 1
		}
		return c.add(w, value.Booleans.Only())
	case value.LitNumber:
		c.decimals = c.decimals || l.Number.Approx
		return c.addRatio(l.Number.Rat())
	case value.LitFloat:
		return c.addFloat(l.Double)
	case value.LitString:
		return c.addBytes([]byte(l.Text), value.ByteStrings.Only())
	case value.LitBinary:
		return c.addBytes([]byte(l.Text), ofBinaries())
	case value.LitTime:
		return c.addMoment(uint64(l.Nanos), l.Nanos/1e9, value.Times)
	}
	return c.addMoment(uint64(l.Days*value.NanosPerDay+l.Nanos), l.Days*86400+l.Nanos/1e9, value.Moments) // a date or a timestamp
}

// addPlain adds a column's value in PLAIN encoding, which is not NaN.
func (c *column) addPlain(h *Hasher, plain []byte) uint64 {
	d := h.domain
	switch f := value.FamilyOf(d); {
	case d.Kind == value.OfBytes:
		return c.addBytes(plain, f.Only())
	case f == value.Booleans:
		w, _ := h.word(plain)
		return c.add(w, f.Only())
	case f == value.Moments || f == value.Times:
		w, _ := h.word(plain)
		return c.addMoment(w, h.seconds(plain), f)
	case d.Kind == value.OfFloats:
		c.singles = c.singles || d.Type.Physical != vector.Double
		return c.addFloat(d.Float(plain))
	case h.factor == 1 && d.Kind == value.OfInts:
		w, _ := h.word(plain)
		return c.addInt64(int64(w))
	}
	c.decimals = c.decimals || d.Type.Scale > 0
	return c.addRatio(d.Exact(plain))
}

func (c *column) addBytes(b []byte, fits value.Families) uint64 {
	c.extend(b)
	return c.add(bloom.Hash(b), fits)
}

// addMoment adds a moment or time, in nanoseconds (modulo 2^64) and in seconds.
func (c *column) addMoment(nanos uint64, seconds int64, f value.Family) uint64 {
	c.least, c.most = min(c.least, seconds), max(c.most, seconds)
	return c.add(nanos, f.Only())
}

// addFloat adds a number, which is not NaN.
func (c *column) addFloat(f float64) uint64 {
	c.extendNumbers(f, f)
	w, _ := wordOfFloat(f)
	return c.add(w, value.Numbers.Only())
}

// addRatio adds a number.
func (c *column) addRatio(r *big.Rat) uint64 {
	if r.IsInt() && r.Num().IsInt64() {
		return c.addInt64(r.Num().Int64())
	}
	low, exact := r.Float64()
	high := low
	if !exact {
		low, high = math.Nextafter(low, math.Inf(-1)), math.Nextafter(high, math.Inf(1))
	}
	c.extendNumbers(low, high)
	return c.add(wordOfRatio(r), value.Numbers.Only())
}

// extendNumbers moves the bounds of numbers outwards, so that those from low up to high are within.
func (c *column) extendNumbers(low, high float64) {
	if down := math.Floor(low); down < -1<<63 {
		c.belowInt64 = true
	} else if down < 1<<63 {
		c.least = min(c.least, int64(down))
	}
	if up := math.Ceil(high); up >= 1<<63 {
		c.aboveInt64 = true
	} else if up >= -1<<63 {
		c.most = max(c.most, int64(up))
	}
}

// extend moves the bounds of strings outwards, so that b is within.
func (c *column) extend(b []byte) {
	if c.first == nil || string(b) < string(c.first) {
		c.first = append(c.first[:0], b...)
		if c.first == nil {
			c.first = []byte{}
		}
	}
	if string(b) > string(c.last) {
		c.last = append(c.last[:0], b...)
	}
}

// merge adds the values of another column.
func (c *column) merge(o *column) {
	c.seen.merge(&o.seen)
	c.comparableTo &= o.comparableTo
	c.least, c.most = min(c.least, o.least), max(c.most, o.most)
	c.belowInt64, c.aboveInt64 = c.belowInt64 || o.belowInt64, c.aboveInt64 || o.aboveInt64
	c.decimals, c.singles = c.decimals || o.decimals, c.singles || o.singles
	if o.first != nil {
		c.extend(o.first)
		c.extend(o.last)
	}
}

// Within returns the values of a domain from the least to the greatest at a place in the
// keys.
func (k *Set) Within(i int, d *value.Domain) value.Subset {
	c := &k.columns[i]
	lo, hi := value.Cut{End: -1}, value.Cut{End: 1}
	switch f := value.FamilyOf(d); {
	case d.Kind == value.OfBytes:
		lo, hi = value.PlaceBytes(string(c.first)).Lo, value.PlaceBytes(string(c.last)).Hi
	case f == value.Numbers && c.singles && d.Type.Scale > 0: // decimals beside the bounds may equal these
	case f == value.Numbers:
		at := func(v int64) value.Position {
			l := value.Of(v)
			l.Number.Approx = c.decimals // rounded as the keys are
			s, _ := d.Place(l)
			return s
		}
		if !c.belowInt64 {
			lo = at(c.least).Lo
		}
		if !c.aboveInt64 {
			hi = at(c.most).Hi
		}
	case f == value.Moments:
		at := func(seconds int64) value.Cut {
			days := value.FloorDiv(seconds, 86400)
			s, _ := d.Place(&value.Literal{Kind: value.LitStamp, Days: days, Nanos: (seconds - days*86400) * 1e9})
			return s.Lo
		}
		lo, hi = at(c.least), at(c.most+1)
	}
	return value.Between(lo, hi)
}

// Rounds reports whether the keys at a place can be told from values of a domain by their
// bounds at most: decimals from FLOATs, which equal each other where they are near. Then a key
// equals values that have another word.
func (k *Set) Rounds(i int, d *value.Domain) bool {
	c := &k.columns[i]
	if d.Kind == value.OfFloats {
		return c.decimals && d.Type.Physical != vector.Double
	}
	return c.singles && d.Type.Scale > 0
}
