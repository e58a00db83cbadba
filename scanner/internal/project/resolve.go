package project

import (
	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
)

// Output maps a projected node of the file to a column of the batches.
type Output struct {
	Projected  assemble.Projected
	Conversion *Conversion // nil if the file has the wanted type

	// ItemPath leads to a part of the items of lists that are unnested, see Select. Nil: the
	// column is of rows.
	ItemPath []*schema.Node

	Within *compile.Path // not nil: a column of values within a VARIANT, in place of Projected
}

// Match chooses how wanted columns, and fields of wanted structs, are found in a file.
type Match uint8

const (
	ByName     Match = iota
	ByPosition       // the first wanted column is the file's first, and so on
	ByFieldID
)

// Want describes a column of a host's schema, or a part of one: a field of a struct,
// the item of a list, the key or value of a map.
type Want struct {
	Name     string // in batches; with ByName in the file as well
	FieldID  int32  // with ByFieldID
	Layout   vector.Layout
	Type     vector.Type   // of a Leaf
	Default  vector.Scalar // where the file has no such column or field
	Children []Want        // Struct: fields. List: the item. Map: key and, maybe, value
}

// Resolve finds the columns that a host wants among its constants or in a file of schema
// s. Constants have no position.
func Resolve(s *schema.Schema, want []Want, by Match, constants filter.Constants) ([]Output, error) {
	outs := make([]Output, len(want))
	columns := namesakes{of: s.Root(), schema: s}
	position := 0
	for i := range want {
		w, out, err := &want[i], &outs[i], error(nil)
		if v, ok := constantOf(constants, w.Name); ok {
			out.Projected, err = w.constant(v)
		} else {
			n := w.find(&columns, position, by)
			position++
			if n == nil && by == ByName && w.Default.IsNull() {
				if out.Within = w.within(s, constants); out.Within != nil {
					continue
				}
			}
			out.Projected, out.Conversion, err = w.resolve(n, by)
		}
		if err != nil {
			return nil, err
		}
	}
	return outs, nil
}

// find returns the node for w, which is the wanted field at position; nil if there is none.
func (w *Want) find(among *namesakes, position int, by Match) *schema.Node {
	switch by {
	case ByName:
		return among.next(w.Name)
	case ByPosition:
		if position < len(among.of.Children) {
			return among.of.Children[position]
		}
		return nil
	}
	for _, n := range among.of.Children {
		if n.HasFieldID && n.FieldID == w.FieldID {
			return n
		}
	}
	return nil
}

// within returns the path into a VARIANT that is w's name, as Select names the columns of paths; nil if it is none.
func (w *Want) within(s *schema.Schema, constants filter.Constants) *compile.Path {
	p, err := compile.BindPath(w.Name, s, constants)
	if err != nil || p == nil || p.Field.Layout != w.Layout || p.Field.Type != w.Type {
		return nil
	}
	return p
}

// resolve projects what of n w names, and returns the conversion to w's types. n is nil if
// the file lacks w.
func (w *Want) resolve(n *schema.Node, by Match) (assemble.Projected, *Conversion, error) {
	if n == nil || w.isNullIn(n) {
		projected, err := w.missing()
		return projected, nil, err
	}
	if !n.IsBare() {
		return w.resolveItem(n, by)
	}
	if w.Layout != vector.List {
		return assemble.Projected{}, nil, w.mismatch(n, vector.List)
	}
	if len(w.Children) != 1 {
		return assemble.Projected{}, nil, w.childless()
	}
	projected, conv, err := w.Children[0].resolveItem(n, by)
	if conv != nil {
		conv = &Conversion{children: []*Conversion{conv}}
	}
	projected.Name = w.Name
	return projected, conv, Within(w.Name, err)
}

// isNullIn reports whether w is nested, and n a leaf that has nothing but NULL: so writers store what was never set.
func (w *Want) isNullIn(n *schema.Node) bool {
	return w.Layout != vector.Leaf && n.Kind == schema.Leaf && n.Type.Logical == vector.Null && n.Repetition != schema.Repeated
}

// resolveItem is resolve for one occurrence of n.
func (w *Want) resolveItem(n *schema.Node, by Match) (assemble.Projected, *Conversion, error) {
	projected := assemble.Projected{Name: w.Name, Node: n}
	none := assemble.Projected{}
	if have := layouts[n.Kind]; have != w.Layout {
		return none, nil, w.mismatch(n, have)
	}
	if w.Layout == vector.Leaf {
		conv, ok := ConversionOf(n.Type, w.Type)
		if !ok {
			return none, nil, w.mismatch(n, vector.Leaf)
		}
		return projected, conv, nil
	}
	var nodes []*schema.Node // in the order of w's children
	switch n.Kind {
	case schema.Struct:
		fields := namesakes{of: n}
		for i := range w.Children {
			nodes = append(nodes, w.Children[i].find(&fields, i, by))
		}
	case schema.List:
		nodes = []*schema.Node{n.Item()}
	case schema.Map:
		nodes = []*schema.Node{n.Key(), n.Value()}
		if len(w.Children) == 1 {
			nodes = nodes[:1]
		}
	}
	if len(w.Children) != len(nodes) {
		return none, nil, w.childless()
	}
	conv := &Conversion{children: make([]*Conversion, len(nodes))}
	needed := false
	for i, c := range nodes {
		resolve := w.Children[i].resolve
		if n.Kind != schema.Struct && c != nil {
			resolve = w.Children[i].resolveItem // the repeated node in the middle is no list of its own
		}
		p, childConv, err := resolve(c, by)
		if err != nil {
			return none, nil, Within(w.Name, err)
		}
		projected.Children = append(projected.Children, p)
		conv.children[i] = childConv
		needed = needed || childConv != nil
	}
	if !needed {
		conv = nil
	}
	if w.Type.Logical == vector.Variant && n.Type.Logical == vector.Variant && projected.Leaves() < n.EndLeaf-n.FirstLeaf {
		return none, nil, &Mismatch{Path: []string{w.Name}, What: "the file has more fields of a VARIANT in columns of their own than are wanted"}
	}
	return projected, conv, nil
}

// missing projects a column that the file lacks: its default, or NULL.
func (w *Want) missing() (assemble.Projected, error) {
	value := w.Default
	if value.IsNull() {
		value = w.null()
	} else if value.Layout() != w.Layout || w.Layout == vector.Leaf && value.Type() != w.Type {
		return assemble.Projected{}, &Mismatch{Path: []string{w.Name}, What: "the default is no slot of " + w.Describe()}
	}
	return assemble.Projected{Name: w.Name, Missing: &assemble.Missing{Value: value, Field: w.field()}}, nil
}

// field returns w's field in batches, nullable at each level.
func (w *Want) field() vector.Field {
	f := vector.Field{Name: w.Name, Type: w.Type, Layout: w.Layout, Nullable: true}
	if w.Layout != vector.Leaf {
		f.Type = vector.Type{Physical: vector.Group, Logical: w.Type.Logical}
	}
	names := []string(nil)
	switch w.Layout {
	case vector.List:
		names = []string{"item"}
	case vector.Map:
		names = []string{"key", "value"}
	}
	for i := range w.Children {
		c := w.Children[i].field()
		if i < len(names) {
			c.Name = names[i]
		}
		f.Children = append(f.Children, c)
	}
	return f
}

// layouts are those of one occurrence of a node, by its kind.
var layouts = [...]vector.Layout{schema.Leaf: vector.Leaf, schema.Struct: vector.Struct, schema.List: vector.List, schema.Map: vector.Map}
