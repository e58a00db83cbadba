package values

import (
	"cmp"
	"math"
	"sync"
	"sync/atomic"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
	"github.com/winnow-scan/winnow/encoding/rle"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/thrift"
)

// Dictionary holds the values that a chunk's codes stand for. Strings stay in the page's
// body until they are looked up: to test them, no views are made. Once decoded its values
// do not change, and it is safe for concurrent use.
type Dictionary struct {
	vec  vector.Vector // flat; views point into its one buffer
	n    int           // how many values there are
	pass int           // counts the pages that d was decoded from
	long bool          // some views point into the buffer
	room int64         // bytes that the values of its largest page take
	lent atomic.Bool   // a vector that was handed out points to vec

	mu       sync.Mutex // of what follows, and of vec until it is made
	made     bool       // vec has the values
	in       Input
	plain    Decoder // of in
	bodies   *Bodies
	body     []byte // from bodies: the page's body, if strings are in it
	bodyLent bool   // vectors point into body
}

// Len returns the number of values.
func (d *Dictionary) Len() int { return d.n }

// Memory returns how many bytes the values, made or not, and the body take.
func (d *Dictionary) Memory() int64 { return d.room + int64(cap(d.body)) }

// Entries returns the values, a flat vector. It does not change until Recycle.
func (d *Dictionary) Entries() (*vector.Vector, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.made {
		return &d.vec, nil
	}
	build.Reset(&d.vec, d.in.Type)
	if err := d.plain.Reset(&d.in); err != nil {
		return nil, corrupt.Within(err, "dictionary", 0)
	}
	build.Extend(&d.vec, d.n)
	if err := d.plain.Next(&d.vec, 0, d.n); err != nil {
		return nil, corrupt.Within(err, "dictionary", 0)
	}
	for _, v := range d.vec.Views[:len(d.vec.Views)] {
		d.long = d.long || !v.IsInline()
	}
	d.made = true
	return &d.vec, nil
}

// Lend is Entries for a vector that points there: d is not used again.
func (d *Dictionary) Lend() (*vector.Vector, error) {
	d.lent.Store(true)
	return d.Entries()
}

// Lends reports whether v is what Lend returns.
func (d *Dictionary) Lends(v *vector.Vector) bool { return v == &d.vec }

// lendBody notes that one more vector points into the body.
func (d *Dictionary) lendBody() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bodies.Lend(d.in.Body, 0, d.bodyLent) // no levels stand before the values
	d.bodyLent = true
}

// Recycle makes d empty for another chunk, if nothing that was lent points to its values.
func (d *Dictionary) Recycle() bool {
	switch {
	case d.lent.Load():
		return false
	case d.bodyLent:
		d.bodies.Leave(d.in.Body)
	case d.body != nil:
		d.bodies.Put(d.body)
	}
	d.body, d.bodyLent, d.long, d.n, d.in = nil, false, false, 0, Input{Type: d.in.Type}
	build.Reset(&d.vec, d.vec.Type)
	return d.plain == nil || d.plain.Reset(&d.in) == nil // neither keeps the body
}

// Test sets in passing, which has a bit for each value, those that pass t.
func (d *Dictionary) Test(passing []uint64, t *pred.Test) error {
	bits.SetRange(passing, 0, d.n)
	if done, err := d.testBody(passing, t); done || err != nil {
		return err
	}
	entries, err := d.Entries()
	if err == nil {
		t.Filter(passing, entries)
	}
	return err
}

// TestsInPage reports whether t needs no views, and none are made.
func (d *Dictionary) TestsInPage(t *pred.Test) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, known := matchOf(cmp.Or(t.Needed(), t))
	return known && d.body != nil && !d.made
}

