package vector

import (
	"slices"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Flatten makes v, and all vectors below it, flat: each slot has its own value.
func (v *Vector) Flatten() {
	switch {
	case v.Form == Dictionary:
		v.flattenDictionary()
	case v.Form == Constant:
		slots := min(v.Len, 1) // that v has memory for
		v.Form = Flat
		for _, c := range v.Children {
			c.Flatten()
		}
		v.repeat(slots, v.Len)
		return
	}
	for _, c := range v.Children {
		c.Flatten()
	}
}

// flattenDictionary replaces codes by the values of the dictionary.
func (v *Vector) flattenDictionary() {
	codes, dict := v.Codes[:v.Len], v.Dict
	v.Form, v.Dict, v.Codes = Flat, nil, v.Codes[:0]
	switch v.Type.Store() {
	case InBools:
		v.Bools = sized(v.Bools, bits.Words(v.Len))
		clear(v.Bools)
		for i, c := range codes {
			if !v.IsNull(i) && bits.Get(dict.Bools, int(c)) {
				bits.Set(v.Bools, i)
			}
		}
	case InInt32s:
		v.Int32s = lookUp(v.Int32s, dict.Int32s, codes, v.Validity)
	case InInt64s:
		v.Int64s = lookUp(v.Int64s, dict.Int64s, codes, v.Validity)
	case InFloats:
		v.Floats = lookUp(v.Floats, dict.Floats, codes, v.Validity)
	case InDoubles:
		v.Doubles = lookUp(v.Doubles, dict.Doubles, codes, v.Validity)
	case InFixed:
		v.lookUpFixed(dict, codes)
	case InViews:
		v.Views = lookUp(v.Views, dict.Views, codes, v.Validity)
		v.Buffers = append(v.Buffers[:0], dict.Buffers...)
	}
}

// lookUp returns dst with the entries of dict at codes, zero where validity has a NULL.
func lookUp[T any](dst, dict []T, codes []uint32, validity []uint64) []T {
	dst = sized(dst, len(codes))
	if len(dict) == 0 { // all are NULL
		clear(dst)
		return dst
	}
	pack.LookUp(dst, dict, codes)
	zeroNulls(dst, 1, validity)
	return dst
}

func (v *Vector) lookUpFixed(dict *Vector, codes []uint32) {
	w := v.Type.Width()
	if v.Fixed = sized(v.Fixed, len(codes)*w); dict.Len == 0 { // all are NULL
		clear(v.Fixed)
		return
	}
	pack.LookUpFixed(v.Fixed, dict.Fixed, w, codes)
	zeroNulls(v.Fixed, w, v.Validity)
}

// zeroNulls zeroes the values of NULL slots, of w elements each. They had code 0, so they hold the dictionary's first value.
func zeroNulls[T any](values []T, w int, validity []uint64) {
	if len(validity) == 0 || w == 0 {
		return
	}
	n := len(values) / w
	for i := bits.NextClear(validity, 0, n); i < n; {
		end := bits.Next(validity, i, n)
		clear(values[i*w : end*w])
		i = bits.NextClear(validity, end, n)
	}
}

// repeat makes the first k slots of v, which is flat, stand n/k times one behind the other. n is a multiple of k.
func (v *Vector) repeat(k, n int) {
	v.Len = n
	if k == n {
		return
	}
	if len(v.Validity) > 0 {
		v.Validity = repeatBits(v.Validity, k, n)
	}
	switch v.Layout {
	case Struct:
		for _, c := range v.Children {
			c.repeat(k, n)
		}
		return
	case List, Map:
		items := int(v.Offsets[k])
		v.Offsets = slices.Grow(v.Offsets[:k+1], n-k)[:n+1]
		for i := k + 1; i <= n; i++ {
			v.Offsets[i] = v.Offsets[i-k] + int32(items)
		}
		for _, c := range v.Children {
			c.repeat(items, n/k*items)
		}
		return
	}
	switch v.Type.Store() {
	case InBools:
		v.Bools = repeatBits(v.Bools, k, n)
	case InInt32s:
		v.Int32s = repeated(v.Int32s, k, n)
	case InInt64s:
		v.Int64s = repeated(v.Int64s, k, n)
	case InFloats:
		v.Floats = repeated(v.Floats, k, n)
	case InDoubles:
		v.Doubles = repeated(v.Doubles, k, n)
	case InFixed:
		v.Fixed = repeated(v.Fixed, k*v.Type.Width(), n*v.Type.Width())
	case InViews:
		v.Views = repeated(v.Views, k, n)
	}
}

// repeated returns s with n elements: the first k, again and again.
func repeated[T any](s []T, k, n int) []T {
	if k == 0 {
		return s
	}
	if n > cap(s) {
		s = slices.Grow(s, n-len(s))
	}
	s = s[:n]
	for done := k; done < n; done *= 2 {
		copy(s[done:], s[:done])
	}
	return s
}

// repeatBits is repeated for bits.
func repeatBits(b []uint64, k, n int) []uint64 {
	if words := bits.Words(n); words > len(b) {
		b = append(b, make([]uint64, words-len(b))...)
	}
	if k == 1 {
		if bits.Get(b, 0) {
			bits.SetRange(b, 1, n)
		} else {
			bits.ClearRange(b, 1, n)
		}
		return b
	}
	for at := k; k > 0 && at < n; at += k {
		bits.Copy(b, at, b, 0, k)
	}
	return b
}

// sized returns s with n elements, whose values are undefined.
func sized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
