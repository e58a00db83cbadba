package vector

import "github.com/winnow-scan/winnow/encoding/bits"

// Flatten makes v, and all vectors below it, flat: each slot has its own value.
func (v *Vector) Flatten() {
	switch {
	case v.Form == Dictionary:
		v.flattenDictionary()
	case v.Form == Constant:
		v.flattenConstant()
	}
	for _, c := range v.Children {
		c.Flatten()
	}
}

// flattenDictionary replaces codes by the values of the dictionary.
func (v *Vector) flattenDictionary() {
	codes, dict := v.Codes[:v.Len], v.Dict
	n := v.Len
	v.Form, v.Dict, v.Codes = Flat, nil, v.Codes[:0]
	validity := v.Validity
	v.Len, v.Validity = 0, nil // Extend shall not change the bitmap
	v.Extend(n)
	if v.Validity = validity; dict.Len == 0 {
		v.zero(0, n) // all are NULL
		return
	}
	switch v.Type.Store() {
	case InBools:
		for i, c := range codes {
			var w uint64
			if bits.Get(dict.Bools, int(c)) {
				w = 1
			}
			bits.Insert(v.Bools, i, w, 1)
		}
	case InInt32s:
		gather(v.Int32s, dict.Int32s, codes)
	case InInt64s:
		gather(v.Int64s, dict.Int64s, codes)
	case InFloats:
		gather(v.Floats, dict.Floats, codes)
	case InDoubles:
		gather(v.Doubles, dict.Doubles, codes)
	case InFixed:
		LookUpFixed(v.Fixed, dict.Fixed, v.Type.Width(), codes)
	case InViews:
		gather(v.Views, dict.Views, codes)
		v.Buffers = append(v.Buffers[:0], dict.Buffers...)
	}
	v.zeroNulls(0)
}

// zeroNulls zeroes the values of NULL slots from first on. They had code 0, so
// they hold the dictionary's first value.
func (v *Vector) zeroNulls(first int) {
	if v.Validity == nil {
		return
	}
	for i := bits.NextClear(v.Validity, first, v.Len); i < v.Len; {
		end := bits.Next(v.Validity, i, v.Len)
		v.zero(i, end)
		i = bits.NextClear(v.Validity, end, v.Len)
	}
}

// gather sets dst to the entries of dict at codes.
func gather[T any](dst, dict []T, codes []uint32) {
	dst = dst[:len(codes)]
	for i, c := range codes {
		dst[i] = dict[c]
	}
}

// flattenConstant gives each slot of a constant a copy of its value.
func (v *Vector) flattenConstant() {
	n := v.Len
	v.Form = Flat
	if v.Len = min(n, 1); n <= 1 {
		return
	}
	if v.Layout != Leaf {
		// Nested constants are rare: append one slot after the other.
		one := *v
		one.Validity = append([]uint64(nil), v.Validity...)
		one.Children = nil
		for _, c := range v.Children {
			c.Flatten()
			copied := *c
			one.Children = append(one.Children, &copied)
		}
		if v.Layout != Struct {
			one.Offsets = append([]int32(nil), v.Offsets...)
		}
		for range n - 1 {
			v.AppendSlots(&one, 0, 1)
		}
		return
	}
	null := v.IsNull(0)
	v.Extend(n - 1)
	if null {
		bits.ClearRange(v.Validity, 1, n)
		v.zero(1, n)
		return
	}
	switch v.Type.Store() {
	case InBools:
		if bits.Get(v.Bools, 0) {
			bits.SetRange(v.Bools, 1, n)
		} else {
			bits.ClearRange(v.Bools, 1, n)
		}
	case InInt32s:
		fill(v.Int32s[:n])
	case InInt64s:
		fill(v.Int64s[:n])
	case InFloats:
		fill(v.Floats[:n])
	case InDoubles:
		fill(v.Doubles[:n])
	case InFixed:
		for w, done := v.Type.Width(), 1; done < n; done *= 2 {
			copy(v.Fixed[done*w:n*w], v.Fixed[:done*w])
		}
	case InViews:
		fill(v.Views[:n])
	}
}

// fill makes all elements equal to the first.
func fill[T any](s []T) {
	for i := range s {
		s[i] = s[0]
	}
}