// testBody is Test for strings as they stand in the page, if their decoder has a kernel for
// t. It is not done where more than that is to be tested: passing then has what may pass.
func (d *Dictionary) testBody(passing []uint64, t *pred.Test) (done bool, err error) {
	if d.body == nil {
		return false, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	first := cmp.Or(t.Needed(), t)
	if err := d.plain.Reset(&d.in); err != nil {
		return false, corrupt.Within(err, "dictionary", 0)
	}
	known, err := d.plain.Filter(passing, d.n, first)
	if !known || err != nil {
		return false, corrupt.Within(err, "dictionary", 0)
	}
	if t.Negate {
		bits.Not(passing, 0, d.n)
	}
	return first == t || !bits.Any(passing, 0, d.n), nil
}

// DictionaryPage is a dictionary page as it stands in the file.
type DictionaryPage struct {
	Header        *thrift.PageHeader
	Packed        []byte // its body, as it is compressed
	Owned         bool   // Packed is memory of Bodies, which becomes the dictionary's
	Unpacker      *page.Unpacker
	Bodies        *Bodies
	Type          vector.Type
	DirtyHighBits bool // values of an INT(8) or INT(16) may have bits that these do not have
}

// Decode fills d, which is empty, with the entries of a dictionary page.
func (d *Dictionary) Decode(p *DictionaryPage) error {
	h, t := p.Header, p.Type
	if h.Encoding != thrift.EncodingPlain && h.Encoding != thrift.EncodingPlainDictionary {
		return corrupt.NotSupported("dictionary page in encoding ", h.Encoding)
	}
	body, err := d.unpack(p)
	if err != nil {
		return err
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
	if d.plain == nil || d.vec.Type != t {
		if d.plain, err = NewDecoder(t, thrift.EncodingPlain); err != nil {
			return err
		}
	}
	build.Reset(&d.vec, t)
	d.n, d.made, d.in = n, false, Input{Body: parts.Values, N: n, Type: t}
	d.pass++
	if t.Store() == vector.InViews {
		size = encoding.SizeOf[bits.View]()
	}
	d.room = max(d.room, int64(n)*int64(size))
	if t.Store() == vector.InViews {
		return nil
	}
	_, err = d.Entries()
	if err == nil && p.DirtyHighBits {
		fixSign(&d.vec, 0, n)
	}
	d.bodies.Put(d.body)
	d.body, d.in.Body = nil, nil
	return err
}

// unpack returns the body of a page. That of strings is memory of d, into which views may
// point.
func (d *Dictionary) unpack(p *DictionaryPage) (body []byte, err error) {
	stored, strings := p.Unpacker.Stored(p.Header), p.Type.Store() == vector.InViews
	d.bodies = p.Bodies
	var memory []byte
	if !stored || strings && !p.Owned {
		memory = d.bodies.Get(int(p.Header.UncompressedSize) + encoding.Padding)
	}
	body, err = p.Unpacker.Unpack(memory, p.Header, p.Packed, math.MaxInt)
	switch {
	case err != nil:
		if !KeepsMemory(err) {
			d.bodies.Put(memory)
		}
		return nil, err
	case stored && !strings:
		return body, nil
	case stored && !p.Owned:
		body = CopyBody(memory, body)
	}
	d.body = body
	return body, nil
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
	return d.startAt0(d.now.ResetIndices(in.Body, uint32(in.Dict.n), in.N))
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
// number among the buffers of dst. Entries must have been called, unless dst gets codes.
type lookupViews struct {
	lookup[bits.View]
	moved  []bits.View // views of the dictionary from, with its buffer as number buffer
	buffer int32
	from   *Dictionary
	pass   int // of from
}

// Reset leaves the entries to lookIn: another goroutine may make them now.
func (d *lookupViews) Reset(in *Input) error {
	d.dict, d.entries = in.Dict, nil
	return d.startAt0(d.now.ResetIndices(in.Body, uint32(in.Dict.n), in.N))
}

// Lend notes that one more vector points into the dictionary's body.
func (d *lookupViews) Lend([]byte) { d.dict.lendBody() }

// Leave does nothing: the dictionary stays for other pages.
func (d *lookupViews) Leave() {}

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
	if d.from != d.dict || d.pass != d.dict.pass || d.buffer != buffer || len(d.moved) != len(d.entries) {
		d.moved = append(d.moved[:0], d.entries...)
		for i, v := range d.entries {
			if !v.IsInline() {
				_, offset := v.Ref()
				d.moved[i] = v.Moved(buffer, offset)
			}
		}
		d.from, d.pass, d.buffer = d.dict, d.dict.pass, buffer
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
