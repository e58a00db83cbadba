package keys

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

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
