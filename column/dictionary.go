package column

import (
	"errors"
	"math"
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

// dictionary holds the values that a chunk's codes stand for. It does not change.
type dictionary struct {
	vec  vector.Vector // flat; views point into its one buffer
	body []byte        // the page
	long bool          // some views point into the buffer
	lent atomic.Bool   // a vector that was handed out points here

	plain decoder // of type typ
	typ   vector.Type
	in    input
}

// recycle makes d empty for another chunk, if nobody looks at it.
func (d *dictionary) recycle() bool {
	if d.lent.Load() {
		return false
	}
	d.long = false
	return true
}

// decode fills d with the entries of a dictionary page.
func (d *dictionary) decode(s *Source, h *thrift.PageHeader, packed []byte) error {
	if h.Encoding != wire.Encoding_PLAIN && h.Encoding != wire.Encoding_PLAIN_DICTIONARY {
		return corrupt.NotSupported("dictionary page in encoding ", nameOf(h.Encoding))
	}
	body, err := s.Unpacker.Unpack(d.body, h, packed, math.MaxInt)
	if err != nil {
		if keepsMemory(err) {
			d.body = nil
		}
		return err
	}
	if s.Unpacker.Stored(h) && s.Leaf.Type.Store() == vector.InViews {
		body = owned(d.body, body)
	}
	if !s.Unpacker.Stored(h) || s.Leaf.Type.Store() == vector.InViews {
		d.body = body
	}
	parts, err := page.Split(h, wire.Type(s.Leaf.Type.Physical), 0, 0, body)
	if err != nil {
		return err
	}
	t, n := s.Leaf.Type, int(h.NumValues)
	size := t.Width()
	if t.Physical == vector.ByteArray {
		size = 4 // of each length
	}
	if t.Physical == vector.Boolean || int64(n)*int64(size) > int64(len(parts.Values)) {
		return corrupt.At(-1, "dictionary of ", n, " entries of type ", t.Physical, " in ", len(parts.Values), " bytes")
	}
	if d.plain == nil || d.typ != t {
		if d.plain, err = newDecoder(t, wire.Encoding_PLAIN); err != nil {
			return err
		}
		d.typ = t
	}
	d.vec.Reset(t)
	d.in = input{body: parts.Values, n: n, typ: t}
	if err := d.plain.reset(&d.in); err != nil {
		return corrupt.Within(err, "dictionary", 0)
	}
	d.vec.Extend(n)
	if err := d.plain.next(&d.vec, 0, n); err != nil {
		return corrupt.Within(err, "dictionary", 0)
	}
	if s.Wild {
		tame(&d.vec, 0, n)
	}
	for _, v := range d.vec.Views[:len(d.vec.Views)] {
		d.long = d.long || !v.IsInline()
	}
	return nil
}

// dictionary returns the chunk's dictionary. The first call has by read it.
func (c *Chunk) dictionary(by *Cursor) (*dictionary, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dictErr != nil || c.dict != nil && c.decoded {
		return c.dict, c.dictErr
	}
	p, packed, err := by.readDictionary()
	if err == nil && p == nil {
		err = corrupt.At(-1, "codes without a dictionary")
	}
	if err != nil {
		var bad *corrupt.Error
		if errors.As(err, &bad) { // else it is the feed's, another may do better
			c.dictErr = err
		}
		return nil, err
	}
	if c.dict == nil {
		c.dict = new(dictionary)
	}
	if err := c.dict.decode(&c.source, &p.Header, packed); err != nil {
		c.dict, c.dictErr = nil, at(-1, p.Offset, err)
		return nil, c.dictErr
	}
	c.decoded = true
	by.count.DictionaryPages++
	by.count.DictionaryBytes += p.End() - p.Offset
	return c.dict, nil
}

// lookup decodes codes, to values or as they are.
type lookup[T any] struct {
	flow[rle.Codes, *rle.Codes]
	dict *dictionary
	of   func(*vector.Vector) []T
}

func (d *lookup[T]) reset(in *input) error {
	d.dict = in.dict
	return d.started(d.now.ResetIndices(in.body, uint32(in.dict.vec.Len), in.n))
}

func (d *lookup[T]) codes() *rle.Codes { return &d.now }

func (d *lookup[T]) mask(sel []uint64, n int, entries *bitpack.Mask) error {
	d.nowAt += n
	return d.now.Mask(sel, n, entries)
}

func (d *lookup[T]) next(dst *vector.Vector, at, n int) error {
	d.nowAt += n
	if dst.Form == vector.Dictionary {
		_, err := d.now.Next(dst.Codes[at : at+n])
		return err
	}
	_, err := rle.Lookup(&d.now, d.of(dst)[at:at+n], d.of(&d.dict.vec))
	return err
}

func (d *lookup[T]) gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	d.nowAt += n
	if dst.Form == vector.Dictionary {
		_, err := d.now.Gather(dst.Codes[at:], sel, n)
		return err
	}
	_, err := rle.LookupSelected(&d.now, d.of(dst)[at:], d.of(&d.dict.vec), sel, n)
	return err
}

