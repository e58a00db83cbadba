package forms

import (
	"bytes"
	"encoding/binary"
	"math"
	stdbits "math/bits"
	"math/rand/v2"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Encoder makes leaf vectors dictionaries. The zero Encoder is ready.
//
// It finds equal values by a hash table with linear probing. A slot has the code of a value
// plus one, or 0 if it is free. Seeds are random, so that nobody can make a file whose
// values all have one hash.
type Encoder struct {
	slots  []uint32 // a power of two; at least three quarters are free
	hashes []uint32 // by code: the upper half of the hash, whose lower bits say where the slot is

	seed, factor uint64 // of hashes

	bools []uint64 // as numbers

	// The dictionary of the last vector that came as one:
	shared  *vector.Vector
	slotsOf int            // how many slots have come with it
	checked bool           // it was looked through for repeated entries
	unique  *vector.Vector // its entries without repeats; nil if there were none
	codes   []uint32       // of unique, by entry
}

const (
	fewestSlots = 256            // of a new table
	free        = math.MaxUint32 // in the place of a code
)

// Encode makes v, a leaf, a Dictionary whose entries differ. It reuses v's memory, but
// changes neither a dictionary that v refers to nor the value of a constant. ordered is whether
// the order of a dictionary that v refers to means something.
func (e *Encoder) Encode(v *vector.Vector, ordered bool) {
	switch v.Form {
	case vector.Flat:
		e.encodeFlat(v)
	case vector.Constant:
		encodeConstant(v)
	case vector.Dictionary:
		e.dropRepeats(v, ordered)
	}
}

// encodeConstant gives each slot of a constant the code of the only entry.
func encodeConstant(v *vector.Vector) {
	n, null := v.Len, v.IsNull(0)
	one := *v
	one.Form, one.Len = vector.Flat, 1
	dict := &vector.Vector{Type: v.Type}
	if !null && n > 0 {
		build.AppendSlots(dict, &one, 0, 1)
		build.DropValidity(dict)
	}
	*v = vector.Vector{Type: v.Type}
	build.UseDictionary(v, dict)
	if null {
		build.AppendNulls(v, n)
		return
	}
	build.Extend(v, n)
	clear(v.Codes)
}

// dropRepeats makes the entries of v's dictionary differ. Vectors that share a dictionary
// have it looked through once, when it has come with as many slots as it has entries.
// Until then their own values are fewer, and get a dictionary of their own, unless order matters.
func (e *Encoder) dropRepeats(v *vector.Vector, ordered bool) {
	if e.shared != v.Dict {
		e.shared, e.slotsOf, e.checked, e.unique = v.Dict, 0, false, nil
	}
	if e.slotsOf += v.Len; e.slotsOf < v.Dict.Len && !ordered {
		v.Flatten()
		e.encodeFlat(v)
		return
	}
	if !e.checked {
		entries := &vector.Vector{Type: v.Type}
		build.AppendSlots(entries, v.Dict, 0, v.Dict.Len)
		e.encodeFlat(entries)
		if e.checked = true; entries.Dict.Len < v.Dict.Len {
			e.unique, e.codes = entries.Dict, entries.Codes
		}
	}
	if e.unique == nil {
		return
	}
	for i, c := range v.Codes[:v.Len] {
		v.Codes[i] = e.codes[c] // NULL slots keep code 0: the first entry is no repeat
	}
	v.Dict = e.unique
}

// encodeFlat replaces the values of v by codes. NULLs are left out, until all have codes.
// The first of equal values moves to the front of the memory that has them, from where the
// dictionary gets a copy: v keeps its memory, for the next batch or for Flatten.
//
//	Int64s     7 5 7 5 9 7   ─▶   7 5 9 . . .     Dict.Int64s: the first three
//	Codes                         0 1 0 1 2 0
func (e *Encoder) encodeFlat(v *vector.Vector) {
	n := v.Len
	if len(v.Validity) > 0 {
		build.Pack(v, 0, n, v.Validity)
	}
	v.Codes = slices.Grow(v.Codes[:0], n)[:n]
	e.start()
	dict := &vector.Vector{Type: v.Type}
	switch codes := v.Codes[:v.Len]; v.Type.Store() {
	case vector.InBools:
		e.bools = slices.Grow(e.bools[:0], v.Len)[:v.Len]
		values := e.bools
		for i := range values {
			values[i] = bits.Extract(v.Bools, i) & 1
		}
		encodeNumbers(e, values, codes)
		build.Extend(dict, len(e.hashes))
		for i, x := range values[:dict.Len] {
			bits.Insert(dict.Bools, i, x, 1)
		}
	case vector.InInt32s:
		encodeNumbers(e, v.Int32s, codes)
		dict.Int32s = slices.Clone(v.Int32s[:len(e.hashes)])
	case vector.InInt64s:
		encodeNumbers(e, v.Int64s, codes)
		dict.Int64s = slices.Clone(v.Int64s[:len(e.hashes)])
	case vector.InFloats: // by their bits: NaN is not equal to itself
		encodeNumbers(e, encoding.As[int32](v.Floats), codes)
		dict.Floats = slices.Clone(v.Floats[:len(e.hashes)])
	case vector.InDoubles:
		encodeNumbers(e, encoding.As[int64](v.Doubles), codes)
		dict.Doubles = slices.Clone(v.Doubles[:len(e.hashes)])
	case vector.InFixed:
		w := v.Type.Width()
		e.encodeFixed(v.Fixed, w, codes)
		dict.Fixed = slices.Clone(v.Fixed[:len(e.hashes)*w])
	case vector.InViews:
		e.encodeViews(v.Views, v.Buffers, codes)
		dict.Views, dict.Buffers = slices.Clone(v.Views[:len(e.hashes)]), slices.Clone(v.Buffers)
	}
	dict.Len = len(e.hashes)
	build.UseDictionary(v, dict)
	v.Len = n
	build.Spread(v, 0)
}

// start empties the table. It keeps the size that the vector before needed.
func (e *Encoder) start() {
	if e.slots == nil {
		e.seed, e.factor = rand.Uint64(), rand.Uint64()|1
	}
	size := fewestSlots
	for size < 4*len(e.hashes) {
		size *= 2
	}
	e.slots = slices.Grow(e.slots[:0], size)[:size]
	clear(e.slots)
	e.hashes = e.hashes[:0]
}

// add gives the next code to the value with a hash, in the free slot at, and returns it.
func (e *Encoder) add(at int, hash uint64) uint32 {
	e.hashes = append(e.hashes, uint32(hash>>32))
	e.slots[at] = uint32(len(e.hashes))
	if 4*len(e.hashes) > len(e.slots) {
		e.grow(4 * len(e.slots))
	}
	return uint32(len(e.hashes) - 1)
}

// grow gives the table a new size.
func (e *Encoder) grow(size int) {
	e.slots = make([]uint32, size)
	mask := size - 1
	for code, hash := range e.hashes {
		at := int(hash) & mask
		for e.slots[at] != 0 {
			at = (at + 1) & mask
		}
		e.slots[at] = uint32(code + 1)
	}
}

// mix returns a hash of two words.
func mix(a, b uint64) uint64 {
	high, low := stdbits.Mul64(a, b)
	return high ^ low
}

// hashText returns a hash of at least eight bytes.
func (e *Encoder) hashText(b []byte) uint64 {
	h := e.seed ^ uint64(len(b))
	last := b[len(b)-8:]
	for ; len(b) > 16; b = b[16:] {
		h = mix(binary.LittleEndian.Uint64(b)^h, binary.LittleEndian.Uint64(b[8:])^e.factor)
	}
	if len(b) > 8 {
		h = mix(binary.LittleEndian.Uint64(b)^h, e.factor)
	}
	return mix(binary.LittleEndian.Uint64(last)^h, e.factor)
}

// encodeNumbers sets the codes of as many values. New values move to the front.
func encodeNumbers[T int32 | int64 | uint64](e *Encoder, values []T, codes []uint32) {
	slots, seed, factor := e.slots, e.seed, e.factor
	for i := range codes {
		x := values[i]
		hash := mix(uint64(x)^seed, factor)
		at := int(hash>>32) & (len(slots) - 1)
		for {
			code := slots[at] - 1
			if code == free {
				values[len(e.hashes)] = x
				codes[i] = e.add(at, hash)
				slots = e.slots
				break
			}
			if values[code] == x {
				codes[i] = code
				break
			}
			at = (at + 1) & (len(slots) - 1)
		}
	}
}

// encodeViews is encodeNumbers for strings.
func (e *Encoder) encodeViews(views []bits.View, buffers [][]byte, codes []uint32) {
	slots, seed, factor := e.slots, e.seed, e.factor
	for i := range codes {
		x := views[i]
		head, rest := x.Words()
		var text []byte // of a long one
		var hash uint64
		if x.IsInline() {
			hash = mix(head^seed, rest^factor)
		} else {
			text = x.Bytes(buffers)
			hash = e.hashText(text)
		}
		at := int(hash>>32) & (len(slots) - 1)
		for {
			code := slots[at] - 1
			if code == free {
				views[len(e.hashes)] = x
				codes[i] = e.add(at, hash)
				slots = e.slots
				break
			}
			y := views[code]
			if y == x || text != nil && e.hashes[code] == uint32(hash>>32) && y.Head() == head && bytes.Equal(y.Bytes(buffers), text) {
				codes[i] = code
				break
			}
			at = (at + 1) & (len(slots) - 1)
		}
	}
}

// encodeFixed is encodeNumbers for values of w bytes.
func (e *Encoder) encodeFixed(values []byte, w int, codes []uint32) {
	var short [8]byte
	for i := range codes {
		x := values[i*w : (i+1)*w]
		key := x
		if w < len(short) {
			copy(short[:], x)
			key = short[:]
		}
		hash := e.hashText(key)
		at := int(hash>>32) & (len(e.slots) - 1)
		for {
			code := e.slots[at] - 1
			if code == free {
				copy(values[len(e.hashes)*w:], x)
				codes[i] = e.add(at, hash)
				break
			}
			if entry := int(code) * w; bytes.Equal(values[entry:entry+w], x) {
				codes[i] = code
				break
			}
			at = (at + 1) & (len(e.slots) - 1)
		}
	}
}
