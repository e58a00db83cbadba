package vector

import (
	"slices"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Reset makes v an empty flat leaf of type t. It keeps v's memory for reuse, but
// drops buffers, dictionary and children.
func (v *Vector) Reset(t Type) {
	clear(v.Buffers)
	*v = Vector{
		Type:     t,
		Validity: nil,
		Bools:    v.Bools[:0], Int32s: v.Int32s[:0], Int64s: v.Int64s[:0],
		Floats: v.Floats[:0], Doubles: v.Doubles[:0],
		Fixed: v.Fixed[:0], Views: v.Views[:0], Buffers: v.Buffers[:0],
		Codes: v.Codes[:0],
		spare: v.takeSpare(),
	}
}

// UseDictionary makes v, an empty leaf, a vector of codes of dict. v refers to
// dict, which must not change while v is used.
func (v *Vector) UseDictionary(dict *Vector) {
	v.Form, v.Dict = Dictionary, dict
}

// Extend adds n slots to a leaf that is not Constant and returns the first of
// them. They are not NULL; their values or codes are undefined until the caller
// sets them. A caller that has fewer values than slots packs them at the front,
// calls NeedValidity, clears the bits of NULLs, and calls Spread.
func (v *Vector) Extend(n int) (first int) {
	first = v.Len
	v.Len += n
	if v.Validity != nil {
		v.Validity = resized(v.Validity, bits.Words(v.Len))
		bits.SetRange(v.Validity, first, v.Len)
	}
	if v.Form == Dictionary {
		v.Codes = resized(v.Codes, v.Len)
		return first
	}
	switch v.Type.Store() {
	case InBools:
		v.Bools = resized(v.Bools, bits.Words(v.Len))
	case InInt32s:
		v.Int32s = resized(v.Int32s, v.Len)
	case InInt64s:
		v.Int64s = resized(v.Int64s, v.Len)
	case InFloats:
		v.Floats = resized(v.Floats, v.Len)
	case InDoubles:
		v.Doubles = resized(v.Doubles, v.Len)
	case InFixed:
		v.Fixed = resized(v.Fixed, v.Len*v.Type.Width())
	case InViews:
		v.Views = resized(v.Views, v.Len)
	}
	return first
}

// resized returns s with n elements; the new ones are undefined.
func resized[T any](s []T, n int) []T {
	if n > cap(s) {
		s = slices.Grow(s, n-len(s))
	}
	return s[:n]
}

// NeedValidity gives v a Validity with all bits set, if it is nil.
func (v *Vector) NeedValidity() {
	if v.Validity != nil {
		return
	}
	n := v.storedSlots()
	v.Validity = resized(v.takeSpare(), bits.Words(max(n, 1)))
	bits.SetRange(v.Validity, 0, n)
}

// takeSpare returns the memory of v's bitmap, used or spare, for reuse.
func (v *Vector) takeSpare() []uint64 {
	s := v.spare
	if v.Validity != nil {
		s = v.Validity
	}
	v.spare = nil
	return s[:0]
}

// DropValidity makes Validity nil. No slot may be NULL.
func (v *Vector) DropValidity() {
	v.spare = v.takeSpare()
	v.Validity = nil
}

// AppendNulls adds n slots that are NULL, to vectors of any layout that are not Constant.
func (v *Vector) AppendNulls(n int) {
	if n == 0 {
		return
	}
	v.NeedValidity()
	first := v.Len
	switch v.Layout {
	case Leaf:
		v.Extend(n)
		v.zero(first, v.Len)
	default:
		v.extendNested(n)
		if v.Layout == Struct {
			for _, c := range v.Children {
				c.AppendNulls(n)
			}
		}
	}
	bits.ClearRange(v.Validity, first, v.Len)
}

// extendNested adds n slots to a nested vector, but none to its children: empty lists.
func (v *Vector) extendNested(n int) {
	first := v.Len
	v.Len += n
	if v.Validity != nil {
		v.Validity = resized(v.Validity, bits.Words(v.Len))
		bits.SetRange(v.Validity, first, v.Len)
	}
	if v.Layout != Struct {
		last := v.Offsets[first]
		v.Offsets = resized(v.Offsets, v.Len+1)
		for i := first + 1; i <= v.Len; i++ {
			v.Offsets[i] = last
		}
	}
}

// zero zeroes the values or codes of the slots [from, to) of a leaf.
func (v *Vector) zero(from, to int) {
	if v.Form == Dictionary {
		clear(v.Codes[from:to])
		return
	}
	switch v.Type.Store() {
	case InBools:
		bits.ClearRange(v.Bools, from, to)
	case InInt32s:
		clear(v.Int32s[from:to])
	case InInt64s:
		clear(v.Int64s[from:to])
	case InFloats:
		clear(v.Floats[from:to])
	case InDoubles:
		clear(v.Doubles[from:to])
	case InFixed:
		w := v.Type.Width()
		clear(v.Fixed[from*w : to*w])
	case InViews:
		clear(v.Views[from:to])
	}
}

// AddBuffer adds a buffer that views may refer to, and returns its number. v keeps
// b, which must not change while v is used.
func (v *Vector) AddBuffer(b []byte) int32 {
	v.Buffers = append(v.Buffers, b)
	return int32(len(v.Buffers) - 1)
}

// ResetNested makes v a flat nested vector of n slots, none of which is NULL.
// It sets the number of offsets; the caller sets their values, and the children.
// Memory is kept for reuse.
func (v *Vector) ResetNested(t Type, layout Layout, n int) {
	v.Type, v.Layout, v.Form, v.Len = t, layout, Flat, n
	v.DropValidity()
	if layout == List || layout == Map {
		v.Offsets = resized(v.Offsets, n+1)
	}
}
