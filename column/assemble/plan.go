package assemble

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Part is a node of a file's schema with what is wanted of it, in the order
// in which it is wanted.
type Part struct {
	Name string // of the field; "" stands for the node's name
	Node *schema.Node

	// Of a struct, some of its fields; of a List, its item alone; of a Map,
	// its key and, where it has any, its value. A bare repeated node has the
	// children that one occurrence of it has.
	Children []Part

	// Missing is what stands for a field that the file lacks, and that has no
	// Node then: a Constant, of any length.
	Missing *vector.Vector
	Field   vector.Field // of Missing
}

// Whole returns all of n.
func Whole(n *schema.Node) Part {
	p := Part{Node: n}
	switch n.Kind {
	case schema.List:
		p.Children = []Part{Whole(n.Item())}
	case schema.Map:
		p.Children = []Part{Whole(n.Key())}
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

// maxLevel is the highest level that one byte holds.
const maxLevel = 255

// Plan says how one column is put together. It does not change.
type Plan struct {
	root    node
	field   vector.Field
	sources []Source
	checks  []check // of each source
}

// Source is a leaf of the file that a Plan needs.
type Source struct {
	Node *schema.Node

	// Levels says that no value of the leaf is wanted: it only tells which of
	// the structs above it are NULL and how many items lists have.
	Levels bool
}

// node makes one vector.
type node struct {
	schema  *schema.Node
	list    bool // of a bare repeated node: not an occurrence, but the list of all
	layout  vector.Layout
	typ     vector.Type
	missing *vector.Vector

	slots    slots // which entries are slots of the node
	present  uint8 // those of which at least this level are not NULL
	items    slots // List and Map: the slots of the children
	witness  int   // the source whose levels tell, or that is the leaf; -1 if there is none
	children []node
}

// New returns the plan for a part of a column.
func New(p Part) (*Plan, error) {
	plan := &Plan{}
	root, field, err := plan.add(&p, slots{}, false)
	if err != nil {
		return nil, err
	}
	plan.root, plan.field = root, field
	plan.checks = checksOf(plan.sources)
	return plan, nil
}

// Field returns the field that the assembled vectors are of.
func (p *Plan) Field() vector.Field { return p.field }

// Sources returns the leaves whose data Assemble wants.
func (p *Plan) Sources() []Source { return p.sources }

// add plans one occurrence of a part, or the list of all its occurrences if it
// is bare and not yet in that list.
func (p *Plan) add(part *Part, at slots, occurrence bool) (node, vector.Field, error) {
	n := part.Node
	if n == nil {
		f := part.Field
		f.Name = part.Name
		return node{missing: part.Missing, witness: -1}, f, nil
	}
	if n.MaxDef > maxLevel { // repetition levels are never higher
		return node{}, vector.Field{}, corrupt.NotSupported("column ", n.String(), " nests ", n.MaxDef, " levels deep")
	}
	name := part.Name
	if name == "" {
		name = n.Name
	}
	first := len(p.sources)
	out := node{schema: n, typ: n.Type, slots: at, present: uint8(n.MaxDef)}
	field := vector.Field{Name: name, Type: n.Type, Nullable: n.Repetition == schema.Optional}
	var err error
	switch bare := n.IsBare() && !occurrence; {
	case bare:
		l := n.BareLevels()
		out.list, out.layout, out.typ = true, vector.List, vector.Type{Physical: vector.Group}
		out.present, out.items = uint8(l.Present), slots{uint8(l.Rep), uint8(l.Item)}
		err = p.addChild(&out, &field, part, "item", true)
	case n.Kind == schema.Leaf:
		out.layout = vector.Leaf
		p.sources = append(p.sources, Source{Node: n})
	case n.Kind == schema.Struct:
		out.layout, out.items = vector.Struct, at
		for i := range part.Children {
			if err = p.addChild(&out, &field, &part.Children[i], "", false); err != nil {
				break
			}
		}
	default:
		l := n.ListLevels()
		out.layout, out.items = vector.List, slots{uint8(l.Rep), uint8(l.Item)}
		names := []string{"item"}
		if n.Kind == schema.Map {
			out.layout, names = vector.Map, []string{"key", "value"}
		}
		for i := range part.Children {
			// The repeated body of a list is no bare list in it.
			if err = p.addChild(&out, &field, &part.Children[i], names[i], true); err != nil {
				break
			}
		}
	}
	if err != nil {
		return out, field, err
	}
	field.Type, field.Layout = out.typ, out.layout
	needed := out.layout != vector.Struct || out.present > at.def
	out.witness = p.witness(n, first, needed)
	return out, field, nil
}

func (p *Plan) addChild(parent *node, field *vector.Field, part *Part, name string, occurrence bool) error {
	child, f, err := p.add(part, parent.items, occurrence)
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

// witness returns the source that tells about n, of those from first on: one
// with the fewest lists below n. If none is wanted but one is needed, a leaf
// has to be read for that.
func (p *Plan) witness(n *schema.Node, first int, needed bool) int {
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
