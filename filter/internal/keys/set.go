package keys

import (
	"math"
	"strconv"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Set is the set of values, or of tuples of values, behind filter.Keys. The zero Set is
// empty and grows.
type Set struct {
	mu       sync.Mutex // for Finish: several goroutines may build conditions with the same Set
	columns  []column   // one for each value of a tuple; nil until the first is added
	tuples   seen       // words of tuples, where there is more than one column
	reserved int        // how many values there is room for; 0: it grows
	added    int
	fault    string // the first
}

// Reserve makes room for n values in an empty set.
func (k *Set) Reserve(n int) { k.reserved = max(n, 1) }

// Len returns the number of values or tuples that were added, duplicates included.
func (k *Set) Len() int { return k.added }

// Fault returns the text of the first error of an addition, else "".
func (k *Set) Fault() string { return k.fault }

// Width returns how many values each key has, 0 in an empty set.
func (k *Set) Width() int { return len(k.columns) }

func (k *Set) fail(fault string) {
	if k.fault == "" {
		k.fault = fault
	}
}

// widen makes the columns of an empty set, and reports whether keys have n values.
func (k *Set) widen(n int) bool {
	switch {
	case n == 0 || n > maxColumns:
		k.fail("keys of " + strconv.Itoa(n) + " values")
	case k.columns == nil:
		k.columns = make([]column, n)
		for i := range k.columns {
			k.columns[i] = newColumn(k.reserved)
		}
		if n > 1 {
			k.tuples.reserve(k.reserved)
		}
		return true
	case n != len(k.columns):
		k.fail("keys of " + strconv.Itoa(n) + " values are added to keys of " + strconv.Itoa(len(k.columns)))
	default:
		return true
	}
	return false
}

// maxColumns bounds the number of values in a key. Its encoding has one byte for it.
const maxColumns = 255

// AddInt64 adds a number.
func (k *Set) AddInt64(v int64) {
	if k.widen(1) {
		k.columns[0].addInt64(v)
		k.added++
	}
}

// AddBytes adds a string, or a binary, which may also be a string's bytes, or a UUID's.
func (k *Set) AddBytes(b []byte, isText bool) {
	fits := ofBinaries()
	if isText {
		fits = value.ByteStrings.Only()
	}
	if k.widen(1) {
		k.columns[0].addBytes(b, fits)
		k.added++
	}
}

// Add adds a key of the given values. One with a NULL or a NaN, which equal nothing,
// adds nothing. An invalid one becomes the Fault.
func (k *Set) Add(values []*value.Literal) {
	if !k.widen(len(values)) {
		return
	}
	equal := true // whether anything equals the key
	for _, l := range values {
		switch {
		case l.Kind == value.LitBad:
			k.fail(l.Text)
			return
		case l.Kind == value.LitNull || l.Kind == value.LitFloat && l.Double != l.Double:
			equal = false
		}
	}
	if !equal {
		return
	}
	var tuple uint64
	for i, l := range values {
		tuple = tupleWord(tuple, k.columns[i].addLiteral(l))
	}
	k.addTuple(tuple)
}

// addTuple counts a key, whose values its columns have.
func (k *Set) addTuple(word uint64) {
	if len(k.columns) > 1 {
		k.tuples.insert(word)
	}
	k.added++
}

// AddColumns adds the values of a leaf column, or the rows of several. A row with a NULL
// or a NaN adds nothing. The vectors are neither changed nor kept.
func (k *Set) AddColumns(columns []*vector.Vector) {
	for _, v := range columns {
		switch {
		case v.Layout != vector.Leaf:
			k.fail("keys are values, not structs or lists")
			return
		case v.Len != columns[0].Len:
			k.fail("columns of " + strconv.Itoa(columns[0].Len) + " and " + strconv.Itoa(v.Len) + " keys")
			return
		}
	}
	if !k.widen(len(columns)) {
		return
	}
	hashers := make([]Hasher, len(columns))
	for i, v := range columns {
		if hashers[i] = HasherOf(value.DomainOf(v.Type)); hashers[i].domain.Kind == value.OfUnknown {
			return // all its slots are NULL
		}
	}
	plain := make([][]byte, len(columns))
	buffers := make([][8]byte, len(columns))
	for row := range columns[0].Len {
		equal := true // whether anything equals the key
		for i, v := range columns {
			if equal = equal && !v.IsNull(row); !equal {
				break
			}
			from, at := v, row
			switch v.Form {
			case vector.Constant:
				at = 0
			case vector.Dictionary:
				from, at = v.Dict, int(v.Codes[row])
			}
			plain[i] = build.Plain(buffers[i][:0], from, at)
			d := hashers[i].domain
			equal = d.Kind != value.OfFloats || !math.IsNaN(d.Float(plain[i]))
		}
		if !equal {
			continue
		}
		var tuple uint64
		for i := range columns {
			tuple = tupleWord(tuple, k.columns[i].addPlain(&hashers[i], plain[i]))
		}
		k.addTuple(tuple)
	}
}

// Merge adds all keys of another set, which it does not change.
func (k *Set) Merge(o *Set) {
	if o.fault != "" {
		k.fail(o.fault)
	}
	if o.columns == nil || !k.widen(len(o.columns)) {
		return
	}
	for i := range k.columns {
		k.columns[i].merge(&o.columns[i])
	}
	k.tuples.merge(&o.tuples)
	k.added += o.added
}

// Finish builds the Bloom filters. No value may be added after it.
func (k *Set) Finish() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.columns {
		k.columns[i].seen.finish()
	}
	k.tuples.finish()
}

