package build

import (
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Reset makes v an empty flat leaf of type t. It keeps v's memory for reuse, but
// drops buffers, dictionary and children.
func Reset(v *vector.Vector, t vector.Type) {
	clear(v.Buffers)
	*v = vector.Vector{
		Type:     t,
		Validity: v.Validity[:0],
		Bools:    v.Bools[:0], Int32s: v.Int32s[:0], Int64s: v.Int64s[:0],
		Floats: v.Floats[:0], Doubles: v.Doubles[:0],
		Fixed: v.Fixed[:0], Views: v.Views[:0], Buffers: v.Buffers[:0],
		Codes: v.Codes[:0],
	}
}

// UseDictionary makes v, an empty leaf, a vector of codes of dict. v refers to
// dict, which must not change while v is used.
func UseDictionary(v *vector.Vector, dict *vector.Vector) {
	v.Form, v.Dict = vector.Dictionary, dict
}

// Extend adds n slots to a vector that is not Constant and returns the first of
// them. They are not NULL. The values or codes of a leaf are undefined until the caller
// sets them; lists are empty, and the children of a struct lack the slots. A caller that has fewer values than slots packs them at the front,
// calls NeedValidity, clears the bits of NULLs, and calls Spread.
func Extend(v *vector.Vector, n int) (first int) {
	first = v.Len
	v.Len += n
	if len(v.Validity) > 0 {
		v.Validity = resized(v.Validity, bits.Words(max(v.Len, 1)))
		bits.SetRange(v.Validity, first, v.Len)
	}
	if v.Form == vector.Dictionary {
		v.Codes = resized(v.Codes, v.Len)
		return first
	}
	switch v.Type.Store() {
	case vector.InBools:
		v.Bools = resized(v.Bools, bits.Words(v.Len))
	case vector.InInt32s:
		v.Int32s = resized(v.Int32s, v.Len)
	case vector.InInt64s:
		v.Int64s = resized(v.Int64s, v.Len)
	case vector.InFloats:
		v.Floats = resized(v.Floats, v.Len)
	case vector.InDoubles:
		v.Doubles = resized(v.Doubles, v.Len)
	case vector.InFixed:
		v.Fixed = resized(v.Fixed, v.Len*v.Type.Width())
	case vector.InViews:
		v.Views = resized(v.Views, v.Len)
	}
	if v.Layout == vector.List || v.Layout == vector.Map {
		last := v.Offsets[first]
		v.Offsets = resized(v.Offsets, v.Len+1)
		for i := first + 1; i <= v.Len; i++ {
			v.Offsets[i] = last
		}
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

// NeedValidity gives v a Validity with all bits set, if it is empty. It has a word even for a vector without slots.
func NeedValidity(v *vector.Vector) {
	if len(v.Validity) > 0 {
		return
	}
	n := v.Len
	if v.Form == vector.Constant {
		n = min(n, 1)
	}
	v.Validity = resized(v.Validity, bits.Words(max(n, 1)))
	bits.SetRange(v.Validity, 0, n)
}

// DropValidity empties Validity, but keeps its memory. No slot may be NULL.
func DropValidity(v *vector.Vector) { v.Validity = v.Validity[:0] }

// AppendNulls adds n slots that are NULL, to vectors of any layout that are not Constant.
func AppendNulls(v *vector.Vector, n int) {
	if n == 0 {
		return
	}
	NeedValidity(v)
	first := Extend(v, n)
	if v.Layout == vector.Struct {
		for _, c := range v.Children {
			AppendNulls(c, n)
		}
	}
	zero(v, first, v.Len)
	bits.ClearRange(v.Validity, first, v.Len)
}

// zero zeroes the values or codes of the slots [from, to) of a leaf.
func zero(v *vector.Vector, from, to int) {
	switch {
	case v.Layout != vector.Leaf:
	case v.Form != vector.Dictionary && v.Type.Store() == vector.InBools:
		bits.ClearRange(v.Bools, from, to)
	default:
		b, _ := Memory(v, from, to)
		clear(b)
	}
}

// AddBuffer adds a buffer that views may refer to, and returns its number. v keeps
// b, which must not change while v is used.
func AddBuffer(v *vector.Vector, b []byte) int32 {
	v.Buffers = append(v.Buffers, b)
	return int32(len(v.Buffers) - 1)
}

// ResetNested makes v a flat nested vector of n slots, none of which is NULL.
// It sets the number of offsets; the caller sets their values, and the children.
// Memory is kept for reuse.
func ResetNested(v *vector.Vector, t vector.Type, layout vector.Layout, n int) {
	v.Type, v.Layout, v.Form, v.Len = t, layout, vector.Flat, n
	DropValidity(v)
	if layout == vector.List || layout == vector.Map {
		v.Offsets = resized(v.Offsets, n+1)
	}
}
