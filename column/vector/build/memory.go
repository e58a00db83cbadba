package build

import (
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Memory returns the memory of the slots [from, to) of a leaf that is not Constant, and how many bytes each takes: of
// codes, or of values, which must not be booleans, for these are bits. Len need not include the slots yet.
func Memory(v *vector.Vector, from, to int) (b []byte, width int) {
	if v.Form == vector.Dictionary {
		return slots(v.Codes, from, to)
	}
	switch v.Type.Store() {
	case vector.InInt32s:
		return slots(v.Int32s, from, to)
	case vector.InInt64s:
		return slots(v.Int64s, from, to)
	case vector.InFloats:
		return slots(v.Floats, from, to)
	case vector.InDoubles:
		return slots(v.Doubles, from, to)
	case vector.InViews:
		return slots(v.Views, from, to)
	}
	width = v.Type.Width()
	return v.Fixed[from*width : to*width], width
}

func slots[T uint32 | int32 | int64 | float32 | float64 | bits.View](values []T, from, to int) (b []byte, width int) {
	return encoding.Memory(values[from:to]), encoding.SizeOf[T]()
}

// New returns an empty flat vector for f, with the children of f.
func New(f *vector.Field) *vector.Vector {
	v := &vector.Vector{Type: f.Type, Layout: f.Layout}
	if f.Layout == vector.List || f.Layout == vector.Map {
		v.Offsets = []int32{0}
	}
	for i := range f.Children {
		v.Children = append(v.Children, New(&f.Children[i]))
	}
	return v
}

// Null returns a Constant of n slots of f that are all NULL.
func Null(f *vector.Field, n int) *vector.Vector {
	v := New(f)
	if n > 0 {
		AppendNulls(v, 1)
	}
	v.Form, v.Len = vector.Constant, n
	return v
}

// ShownBytes returns the bytes of vectors' slots, offsets and validity, and of the strings
// that do not fit in their views. Spare capacity, dictionaries and unused parts of
// buffers do not count.
func ShownBytes(vectors ...*vector.Vector) (n int64) {
	for _, v := range vectors {
		slots := int64(v.Len)
		if v.Form == vector.Constant {
			slots = 1
		}
		if len(v.Validity) > 0 {
			n += (slots + 7) / 8
		}
		switch {
		case v.Form == vector.Dictionary:
			n += 4 * slots
		case v.Layout == vector.List || v.Layout == vector.Map:
			n += 4 * (slots + 1)
		case v.Layout == vector.Struct:
		case v.Type.Store() == vector.InViews:
			n += 16 * slots
			for i := range v.Views[:slots] {
				if view := &v.Views[i]; !view.IsInline() {
					n += int64(view.Len())
				}
			}
		case v.Type.Store() == vector.InBools:
			n += (slots + 7) / 8
		default:
			n += slots * int64(v.Type.Width())
		}
		n += ShownBytes(v.Children...)
	}
	return n
}

// Plain returns slot i, not NULL, of a flat leaf in PLAIN encoding, without length prefix. It may be in dst's memory, which is
// empty, or v's.
func Plain(dst []byte, v *vector.Vector, i int) []byte {
	switch v.Type.Store() {
	case vector.InBools:
		if bits.Get(v.Bools, i) {
			return append(dst, 1)
		}
		return append(dst, 0)
	case vector.InInt32s:
		return binary.LittleEndian.AppendUint32(dst, uint32(v.Int32s[i]))
	case vector.InInt64s:
		return binary.LittleEndian.AppendUint64(dst, uint64(v.Int64s[i]))
	case vector.InFloats:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(v.Floats[i]))
	case vector.InDoubles:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Doubles[i]))
	}
	return v.Bytes(i)
}
