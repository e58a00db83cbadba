package values

import (
	"math"
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// Dictionary holds the values that a chunk's codes stand for. Once decoded it does not
// change, and is safe for concurrent use.
type Dictionary struct {
	vec  vector.Vector // flat; views point into its one buffer
	body []byte        // the page's body, if it is the dictionary's memory
	long bool          // some views point into the buffer
	lent atomic.Bool   // a vector that was handed out points to vec or into body

	plain Decoder // of type typ
	typ   vector.Type
	in    Input
}

// Entries returns the values, a flat vector. It does not change until Recycle.
func (d *Dictionary) Entries() *vector.Vector { return &d.vec }

// Lend is Entries for a vector that points there: d is not used again.
func (d *Dictionary) Lend() *vector.Vector {
	d.lent.Store(true)
	return &d.vec
}

// Recycle makes d empty for another chunk, if nothing that was lent points there.
func (d *Dictionary) Recycle() bool {
	if d.lent.Load() {
		return false
	}
	d.long = false
	return true
}

// DictionaryPage is a dictionary page as it stands in the file.
type DictionaryPage struct {
	Header        *thrift.PageHeader
	Packed        []byte // its body, as it is compressed
	Unpacker      *page.Unpacker
	Type          vector.Type
	DirtyHighBits bool // values of an INT(8) or INT(16) may have bits that these do not have
}

// Decode fills d with the entries of a dictionary page.
func (d *Dictionary) Decode(p *DictionaryPage) error {
	h, t := p.Header, p.Type
	if h.Encoding != thrift.EncodingPlain && h.Encoding != thrift.EncodingPlainDictionary {
		return corrupt.NotSupported("dictionary page in encoding ", h.Encoding)
	}
	body, err := p.Unpacker.Unpack(d.body, h, p.Packed, math.MaxInt)
	if err != nil {
		if KeepsMemory(err) {
			d.body = nil
		}
		return err
	}
	if p.Unpacker.Stored(h) && t.Store() == vector.InViews {
		body = CopyBody(d.body, body)
	}
	if !p.Unpacker.Stored(h) || t.Store() == vector.InViews {
		d.body = body
	}
	parts, _, err := page.Split(h, thrift.Type(t.Physical), 0, 0, body)
	if err != nil {
		return err
	}
	n := int(h.NumValues)
	size := t.Width()
	if t.Physical == vector.ByteArray {
		size = 4 // of each length
	}
	if t.Physical == vector.Boolean || int64(n)*int64(size) > int64(len(parts.Values)) {
		return corrupt.At(-1, "dictionary of ", n, " entries of type ", t.Physical, " in ", len(parts.Values), " bytes")
	}
	if d.plain == nil || d.typ != t {
		if d.plain, err = NewDecoder(t, thrift.EncodingPlain); err != nil {
			return err
		}
		d.typ = t
	}
	build.Reset(&d.vec, t)
	d.in = Input{Body: parts.Values, N: n, Type: t}
	if err := d.plain.Reset(&d.in); err != nil {
		return corrupt.Within(err, "dictionary", 0)
	}
	build.Extend(&d.vec, n)
	if err := d.plain.Next(&d.vec, 0, n); err != nil {
		return corrupt.Within(err, "dictionary", 0)
	}
	if p.DirtyHighBits {
		fixSign(&d.vec, 0, n)
	}
	for _, v := range d.vec.Views[:len(d.vec.Views)] {
		d.long = d.long || !v.IsInline()
	}
	return nil
}

// lookup decodes codes: to values, or as they are to vectors of the form Dictionary.
type lookup[T any] struct {
	rewindable[rle.Codes, *rle.Codes]
	dict    *Dictionary
	entries []T // of dict
	of      func(*vector.Vector) []T
}

func (d *lookup[T]) Reset(in *Input) error {
	d.dict, d.entries = in.Dict, d.of(&in.Dict.vec)
	return d.startAt0(d.now.ResetIndices(in.Body, uint32(in.Dict.vec.Len), in.N))
}

func (d *lookup[T]) Codes() *rle.Codes { return &d.now }

func (d *lookup[T]) Mask(sel []uint64, n int, entries *bitpack.Mask) error {
	d.nowAt += n
	return d.now.Mask(sel, n, entries)
}

func (d *lookup[T]) Next(dst *vector.Vector, at, n int) error {
	d.nowAt += n
	if dst.Form == vector.Dictionary {
		_, err := d.now.Next(dst.Codes[at : at+n])
		return err
	}
	_, err := rle.Lookup(&d.now, d.of(dst)[at:at+n], d.entries)
	return err
}

func (d *lookup[T]) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	d.nowAt += n
	if dst.Form == vector.Dictionary {
		_, err := d.now.Gather(dst.Codes[at:], sel, n)
		return err
	}
	_, err := rle.LookupSelected(&d.now, d.of(dst)[at:], d.entries, sel, n)
	return err
}

