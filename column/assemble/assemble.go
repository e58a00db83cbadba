package assemble

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
)

// Leaf is the data of one source for some rows.
type Leaf struct {
	// The levels of the entries, none above the maximum; empty where the
	// maximum is 0. Assemble does not keep them.
	Rep, Def []uint8

	// The values of the entries whose Def is the maximum, packed, in a vector
	// without Validity that is flat or has a dictionary. Nil for a Source with
	// Levels. It becomes a part of the assembled vector.
	Values *vector.Vector
}

// entries returns the number of entries.
func (l *Leaf) entries() int {
	switch {
	case len(l.Def) > 0:
		return len(l.Def)
	case l.Values != nil:
		return l.Values.Len
	}
	return 0
}

// Assemble returns the column's vector for some rows, given the data of the
// plan's sources, in their order. It reuses the memory of old, a vector that
// the plan has assembled before and that nothing uses any more, or nil. Levels
// that contradict each other or the values are a *corrupt.Error.
// Safe for concurrent use with different old and leaves.
func (p *Plan) Assemble(old *vector.Vector, leaves []Leaf, rows int) (*vector.Vector, error) {
	if err := p.verify(leaves, rows); err != nil {
		return nil, err
	}
	return p.fill(&p.root, old, leaves, rows)
}

// fill makes the vector of a node that has n slots. verify has checked the
// levels of the leaves.
func (p *Plan) fill(node *node, v *vector.Vector, leaves []Leaf, n int) (*vector.Vector, error) {
	switch {
	case node.missing != nil:
		return node.missing.Vector(n), nil
	case node.layout == vector.Leaf:
		return p.fillLeaf(node, leaves, n)
	}
	if v == nil || len(v.Children) != len(node.children) {
		v = &vector.Vector{Children: make([]*vector.Vector, len(node.children))}
	}
	build.ResetNested(v, node.typ, node.layout, n)
	items := n
	if node.layout == vector.Struct {
		p.fillStruct(node, v, leaves)
	} else {
		items = p.fillList(node, v, leaves)
	}
	for i := range node.children {
		child, err := p.fill(&node.children[i], v.Children[i], leaves, items)
		if err != nil {
			return nil, err
		}
		v.Children[i] = child
	}
	return v, nil
}

// fillStruct makes the validity of a struct.
func (p *Plan) fillStruct(node *node, v *vector.Vector, leaves []Leaf) {
	if node.source < 0 || node.present <= node.slots.def {
		return
	}
	l := &leaves[node.source]
	rep := l.Rep
	if p.sources[node.source].Node.MaxRep <= int(node.slots.rep) {
		rep = nil // every entry's is low enough for a slot
	}
	build.NeedValidity(v)
	if makeValidity(v.Validity, rep, l.Def, node.slots, node.present) == v.Len {
		build.DropValidity(v)
	}
}

// fillList makes the offsets and the validity of a list, and returns the number of its items.
func (p *Plan) fillList(node *node, v *vector.Vector, leaves []Leaf) int {
	if node.source < 0 {
		clear(v.Offsets) // there is no leaf below whose levels could say how many items there are
		return 0
	}
	l := &leaves[node.source]
	nullable := node.present > node.slots.def
	var validity []uint64
	if nullable {
		build.NeedValidity(v)
		validity = v.Validity
	}
	deeper := p.sources[node.source].Node.MaxRep > int(node.items.rep)
	set := makeOffsets(v.Offsets, validity, l.Rep, l.Def, node.slots, node.items, deeper, node.present)
	if nullable && set == v.Len {
		build.DropValidity(v)
	}
	return int(v.Offsets[v.Len])
}

// fillLeaf spreads values over the slots of a leaf.
func (p *Plan) fillLeaf(node *node, leaves []Leaf, n int) (*vector.Vector, error) {
	l, leaf := &leaves[node.source], p.sources[node.source].Node
	v := l.Values
	values := n
	if leaf.MaxDef > 0 {
		values = count(l.Def, node.present)
	}
	if v.Len != values {
		return nil, faultOf(leaf, "has ", v.Len, " values where its levels promise ", values)
	}
	if values < n {
		build.Extend(v, n-values)
		build.NeedValidity(v)
		makeValidity(v.Validity, nil, l.Def, node.slots, node.present)
		build.Spread(v, 0)
	}
	return v, nil
}
