package filter

import (
	"math"
	"math/big"
	"strconv"
	"sync"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/bloom"
)

// Keys is a set of values for Column.InKeys, such as the millions of join keys of a
// host. It is a Bloom filter with the least and the greatest value: all values that
// were added pass, and about one of 200 others. For few values, Column.In is exact.
//
// Values are compared across types: the integer 5 equals the number 5 in any column
// of integers, decimals or floats, and a date equals its midnight. So one Keys
// serves files with different types. Fractions that round to one double collide, as
// does a number from 2^63 on with the one that is 2^64 less.
//
// The zero Keys is an empty set that grows. While values are added, it takes 8
// bytes for each, and NewKeys 2.
//
// One goroutine at a time may add values, and none once the Keys are part of a
// condition. From then on they are safe for concurrent use.
type Keys struct {
	words        bloom.Words // nil until makeWords, unless made by NewKeys
	pending      []uint64    // words to insert, as long as their final number is unknown
	once         sync.Once   // for makeWords: several goroutines may build conditions with the same Keys
	added        int
	comparableTo families // families that all keys can be compared with
	fault        string

	// Bounds of numbers, or of the seconds of moments and times, rounded outwards to
	// integers.
	least, most            int64
	belowInt64, aboveInt64 bool // some key is below, or above, the range of int64

	first, last []byte // bounds of strings and binaries
}

// families is a set of families, one bit for each.
type families uint8

func (f family) only() families { return 1 << f }

// NewKeys returns an empty set for n values, which takes 2 n bytes. With more
// values than n, the rate of false positives rises.
func NewKeys(n int) *Keys {
	return &Keys{words: bloom.NewWords(n)}
}

// Len returns the number of values that were added, duplicates included.
func (k *Keys) Len() int { return k.added }

// AddInt64 adds a number.
func (k *Keys) AddInt64(v int64) {
	k.add(uint64(v), numbers.only())
	k.least, k.most = min(k.least, v), max(k.most, v)
}

// AddString adds a string.
func (k *Keys) AddString(s string) { k.addBytes([]byte(s), byteStrings.only()) }

// AddBytes adds a binary, which may also be a string's bytes, or a UUID's.
func (k *Keys) AddBytes(b []byte) {
	k.addBytes(b, byteStrings.only()|uuids.only()|unordered.only())
}

// Add adds a value of any type that Column.Eq takes; NULL adds nothing. A value of
// another type is an error of Bind.
func (k *Keys) Add(value any) {
	switch l := literalOf(value); l.kind {
	case litNull:
	case litBool:
		w := uint64(0)
		if l.b {
			w = 1
		}
		k.add(w, booleans.only())
	case litNumber:
		if f, ok := value.(float64); ok {
			k.addFloat(f)
		} else if f, ok := value.(float32); ok {
			k.addFloat(float64(f))
		} else {
			num, den := l.num.ratio(0)
			k.addRatio(num, den)
		}
	case litFloat:
		k.addFloat(l.f)
	case litString:
		k.AddString(l.s)
	case litBinary:
		k.AddBytes([]byte(l.s))
	case litDate, litStamp:
		k.addMoment(uint64(l.days*nanosPerDay+l.nanos), l.days*86400+l.nanos/1e9, moments)
	case litTime:
		k.addMoment(uint64(l.nanos), l.nanos/1e9, times)
	default:
		if k.fault == "" {
			k.fault = l.s
		}
	}
}

// AddVector adds the values of a leaf column; NULLs add nothing. It neither changes
// nor keeps the vector.
func (k *Keys) AddVector(v *vector.Vector) {
	if v.Layout != vector.Leaf {
		if k.fault == "" {
			k.fault = "keys are values, not structs or lists"
		}
		return
	}
	d := domainOf(v.Type)
	if d.kind == ofUnknown {
		return
	}
	h := hasherOf(d)
	var buf [8]byte
	for i := range v.Len {
		if v.IsNull(i) {
			continue
		}
		from, at := v, i
		switch v.Form {
		case vector.Constant:
			at = 0
		case vector.Dictionary:
			from, at = v.Dict, int(v.Codes[i])
		}
		k.addPlain(&h, plainSlot(&buf, from, at))
	}
}

// addPlain adds a column's value in PLAIN encoding.
func (k *Keys) addPlain(h *hasher, plain []byte) {
	d := h.domain
	switch f := familyOf(d); {
	case d.kind == ofBytes:
		k.addBytes(plain, f.only())
	case f == booleans:
		w, _ := h.word(plain)
		k.add(w, f.only())
	case f == moments || f == times:
		w, _ := h.word(plain)
		k.addMoment(w, h.seconds(plain), f)
	case d.kind == ofFloats:
		k.addFloat(d.float(plain))
	case h.factor == 1 && d.kind == ofInts:
		w, _ := h.word(plain)
		k.AddInt64(int64(w))
	default:
		r := d.exact(plain)
		k.addRatio(r.Num(), r.Denom())
	}
}