func (d *lookup[T]) keep(dst *vector.Vector, at int, sel []uint64, n int) (bool, error) {
	if dst.Form == vector.Dictionary {
		return false, nil
	}
	d.nowAt += n
	_, err := rle.LookupKept(&d.now, d.of(dst)[at:], d.of(&d.dict.vec), sel, n)
	return true, err
}

// sparse is what sparseness is for others: measured for numbers and strings, with codes
// of 2 to 17 bits.
func (d *lookup[T]) sparse(dst *vector.Vector) int {
	if dst.Form != vector.Dictionary && d.now.Keeps() {
		return 18
	}
	return 5
}

func (d *lookup[T]) narrow([]uint64, int, *pred.Test) (bool, error) { return false, nil }

// lookupViews is lookup for strings: the views must point to where the
// dictionary stands among the buffers of dst.
type lookupViews struct {
	lookup[bits.View]
	moved  []bits.View // the dictionary's, for number buffer
	buffer int32
	of     *dictionary
}

func (d *lookupViews) next(dst *vector.Vector, at, n int) error {
	if dst.Form == vector.Dictionary {
		return d.lookup.next(dst, at, n)
	}
	d.nowAt += n
	_, err := rle.Lookup(&d.now, dst.Views[at:at+n], d.views(dst))
	return err
}

func (d *lookupViews) gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	if dst.Form == vector.Dictionary {
		return d.lookup.gather(dst, at, sel, n)
	}
	d.nowAt += n
	_, err := rle.LookupSelected(&d.now, dst.Views[at:], d.views(dst), sel, n)
	return err
}

func (d *lookupViews) keep(dst *vector.Vector, at int, sel []uint64, n int) (bool, error) {
	if dst.Form == vector.Dictionary {
		return false, nil
	}
	d.nowAt += n
	_, err := rle.LookupKept(&d.now, dst.Views[at:], d.views(dst), sel, n)
	return true, err
}

// views returns the dictionary for slots of dst.
func (d *lookupViews) views(dst *vector.Vector) []bits.View {
	views := d.dict.vec.Views[:d.dict.vec.Len]
	if !d.dict.long {
		return views
	}
	buffer := useBuffer(dst, d.dict.vec.Buffers[0])
	if buffer == 0 {
		return views
	}
	if d.of != d.dict || d.buffer != buffer || len(d.moved) != len(views) {
		d.moved = append(d.moved[:0], views...)
		for i, v := range views {
			if !v.IsInline() {
				_, offset := v.Ref()
				d.moved[i] = v.Moved(buffer, offset)
			}
		}
		d.of, d.buffer = d.dict, buffer
	}
	return d.moved
}

// lookupFixed is lookup for values of a fixed size.
type lookupFixed struct {
	lookup[byte]
	some [pickBlock]uint32 // codes on their way to become values
}

func (d *lookupFixed) keep(*vector.Vector, int, []uint64, int) (bool, error) { return false, nil }

func (d *lookupFixed) sparse(dst *vector.Vector) int {
	if dst.Form == vector.Dictionary {
		return d.lookup.sparse(dst)
	}
	return 2
}

func (d *lookupFixed) next(dst *vector.Vector, at, n int) error {
	if dst.Form == vector.Dictionary {
		return d.lookup.next(dst, at, n)
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

func (d *lookupFixed) gather(dst *vector.Vector, at int, sel []uint64, n int) error {
	if dst.Form == vector.Dictionary {
		return d.lookup.gather(dst, at, sel, n)
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
	vector.LookUpFixed(dst.Fixed[at*w:], d.dict.vec.Fixed, w, codes)
}
