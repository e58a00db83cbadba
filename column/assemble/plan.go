package assemble

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Projected is a projected node of a file's schema, with its projected children in
// the order of the assembled vector.
type Projected struct {
	Name string // of the field; "" stands for the node's name
	Node *schema.Node

	// Struct: some of its fields. List: its item. Map: its key and, if it has
	// one, its value. A bare repeated node: the children of one occurrence.
	Children []Projected

	Missing *Missing // what stands for a field that the file lacks, whose Node is nil
}

// Missing is what stands for a field that the file lacks: its value in all slots.
type Missing struct {
	Value vector.Scalar
	Field vector.Field
}

// Whole returns n projected with all nodes below it.
func Whole(n *schema.Node) Projected {
	p := Projected{Node: n}
	switch n.Kind {
	case schema.List:
		p.Children = []Projected{Whole(n.Item())}
	case schema.Map:
		p.Children = []Projected{Whole(n.Key())}
		if v := n.Value(); v != nil {
			p.Children = append(p.Children, Whole(v))
		}
	default:
		for _, c := range n.Children {
			p.Children = append(p.Children, Whole(c))
		}
	}
	return p
}

// Leaves returns how many leaves of the file are projected.
func (p *Projected) Leaves() (n int) {
	if p.Node != nil && p.Node.Kind == schema.Leaf {
		n = 1
	}
	for i := range p.Children {
		n += p.Children[i].Leaves()
	}
	return n
}

// maxLevel is the highest level that one byte holds.
const maxLevel = 255

// Plan says how the vector of one column is assembled. It does not change. Safe
// for concurrent use.
type Plan struct {
	root    node
	field   vector.Field
	sources []Source
	checks  []check // of each source
}

// Source is a leaf of the file that a Plan needs.
type Source struct {
	Node *schema.Node

	// Levels says that only the levels of the leaf are needed, not its values: for
	// which structs above it are NULL, and how many items lists have.
	Levels bool
}

// node is the plan of one vector.
type node struct {
	schema  *schema.Node
	layout  vector.Layout
	typ     vector.Type
	missing *vector.Scalar // of a field that the file lacks

	slots    slots // which entries are slots of the node
	present  uint8 // slots with at least this definition level are not NULL
	items    slots // which entries are slots of the children
	source   int   // ordinal of the source whose levels it is made from; of a leaf, its own; -1 if there is none
	children []node
}

// New returns the plan for a projected column.
func New(p Projected) (*Plan, error) {
	plan := &Plan{}
	root, field, err := plan.add(&p, slots{}, false)
	if err != nil {
		return nil, err
	}
	plan.root, plan.field = root, field
	plan.checks = checksOf(plan.sources)
	return plan, nil
}

// Flat returns the field of a column that needs no Plan, because the values of one leaf are its
// vector. It returns false for others.
func Flat(p *Projected) (f vector.Field, flat bool) {
	n := p.Node
	if n == nil || n.Kind != schema.Leaf || n.MaxRep > 0 || n.MaxDef > maxLevel {
		return f, false
	}
	return p.field(), true
}

// field returns the field of p, whose Node is not nil, without children.
func (p *Projected) field() vector.Field {
	n, name := p.Node, p.Name
	if name == "" {
		name = n.Name
	}
	return vector.Field{
		Name: name, Type: n.Type, Nullable: n.Repetition == schema.Optional, HasID: n.HasFieldID, ID: n.FieldID,
		CRS: n.CRS, Edges: n.Edges, Stored: n.Stored,
	}
}

// Field returns the field of the assembled vectors.
func (p *Plan) Field() vector.Field { return p.field }

// EachLeaf calls do with the field of each leaf, which do may change before the first use
// of p, with the names of the fields that lead to it, and with the leaf in the file, nil if
// the file lacks it.
func (p *Plan) EachLeaf(do func(path []string, f *vector.Field, leaf *schema.Node)) {
	eachLeaf(&p.root, &p.field, nil, do)
}