// ComparableTo reports whether all values at a place in the keys can be compared with
// those of a domain.
func (k *Set) ComparableTo(i int, d *value.Domain) bool {
	return k.columns[i].comparableTo&value.FamilyOf(d).Only() != 0
}

// Keep clears the bits of sel for values that are not at place i in a key. The vector
// must be flat and without NULLs. The set must be finished.
func (k *Set) Keep(i int, h *Hasher, v *vector.Vector, sel []uint64) {
	words := k.columns[i].seen.words
	store := v.Type.Store()
	if h.factor == 1 {
		switch {
		case store == vector.InInt64s:
			bloom.Keep(words, sel, v.Int64s[:v.Len])
			return
		case store == vector.InInt32s && h.domain.Kind == value.OfInts:
			bloom.Keep(words, sel, v.Int32s[:v.Len])
			return
		}
	}
	var words64 [64]int64
	for i, w := range sel[:bits.Words(v.Len)] {
		from, n := i*64, min(64, v.Len-i*64)
		if n < 64 {
			w &= bits.Low(n)
		}
		if w == 0 {
			continue
		}
		converted := h.convert(&words64, v, from, w)
		sel[i] &^= w &^ converted
		bloom.Keep(words, sel[i:i+1], words64[:n])
	}
}

// KeepTuples clears the bits of sel for those of n rows whose values are not a key. The
// vectors must be flat; a row with a NULL is none. The set must be finished.
func (k *Set) KeepTuples(hashers []Hasher, columns []*vector.Vector, n int, sel []uint64) {
	if len(k.columns) != len(columns) || k.added == 0 {
		bits.ClearRange(sel, 0, n)
		return
	}
	var words, tuples [64]int64
	for i := range sel[:bits.Words(n)] {
		from, size := i*64, min(64, n-i*64)
		found := sel[i] & bits.Low(size)
		for j, v := range columns {
			if len(v.Validity) > 0 {
				found &= v.Validity[i]
			}
			if found == 0 {
				break
			}
			found = hashers[j].convert(&words, v, from, found)
			if j == 0 {
				tuples = [64]int64{}
			}
			for x := range words[:size] {
				tuples[x] = int64(tupleWord(uint64(tuples[x]), uint64(words[x])))
			}
		}
		sel[i] &= found | ^bits.Low(size)
		if found != 0 {
			bloom.Keep(k.tuples.words, sel[i:i+1], tuples[:size])
		}
	}
}

// tupleWord returns the word of a tuple with one more value, given the words of both.
// It mixes the first: both may have all of their differences in any few bits.
func tupleWord(before, next uint64) uint64 {
	before ^= before >> 32
	before *= 0xd6e8feb86659fd93
	before ^= before >> 32
	before *= 0xd6e8feb86659fd93
	before ^= before >> 32
	return before + next
}
