package thrift

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// reader reads one struct of the compact protocol. The first error stays in err,
// and moves the reader to the end of its bytes, where every loop ends: callers
// test err once, at the end.
//
// A struct is read like this. The key of a field is its id << 4 | its type:
//
//	for k := r.field(0); k != 0; k = r.field(k) {
//		switch k {
//		case 1<<4 | typeI32: …
//		default: r.skip(k) // an unknown id or an unexpected type
//		}
//	}
type reader struct {
	b   []byte
	at  int // next byte
	err error
}

func (r *reader) fail(at int, parts ...any) {
	r.stop(corrupt.At(at, parts...))
}

// failed is fail for a fault.
func (r *reader) failed(f fault, at int) { r.stop(f.at(at)) }

func (r *reader) stop(err error) {
	if r.err == nil {
		r.err = err
	}
	r.at = len(r.b)
}

// field reads the header of the next field and returns its key, or 0 at the
// struct's end and after an error. last is the key of the field before, 0 at the
// start of a struct.
func (r *reader) field(last int32) int32 {
	if uint(r.at) < uint(len(r.b)) {
		h := int32(r.b[r.at])
		if k := last&^0x0f + h; h > 0x0f && uint32(h&0x0f-1) < typeUUID && k>>4 <= math.MaxInt16 {
			r.at++
			return k
		}
		if h == 0 {
			r.at++
			return 0
		}
	}
	return r.fieldSlow()
}

// fieldSlow reads a header with a full id instead of a delta, or a bad header.
func (r *reader) fieldSlow() int32 {
	if r.at >= len(r.b) {
		r.failed(faultShort, r.at)
		return 0
	}
	h := int32(r.b[r.at])
	typ := h & 0x0f
	switch {
	case typ == 0 || typ > typeUUID:
		r.failed(faultType, r.at)
		return 0
	case h > 0x0f:
		r.fail(r.at, "field id above ", math.MaxInt16)
		return 0
	}
	r.at++
	id := r.i16()
	if r.err != nil {
		return 0
	}
	return int32(id)<<4 | typ
}

// skip steps over the value of the field with key k.
func (r *reader) skip(k int32) {
	if typ := byte(k & 0x0f); typ != typeTrue && typ != typeFalse && r.err == nil {
		next, f := skipValue(r.b, r.at, typ, 0, nil)
		if r.at = next; f != noFault {
			r.failed(f, next)
		}
	}
}

func (r *reader) uvarint() uint64 {
	i := r.at
	if uint(i) < uint(len(r.b)) && r.b[i] < 0x80 { // most are short
		r.at = i + 1
		return uint64(r.b[i])
	}
	if i+9 <= len(r.b) {
		if v, next := shortVarint(r.b, i); next > i {
			r.at = next
			return v
		}
	}
	return r.uvarintSlow()
}

// uvarintSlow reads a varint near the end of the bytes, or a bad one.
func (r *reader) uvarintSlow() uint64 {
	v, next, f := uvarint(r.b, r.at)
	if r.at = next; f != noFault {
		r.failed(f, next)
	}
	return v
}

// shortVarint reads a varint of up to 9 bytes at i and returns the offset after it,
// or i if it has more. It branches on every byte: the predicted length lets the
// processor start on the next varint early, which searching a word for the end does not.
func shortVarint(b []byte, i int) (v uint64, next int) {
	for shift := uint(0); shift < 63; shift += 7 {
		c := b[i]
		v |= uint64(c&0x7f) << shift
		i++
		if c < 0x80 {
			return v, i
		}
	}
	return 0, i - 9
}

func (r *reader) i64() int64 { return zigzag(r.uvarint()) }

func (r *reader) i32() int32 {
	start := r.at
	v := r.uvarint()
	if v > math.MaxUint32 {
		r.wide(start, 32)
		return 0
	}
	return int32(zigzag(v))
}

// wide fails with an integer of more than bits bits.
func (r *reader) wide(at, bits int) { r.fail(at, "integer of more than ", bits, " bits") }

func (r *reader) i16() int16 {
	start := r.at
	v := r.uvarint()
	if v > math.MaxUint16 {
		r.wide(start, 16)
		return 0
	}
	return int16(zigzag(v))
}

func (r *reader) i8() int8 {
	b := r.bytes(1)
	if len(b) == 0 {
		return 0
	}
	return int8(b[0])
}

// count reads an i32 that must not be negative.
func (r *reader) count(name string) int32 {
	start := r.at
	v := r.i32()
	if v < 0 {
		r.fail(start, name, " is ", v)
		return 0
	}
	return v
}

func (r *reader) double() float64 {
	b := r.bytes(8)
	if len(b) == 0 {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// bytes returns a view of the next n bytes, nil after an error.
func (r *reader) bytes(n int) []byte {
	i := r.at
	if n > len(r.b)-i {
		r.failed(faultShort, len(r.b))
		return nil
	}
	r.at = i + n
	return r.b[i : i+n : i+n]
}

// binary reads a binary and returns a view of it, nil only after an error.
func (r *reader) binary() []byte {
	if i := r.at; uint(i) < uint(len(r.b)) && r.b[i] < 0x80 {
		n := int(r.b[i])
		r.at++
		return r.bytes(n)
	}
	n, next, f := size(r.b, r.at)
	if r.at = next; f != noFault {
		r.failed(f, next)
		return nil
	}
	return r.bytes(n)
}

func (r *reader) text() string { return text(r.binary()) }

// list reads the header of a list of typ and returns the number of elements. It
// checks that the bytes left are enough for elements of least bytes each.
func (r *reader) list(typ byte, least int) int {
	start := r.at
	got, n, next, f := listHeader(r.b, r.at)
	if r.at = next; f != noFault {
		r.failed(f, next)
		return 0
	}
	if got == typeFalse {
		got = typeTrue
	}
	switch {
	case n > 0 && got != typ:
		r.fail(start, "list of type ", got, ", want ", typ)
		return 0
	case n > (len(r.b)-next)/least:
		r.failed(faultShort, start)
		return 0
	}
	return n
}

// require fails if an id of the set must is not in the set seen. names has a word
// for each id from 1 on.
func (r *reader) require(seen, must uint32, structure, names string) {
	if missing := must &^ seen; missing != 0 && r.err == nil {
		r.fail(r.at, structure, " without ", strings.Fields(names)[bits.TrailingZeros32(missing)-1])
	}
}