func (d *lookup[T]) Pack(dst *vector.Vector, at int, sel []uint64, n int) (bool, error) {
	if dst.Form == vector.Dictionary {
		return false, nil
	}
	d.nowAt += n
	_, err := rle.LookupKept(&d.now, d.of(dst)[at:], d.entries, sel, n)
	return true, err
}

// GatherSpacing was measured for numbers and strings, with codes of 2 to 17 bits.
func (d *lookup[T]) GatherSpacing(dst *vector.Vector) int {
	if dst.Form != vector.Dictionary && d.now.Keeps() {
		return 18
	}
	return 5
}

func (d *lookup[T]) Filter([]uint64, int, *pred.Test) (bool, error) { return false, nil }

// lookupViews is lookup for strings: their views name the dictionary's buffer by its
// number among the buffers of dst.
type lookupViews struct {
	lookup[bits.View]
	moved  []bits.View // views of the dictionary from, with its buffer as number buffer
	buffer int32
	from   *Dictionary
}

func (d *lookupViews) Next(dst *vector.Vector, at, n int) error {
	d.lookIn(dst)
	return d.lookup.Next(dst, at, n)
}

func (d *lookupViews) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	d.lookIn(dst)
	return d.lookup.Gather(dst, at, sel, n)
}

func (d *lookupViews) Pack(dst *vector.Vector, at int, sel []uint64, n int) (bool, error) {
	d.lookIn(dst)
	return d.lookup.Pack(dst, at, sel, n)
}

// lookIn makes the entries those for dst, whose buffers get the dictionary's, unless dst
// gets codes.
func (d *lookupViews) lookIn(dst *vector.Vector) {
	if dst.Form == vector.Dictionary {
		return
	}
	d.entries = d.dict.vec.Views[:d.dict.vec.Len]
	if !d.dict.long {
		return
	}
	buffer := useBuffer(dst, d.dict.vec.Buffers[0])
	if buffer == 0 {
		return
	}
	if d.from != d.dict || d.buffer != buffer || len(d.moved) != len(d.entries) {
		d.moved = append(d.moved[:0], d.entries...)
		for i, v := range d.entries {
			if !v.IsInline() {
				_, offset := v.Ref()
				d.moved[i] = v.Moved(buffer, offset)
			}
		}
		d.from, d.buffer = d.dict, buffer
	}
	d.entries = d.moved
}

// lookupFixed is lookup for values of a fixed size.
type lookupFixed struct {
	lookup[byte]
	some [1024]uint32 // codes that are looked up next
}

func (d *lookupFixed) Pack(*vector.Vector, int, []uint64, int) (bool, error) { return false, nil }

func (d *lookupFixed) GatherSpacing(dst *vector.Vector) int {
	if dst.Form == vector.Dictionary {
		return d.lookup.GatherSpacing(dst)
	}
	return 2
}

func (d *lookupFixed) Next(dst *vector.Vector, at, n int) error {
	if dst.Form == vector.Dictionary {
		return d.lookup.Next(dst, at, n)
	}
	for n > 0 {
		codes := d.some[:min(n, len(d.some))]
		if _, err := d.now.Next(codes); err != nil {
			return err
		}
		d.put(dst, at, codes)
		d.nowAt += len(codes)
		at += len(codes)
		n -= len(codes)
	}
	return nil
}

func (d *lookupFixed) Gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	if dst.Form == vector.Dictionary {
		return d.lookup.Gather(dst, at, sel, n)
	}
	for i := 0; i < n; i += len(d.some) {
		m := min(n-i, len(d.some))
		k, err := d.now.Gather(d.some[:], sel[i/64:], m)
		if err != nil {
			return err
		}
		d.put(dst, at, d.some[:k])
		d.nowAt += m
		at += k
	}
	return nil
}

func (d *lookupFixed) put(dst *vector.Vector, at int, codes []uint32) {
	w := dst.Type.Width()
	pack.LookUpFixed(dst.Fixed[at*w:], d.entries, w, codes)
}