func eachLeaf(n *node, f *vector.Field, path []string, do func([]string, *vector.Field, *schema.Node)) {
	path = append(path, f.Name)
	if f.Layout == vector.Leaf {
		do(path, f, n.schema)
	}
	for i := range f.Children {
		child := &node{} // of what the file lacks
		if n.missing == nil && i < len(n.children) {
			child = &n.children[i]
		}
		eachLeaf(child, &f.Children[i], path, do)
	}
}

// Sources returns the leaves whose data Assemble needs, in the order of its argument. The slice must not be changed.
func (p *Plan) Sources() []Source { return p.sources }

// add plans a projected node, whose slots are at. A bare repeated node becomes the list of
// all its occurrences; with occurrence, one of them.
func (p *Plan) add(projected *Projected, at slots, occurrence bool) (node, vector.Field, error) {
	n := projected.Node
	if n == nil {
		f := projected.Missing.Field
		f.Name = projected.Name
		return node{missing: &projected.Missing.Value, source: -1}, f, nil
	}
	if n.MaxDef > maxLevel { // MaxRep is never above MaxDef
		return node{}, vector.Field{}, corrupt.NotSupported("column ", n.String(), " nests ", n.MaxDef, " levels deep")
	}
	first := len(p.sources)
	out := node{schema: n, typ: n.Type, slots: at, present: uint8(n.MaxDef)}
	field := projected.field()
	var err error
	switch bare := n.IsBare() && !occurrence; {
	case bare:
		out.layout, out.typ = vector.List, vector.Type{Physical: vector.Group}
		out.present, out.items = uint8(n.MaxDef-1), slots{uint8(n.MaxRep), uint8(n.MaxDef)}
		err = p.addChild(&out, &field, projected, "item", true)
	case n.Kind == schema.Leaf:
		out.layout = vector.Leaf
		p.sources = append(p.sources, Source{Node: n})
	case n.Kind == schema.Struct:
		out.layout, out.items = vector.Struct, at
		for i := range projected.Children {
			if err = p.addChild(&out, &field, &projected.Children[i], "", false); err != nil {
				break
			}
		}
	default:
		body := n.Children[0]
		out.layout, out.items = vector.List, slots{uint8(body.MaxRep), uint8(body.MaxDef)}
		names := []string{"item"}
		if n.Kind == schema.Map {
			out.layout, names = vector.Map, []string{"key", "value"}
		}
		for i := range projected.Children {
			// The repeated body of a list is an occurrence, not a bare list of its own.
			if err = p.addChild(&out, &field, &projected.Children[i], names[i], true); err != nil {
				break
			}
		}
	}
	if err != nil {
		return out, field, err
	}
	if out.typ.Logical == vector.Variant && projected.Leaves() != n.EndLeaf-n.FirstLeaf {
		out.typ.Logical = vector.None // a part of one is no value
	}
	field.Type, field.Layout = out.typ, out.layout
	needed := out.layout != vector.Struct || out.present > at.def
	out.source = p.sourceOf(n, first, needed)
	return out, field, nil
}

// addChild plans projected as the next child of parent. name replaces the field's name, unless it is "".
func (p *Plan) addChild(parent *node, field *vector.Field, projected *Projected, name string, occurrence bool) error {
	child, f, err := p.add(projected, parent.items, occurrence)
	if err != nil {
		return err
	}
	if name != "" {
		f.Name = name
	}
	parent.children = append(parent.children, child)
	field.Children = append(field.Children, f)
	return nil
}

// sourceOf returns the source from whose levels n is made: of those from first on,
// which are below n, the one with the fewest lists above it. If there is none but
// one is needed, it adds a leaf of which only the levels are read.
func (p *Plan) sourceOf(n *schema.Node, first int, needed bool) int {
	best := -1
	for i := first; i < len(p.sources); i++ {
		if best < 0 || p.sources[i].Node.MaxRep < p.sources[best].Node.MaxRep {
			best = i
		}
	}
	if best >= 0 || !needed {
		return best
	}
	leaf := n.Shallowest()
	if leaf == nil {
		return -1
	}
	p.sources = append(p.sources, Source{Node: leaf, Levels: true})
	return len(p.sources) - 1
}
