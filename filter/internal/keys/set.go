package keys

import (
	"math"
	"math/big"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Set is the set of values of filter.Keys. The zero Set is empty and grows.
type Set struct {
	Words        bloom.Words // nil until MakeWords, but after Reserve
	pending      []uint64    // words to insert, as long as their final number is unknown
	once         sync.Once   // for MakeWords: several goroutines may build conditions with the same Keys
	Added        int
	ComparableTo value.Families // families that all keys can be compared with
	Fault        string

	// Bounds of numbers, or of the seconds of moments and times, rounded outwards to
	// integers.
	least, most            int64
	belowInt64, aboveInt64 bool // some key is below, or above, the range of int64

	first, last []byte // bounds of strings and binaries
}

// Reserve makes room for n values in an empty set.
func (k *Set) Reserve(n int) { k.Words = bloom.NewWords(n) }

// Len returns the number of values that were added, duplicates included.
func (k *Set) Len() int { return k.Added }

// AddInt64 adds a number.
func (k *Set) AddInt64(v int64) {
	k.add(uint64(v), value.Numbers.Only())
	k.least, k.most = min(k.least, v), max(k.most, v)
}

// AddString adds a string.
func (k *Set) AddString(s string) { k.addBytes([]byte(s), value.ByteStrings.Only()) }

// AddBytes adds a binary, which may also be a string's bytes, or a UUID's.
func (k *Set) AddBytes(b []byte) {
	k.addBytes(b, value.ByteStrings.Only()|value.UUIDs.Only()|value.Unordered.Only())
}

// Add adds a value; NULL adds nothing. An invalid one becomes the Fault.
func (k *Set) Add(l *value.Literal) {
	switch l.Kind {
	case value.LitNull:
	case value.LitBool:
		w := uint64(0)
		if l.Truth {
			w = 1
		}
		k.add(w, value.Booleans.Only())
	case value.LitNumber:
		num, den := l.Number.Ratio(0)
		k.addRatio(num, den)
	case value.LitFloat:
		k.addFloat(l.Double)
	case value.LitString:
		k.AddString(l.Text)
	case value.LitBinary:
		k.AddBytes([]byte(l.Text))
	case value.LitDate, value.LitStamp:
		k.addMoment(uint64(l.Days*value.NanosPerDay+l.Nanos), l.Days*86400+l.Nanos/1e9, value.Moments)
	case value.LitTime:
		k.addMoment(uint64(l.Nanos), l.Nanos/1e9, value.Times)
	default:
		if k.Fault == "" {
			k.Fault = l.Text
		}
	}
}

// AddVector adds the values of a leaf column; NULLs add nothing. It neither changes
// nor keeps the vector.
func (k *Set) AddVector(v *vector.Vector) {
	if v.Layout != vector.Leaf {
		if k.Fault == "" {
			k.Fault = "keys are values, not structs or lists"
		}
		return
	}
	d := value.DomainOf(v.Type)
	if d.Kind == value.OfUnknown {
		return
	}
	h := HasherOf(d)
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
		k.addPlain(&h, value.PlainSlot(&buf, from, at))
	}
}

// addPlain adds a column's value in PLAIN encoding.
func (k *Set) addPlain(h *Hasher, plain []byte) {
	d := h.domain
	switch f := value.FamilyOf(d); {
	case d.Kind == value.OfBytes:
		k.addBytes(plain, f.Only())
	case f == value.Booleans:
		w, _ := h.word(plain)
		k.add(w, f.Only())
	case f == value.Moments || f == value.Times:
		w, _ := h.word(plain)
		k.addMoment(w, h.seconds(plain), f)
	case d.Kind == value.OfFloats:
		k.addFloat(d.Float(plain))
	case h.factor == 1 && d.Kind == value.OfInts:
		w, _ := h.word(plain)
		k.AddInt64(int64(w))
	default:
		r := d.Exact(plain)
		k.addRatio(r.Num(), r.Denom())
	}
}

// add inserts a word, and drops the families that its value cannot be compared with.
func (k *Set) add(word uint64, fits value.Families) {
	if k.Added == 0 {
		k.ComparableTo, k.least, k.most = ^value.Families(0), math.MaxInt64, math.MinInt64
	}
	if k.Words == nil {
		k.pending = append(k.pending, word)
	} else {
		k.Words.Insert(word)
	}
	k.Added++
	k.ComparableTo &= fits
}

// MakeWords builds the Bloom filter. No value may be added after it.
func (k *Set) MakeWords() {
	k.once.Do(func() {
		if k.Words != nil {
			return
		}
		k.Words = bloom.NewWords(len(k.pending))
		for _, w := range k.pending {
			k.Words.Insert(w)
		}
		k.pending = nil
	})
}

func (k *Set) addBytes(b []byte, fits value.Families) {
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
func (k *Set) addMoment(nanos uint64, seconds int64, f value.Family) {
	k.add(nanos, f.Only())
	k.least, k.most = min(k.least, seconds), max(k.most, seconds)
}

func (k *Set) addFloat(f float64) {
	w, ok := wordOfFloat(f)
	if !ok {
		return // NaN equals nothing
	}
	k.add(w, value.Numbers.Only())
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
func (k *Set) addRatio(num, den *big.Int) {
	k.add(wordOfRatio(num, den), value.Numbers.Only())
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

// Within returns the values of a domain from the least to the greatest key.
func (k *Set) Within(d *value.Domain) value.Subset {
	lo, hi := value.Cut{End: -1}, value.Cut{End: 1}
	switch f := value.FamilyOf(d); {
	case d.Kind == value.OfBytes:
		lo, hi = value.PlaceBytes(string(k.first)).Lo, value.PlaceBytes(string(k.last)).Hi
	case f == value.Numbers:
		if !k.belowInt64 {
			s, _ := d.Place(value.Of(k.least))
			lo = s.Lo
		}
		if !k.aboveInt64 {
			s, _ := d.Place(value.Of(k.most))
			hi = s.Hi
		}
	case f == value.Moments:
		at := func(seconds int64) value.Cut {
			days := value.FloorDiv(seconds, 86400)
			return d.PlaceUTC(&value.Literal{Days: days, Nanos: (seconds - days*86400) * 1e9}).Lo
		}
		lo, hi = at(k.least), at(k.most+1)
	}
	return value.Between(lo, hi)
}
