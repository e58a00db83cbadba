package build

import (
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// AppendSlots adds the slots [from, to) of src, which has the type and layout of
// v and does not share its memory. v must not be Constant; it stays a dictionary
// if src has the same one. Strings are not copied: v refers to src's buffers.
func AppendSlots(v *vector.Vector, src *vector.Vector, from, to int) {
	n := to - from
	if n <= 0 {
		return
	}
	if len(src.Validity) > 0 {
		NeedValidity(v)
	}
	if src.Form == vector.Constant {
		appendConstant(v, src, n)
		return
	}
	first := v.Len
	if v.Layout == vector.Leaf {
		appendLeaf(v, src, from, to)
	} else {
		Extend(v, n)
	}
	if len(src.Validity) > 0 {
		bits.Copy(v.Validity, first, src.Validity, from, n)
		if src.Form == vector.Dictionary && v.Form == vector.Flat {
			zeroNulls(v, first)
		}
	}
	switch v.Layout {
	case vector.Struct:
		for i, c := range v.Children {
			AppendSlots(c, src.Children[i], from, to)
		}
	case vector.List, vector.Map:
		base := v.Offsets[first] - src.Offsets[from]
		for i, o := range src.Offsets[from+1 : to+1] {
			v.Offsets[first+1+i] = o + base
		}
		for i, c := range v.Children {
			AppendSlots(c, src.Children[i], int(src.Offsets[from]), int(src.Offsets[to]))
		}
	}
}

// zeroNulls zeroes the values of NULL slots from first on. They had code 0, so
// they hold the dictionary's first value.
func zeroNulls(v *vector.Vector, first int) {
	for i := bits.NextClear(v.Validity, first, v.Len); i < v.Len; {
		end := bits.Next(v.Validity, i, v.Len)
		zero(v, i, end)
		i = bits.NextClear(v.Validity, end, v.Len)
	}
}

// appendConstant adds the one slot of src n times.
func appendConstant(v *vector.Vector, src *vector.Vector, n int) {
	if src.IsNull(0) {
		AppendNulls(v, n)
		return
	}
	one := *src
	one.Form, one.Len = vector.Flat, 1
	for range n {
		AppendSlots(v, &one, 0, 1)
	}
}

// appendLeaf adds slots of a leaf, but leaves their validity to the caller.
func appendLeaf(v *vector.Vector, src *vector.Vector, from, to int) {
	if v.Form == vector.Dictionary && (src.Form != vector.Dictionary || src.Dict != v.Dict) {
		v.Flatten()
	}
	first := Extend(v, to-from)
	if v.Form == vector.Dictionary {
		copy(v.Codes[first:], src.Codes[from:to])
		return
	}
	values := src
	var codes []uint32
	if src.Form == vector.Dictionary {
		if values = src.Dict; values.Len == 0 {
			zero(v, first, v.Len) // all are NULL
			return
		}
		codes = src.Codes[from:to]
		from, to = 0, 0
	}
	if v.Type.Store() == vector.InBools {
		bits.Copy(v.Bools, first, values.Bools, from, to-from)
		for i, c := range codes {
			bits.Copy(v.Bools, first+i, values.Bools, int(c), 1)
		}
		return
	}
	out, width := Memory(v, first, v.Len)
	if codes == nil {
		some, _ := Memory(values, from, to)
		copy(out, some)
	} else {
		entries, _ := Memory(values, 0, values.Len)
		pack.LookUpFixed(out, entries, width, codes)
	}
	if v.Type.Store() != vector.InViews {
		return
	}
	if base := addBuffers(v, values.Buffers); base > 0 {
		for i, s := range v.Views[first:v.Len] {
			if !s.IsInline() {
				buffer, offset := s.Ref()
				v.Views[first+i] = s.Moved(buffer+base, offset)
			}
		}
	}
}

// addBuffers adds buffers to v's, unless they are already the last of them, and
// returns the number of the first.
func addBuffers(v *vector.Vector, buffers [][]byte) int32 {
	base := len(v.Buffers) - len(buffers)
	same := func(a, b []byte) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }
	if base >= 0 && slices.EqualFunc(v.Buffers[base:], buffers, same) {
		return int32(base)
	}
	base = len(v.Buffers)
	v.Buffers = append(v.Buffers, buffers...)
	return int32(base)
}
