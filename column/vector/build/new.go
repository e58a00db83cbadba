package build

import "github.com/winnow-scan/winnow/column/vector"

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
