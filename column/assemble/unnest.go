package assemble

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
)

// Way is the path from the vector of a column to the items of a list in it, or to a part of
// these, through the lists and structs between the two. It does not change. Safe for
// concurrent use.
type Way struct {
	steps []int // indexes of the children on the path
	pairs bool  // the items are those of a map: key and value
	field vector.Field
}

// Way returns the way to n. If n is a list, a map or a bare repeated field, the
// way leads to its items, else to the vector of n itself. ok is false if n is not
// a part of the plan.
func (p *Plan) Way(n *schema.Node) (w Way, ok bool) {
	w, at, ok := p.to(n)
	if !ok {
		return w, false
	}
	switch {
	case at.layout == vector.List:
		w.steps = append(w.steps, 0)
		w.field = w.field.Children[0]
	case at.layout == vector.Map:
		w.pairs = true
		w.field = vector.Field{Name: "item", Type: vector.Type{Physical: vector.Group}, Layout: vector.Struct, Children: w.field.Children}
	}
	return w, true
}

// WayTo returns the way to the vector of n itself, also if n is a list or a map.
func (p *Plan) WayTo(n *schema.Node) (w Way, ok bool) {
	w, _, ok = p.to(n)
	return w, ok
}

// to returns the way to the vector of n, with its node.
func (p *Plan) to(n *schema.Node) (w Way, at *node, ok bool) {
	if w.steps, ok = p.root.find(n, nil); !ok {
		return w, nil, false
	}
	at, w.field = &p.root, p.field
	for _, s := range w.steps {
		above := w.field
		at, w.field = &at.children[s], above.Children[s]
		if above.Layout == vector.Struct && above.Nullable {
			w.field.Nullable = true // a field of a struct that is NULL
		}
	}
	return w, at, true
}

// find appends the steps from a node down to that of n.
func (node *node) find(n *schema.Node, steps []int) ([]int, bool) {
	if node.schema == n {
		return steps, true
	}
	for i := range node.children {
		if found, ok := node.children[i].find(n, append(steps, i)); ok {
			return found, true
		}
	}
	return nil, false
}

// Field returns the field of the items.
func (w *Way) Field() vector.Field { return w.field }

// Unnest returns all items that the way leads to, of all rows of v one after
// the other: those of row i are offsets[0][i] to offsets[0][i+1]. A row whose list
// is NULL or empty, or has only such lists in it, has none. offsets[1] are the same for
// the items of the first list on the way, offsets[2] for those of the second one. v is flat.
// items shares v's memory; offsets are new.
//
//	row          [[1, NULL], [2]]   NULL   [NULL]   [[]]   [[3]]
//	items        1 NULL 2                                  3
//	offsets[0]   0                  3      3        3      3        4
func (w *Way) Unnest(v *vector.Vector) (items *vector.Vector, offsets [][]int32) {
	offsets = [][]int32{oneEach(v.Len)}
	lists := 0
	open := func(v *vector.Vector) {
		if v.Layout != vector.List && v.Layout != vector.Map {
			return
		}
		if lists++; lists > 1 {
			offsets = append(offsets, oneEach(v.Len))
		}
		for _, of := range offsets {
			for i, o := range of {
				of[i] = v.Offsets[o]
			}
		}
	}
	for _, s := range w.steps {
		open(v)
		v = v.Children[s]
	}
	if w.pairs {
		open(v)
		v = &vector.Vector{Type: w.field.Type, Layout: vector.Struct, Len: v.Children[0].Len, Children: v.Children}
	}
	return v, offsets
}

// oneEach returns the offsets of n slots that have one item each.
func oneEach(n int) []int32 {
	offsets := make([]int32, n+1)
	for i := range offsets {
		offsets[i] = int32(i)
	}
	return offsets
}

// Repeat returns v, another column of the same rows, for the items of Unnest: it has each
// row's slot as often as the row has items. A leaf becomes codes of a dictionary
// that shares v's memory, so no value is copied.
func Repeat(v *vector.Vector, offsets []int32) *vector.Vector {
	n := int(offsets[len(offsets)-1])
	if v.Form == vector.Constant {
		constant := *v
		constant.Len = n
		return &constant
	}
	f := fieldOf(v)
	out := build.New(&f)
	if v.Layout == vector.Leaf {
		repeatLeaf(out, v, offsets, n)
		return out
	}
	for i := range v.Len {
		for range offsets[i+1] - offsets[i] {
			build.AppendSlots(out, v, i, i+1)
		}
	}
	return out
}

// repeatLeaf is Repeat for a leaf: out becomes n codes.
func repeatLeaf(out, v *vector.Vector, offsets []int32, n int) {
	codes := v.Codes
	if v.Form == vector.Dictionary {
		build.UseDictionary(out, v.Dict)
	} else {
		dict := *v
		dict.Validity = nil
		build.UseDictionary(out, &dict)
	}
	build.Extend(out, n)
	nulls := v.Nulls() > 0
	if nulls {
		build.NeedValidity(out)
	}
	for i := range v.Len {
		from, to := int(offsets[i]), int(offsets[i+1])
		code := uint32(i)
		if v.Form == vector.Dictionary {
			code = codes[i]
		}
		if nulls && v.IsNull(i) {
			code = 0
			for j := from; j < to; j++ {
				out.Validity[j/64] &^= 1 << (j % 64)
			}
		}
		for j := from; j < to; j++ {
			out.Codes[j] = code
		}
	}
}

// fieldOf returns the field of a vector, without names and Nullable.
func fieldOf(v *vector.Vector) vector.Field {
	f := vector.Field{Type: v.Type, Layout: v.Layout}
	for _, c := range v.Children {
		f.Children = append(f.Children, fieldOf(c))
	}
	return f
}
