package vector

import "github.com/winnow-scan/winnow/encoding/bits"

// AppendSlots adds the slots [from, to) of src, which has the type and layout of
// v and does not share its memory. v must not be Constant; it stays a dictionary
// if src has the same one. Strings are not copied: v refers to src's buffers.
func (v *Vector) AppendSlots(src *Vector, from, to int) {
	n := to - from
	if n <= 0 {
		return
	}
	if src.Validity != nil {
		v.NeedValidity()
	}
	if src.Form == Constant {
		v.appendConstant(src, n)
		return
	}
	first := v.Len
	if v.Layout == Leaf {
		v.appendLeaf(src, from, to)
	} else {
		v.extendNested(n)
	}
	if src.Validity != nil {
		bits.Copy(v.Validity, first, src.Validity, from, n)
		if src.Form == Dictionary && v.Form == Flat {
			v.zeroNulls(first)
		}
	}
	switch v.Layout {
	case Struct:
		for i, c := range v.Children {
			c.AppendSlots(src.Children[i], from, to)
		}
	case List, Map:
		base := v.Offsets[first] - src.Offsets[from]
		for i, o := range src.Offsets[from+1 : to+1] {
			v.Offsets[first+1+i] = o + base
		}
		for i, c := range v.Children {
			c.AppendSlots(src.Children[i], int(src.Offsets[from]), int(src.Offsets[to]))
		}
	}
}

// appendConstant adds the one slot of src n times.
func (v *Vector) appendConstant(src *Vector, n int) {
	if src.IsNull(0) {
		v.AppendNulls(n)
		return
	}
	one := *src
	one.Form, one.Len = Flat, 1
	for range n {
		v.AppendSlots(&one, 0, 1)
	}
}

// appendLeaf adds slots of a leaf, but leaves their validity to the caller.
func (v *Vector) appendLeaf(src *Vector, from, to int) {
	if v.Form == Dictionary && (src.Form != Dictionary || src.Dict != v.Dict) {
		v.Flatten()
	}
	first := v.Extend(to - from)
	if v.Form == Dictionary {
		copy(v.Codes[first:], src.Codes[from:to])
		return
	}
	values := src
	var codes []uint32
	if src.Form == Dictionary {
		if values = src.Dict; values.Len == 0 {
			v.zero(first, v.Len) // all are NULL
			return
		}
		codes = src.Codes[from:to]
		from, to = 0, 0
	}
	switch v.Type.Store() {
	case InBools:
		bits.Copy(v.Bools, first, values.Bools, from, to-from)
		for i, c := range codes {
			bits.Copy(v.Bools, first+i, values.Bools, int(c), 1)
		}
	case InInt32s:
		copyOrGather(v.Int32s[first:], values.Int32s, from, to, codes)
	case InInt64s:
		copyOrGather(v.Int64s[first:], values.Int64s, from, to, codes)
	case InFloats:
		copyOrGather(v.Floats[first:], values.Floats, from, to, codes)
	case InDoubles:
		copyOrGather(v.Doubles[first:], values.Doubles, from, to, codes)
	case InFixed:
		w := v.Type.Width()
		out := v.Fixed[first*w:]
		copy(out, values.Fixed[from*w:to*w])
		for i, c := range codes {
			copy(out[i*w:(i+1)*w], values.Fixed[int(c)*w:])
		}
	case InViews:
		out := v.Views[first:v.Len]
		copyOrGather(out, values.Views, from, to, codes)
		if base := v.addBuffers(values.Buffers); base > 0 {
			for i, s := range out {
				if !s.IsInline() {
					buffer, offset := s.Ref()
					out[i] = s.Moved(buffer+base, offset)
				}
			}
		}
	}
}

// copyOrGather copies src[from:to], or the elements at codes if these are not nil.
func copyOrGather[T any](dst, src []T, from, to int, codes []uint32) {
	if codes != nil {
		gather(dst, src, codes)
		return
	}
	copy(dst, src[from:to])
}

// addBuffers adds buffers to v's, unless they are already the last of them, and
// returns the number of the first.
func (v *Vector) addBuffers(buffers [][]byte) int32 {
	base := len(v.Buffers) - len(buffers)
	if base >= 0 && sameBuffers(v.Buffers[base:], buffers) {
		return int32(base)
	}
	base = len(v.Buffers)
	v.Buffers = append(v.Buffers, buffers...)
	return int32(base)
}

// sameBuffers reports whether the buffers of a, as many as b's, are the same memory as b's.
func sameBuffers(a, b [][]byte) bool {
	for i := range a {
		if len(a[i]) != len(b[i]) || len(a[i]) > 0 && &a[i][0] != &b[i][0] {
			return false
		}
	}
	return true
}