// add inserts a word, and drops the families that its value cannot be compared with.
func (k *Keys) add(word uint64, fits families) {
	if k.added == 0 {
		k.comparableTo, k.least, k.most = ^families(0), math.MaxInt64, math.MinInt64
	}
	if k.words == nil {
		k.pending = append(k.pending, word)
	} else {
		k.words.Insert(word)
	}
	k.added++
	k.comparableTo &= fits
}

// makeWords builds the Bloom filter. No value may be added after it.
func (k *Keys) makeWords() {
	k.once.Do(func() {
		if k.words != nil {
			return
		}
		k.words = bloom.NewWords(len(k.pending))
		for _, w := range k.pending {
			k.words.Insert(w)
		}
		k.pending = nil
	})
}

func (k *Keys) addBytes(b []byte, fits families) {
	if k.first == nil || string(b) < string(k.first) {
		k.first = append(k.first[:0], b...)
		if k.first == nil {
			k.first = []byte{}
		}
	}
	if string(b) > string(k.last) {
		k.last = append(k.last[:0], b...)
	}
	k.add(bloom.Hash(b), fits)
}

// addMoment adds a moment or time, in nanoseconds (modulo 2^64) and in seconds.
func (k *Keys) addMoment(nanos uint64, seconds int64, f family) {
	k.add(nanos, f.only())
	k.least, k.most = min(k.least, seconds), max(k.most, seconds)
}

func (k *Keys) addFloat(f float64) {
	w, ok := wordOfFloat(f)
	if !ok {
		return // NaN equals nothing
	}
	k.add(w, numbers.only())
	if down := math.Floor(f); down < -1<<63 {
		k.belowInt64 = true
	} else if down < 1<<63 {
		k.least = min(k.least, int64(down))
	}
	if up := math.Ceil(f); up >= 1<<63 {
		k.aboveInt64 = true
	} else if up >= -1<<63 {
		k.most = max(k.most, int64(up))
	}
}

// addRatio adds the number num/den; den is not negative.
func (k *Keys) addRatio(num, den *big.Int) {
	k.add(wordOfRatio(num, den), numbers.only())
	down, rest := new(big.Int).DivMod(num, den, new(big.Int))
	up := down
	if rest.Sign() != 0 {
		up = new(big.Int).Add(down, big.NewInt(1))
	}
	switch {
	case down.IsInt64():
		k.least = min(k.least, down.Int64())
	case down.Sign() < 0:
		k.belowInt64 = true
	}
	switch {
	case up.IsInt64():
		k.most = max(k.most, up.Int64())
	case up.Sign() > 0:
		k.aboveInt64 = true
	}
}

// within returns the values of a domain from the least to the greatest key.
func (k *Keys) within(d *domain) subset {
	lo, hi := cut{end: -1}, cut{end: 1}
	switch f := familyOf(d); {
	case d.kind == ofBytes:
		lo, hi = placeBytes(string(k.first)).lo, placeBytes(string(k.last)).hi
	case f == numbers:
		if !k.belowInt64 {
			s, _ := d.place(literalOf(k.least))
			lo = s.lo
		}
		if !k.aboveInt64 {
			s, _ := d.place(literalOf(k.most))
			hi = s.hi
		}
	case f == moments:
		at := func(seconds int64) cut {
			days := floorDiv(seconds, 86400)
			return d.placeUTC(&literal{days: days, nanos: (seconds - days*86400) * 1e9}).lo
		}
		lo, hi = at(k.least), at(k.most+1)
	}
	return between(lo, hi)
}

// compileKeys compiles InKeys. t and f are the same test: InKeys has no negation,
// because a value that passes need not be a key.
func (b *binder) compileKeys(e *Expr, s *source) (t, f slotTest, ok bool) {
	d, k := s.domain, e.keys
	t, f = slotTest{domain: d}, slotTest{domain: d}
	switch {
	case k.fault != "":
		b.fail(e.left.at, k.fault)
		return t, f, false
	case d.kind == ofUnknown || k.added == 0:
		return t, f, true
	case k.comparableTo&familyOf(d).only() == 0:
		b.fail(e.left.at, s.pathText()+" cannot be compared with the keys: it is "+d.typ.String())
		return t, f, false
	}
	h := hasherOf(d)
	t.valueTest = pred.By(func(v *vector.Vector, sel []uint64) { h.keepKeys(k.words, v, sel) })
	t.set, t.phrase = k.within(d), "is among "+strconv.Itoa(k.added)+" keys"
	return t, t, true
}
