package gen

import "fmt"

// Type is a node's physical type; Group for inner nodes.
type Type uint8

const (
	Group Type = iota
	Boolean
	Int32
	Int64
	Int96
	Float
	Double
	ByteArray
	FixedLenByteArray
)

// Repetition is how often a field may stand in its parent.
type Repetition uint8

const (
	Once  Repetition = iota // REQUIRED
	Maybe                   // OPTIONAL
	Many                    // REPEATED
)

// A Node is one element of the schema tree.
type Node struct {
	Name       string
	Repetition Repetition
	Type       Type
	Length     int32 // bytes of a FixedLenByteArray
	Logical    Logical
	Note       Annotation // which of the two annotations of Logical are written
	FieldID    int32      // 0: none
	Order      Order      // column order of a leaf
	Children   []*Node
}

// Required returns a REQUIRED field.
func Required(name string, t Type, children ...*Node) *Node {
	return &Node{Name: name, Repetition: Once, Type: t, Children: children}
}

// Optional returns an OPTIONAL field.
func Optional(name string, t Type, children ...*Node) *Node {
	return &Node{Name: name, Repetition: Maybe, Type: t, Children: children}
}

// Repeated returns a REPEATED field.
func Repeated(name string, t Type, children ...*Node) *Node {
	return &Node{Name: name, Repetition: Many, Type: t, Children: children}
}

// List returns an OPTIONAL three-level list.
func List(name string, element *Node) *Node {
	return Optional(name, Group, Repeated("list", Group, element)).As(ListType())
}

// Map returns an OPTIONAL map; value may be nil.
func Map(name string, key, value *Node) *Node {
	kv := Repeated("key_value", Group, key)
	if value != nil {
		kv.Children = append(kv.Children, value)
	}
	return Optional(name, Group, kv).As(MapType())
}

// As annotates n.
func (n *Node) As(l Logical) *Node { n.Logical = l; return n }

// With chooses the annotations that are written.
func (n *Node) With(a Annotation) *Node { n.Note = a; return n }

// Len sets the length of a FixedLenByteArray.
func (n *Node) Len(bytes int32) *Node { n.Length = bytes; return n }

// ID sets the field id.
func (n *Node) ID(id int32) *Node { n.FieldID = id; return n }

// A Leaf is a column of the schema: its node and what the path to it implies.
type Leaf struct {
	*Node
	Path           []string
	MaxRep, MaxDef uint32
}

// Leaves returns the columns of a schema in file order.
func Leaves(schema []*Node) []Leaf {
	var leaves []Leaf
	var walk func(n *Node, path []string, rep, def uint32)
	walk = func(n *Node, path []string, rep, def uint32) {
		path = append(path[:len(path):len(path)], n.Name)
		switch n.Repetition {
		case Many:
			rep, def = rep+1, def+1
		case Maybe:
			def++
		}
		if n.Type != Group {
			leaves = append(leaves, Leaf{Node: n, Path: path, MaxRep: rep, MaxDef: def})
		}
		for _, c := range n.Children {
			walk(c, path, rep, def)
		}
	}
	for _, n := range schema {
		walk(n, nil, 0, 0)
	}
	return leaves
}

// Deep returns a chain of depth nested groups of alternating repetition around leaf.
func Deep(depth int, leaf *Node, reps ...Repetition) *Node {
	n := leaf
	for i := depth - 1; i > 0; i-- {
		n = &Node{Name: fmt.Sprintf("g%d", i), Repetition: reps[i%len(reps)], Children: []*Node{n}}
	}
	return n
}

// isWrapped says whether the one child of a LIST's repeated group is the
// element, so that the element is what a list of values holds.
func (n *Node) isWrapped() bool {
	if n.Logical.Kind != KindList || len(n.Children) != 1 {
		return false
	}
	mid := n.Children[0]
	return mid.Repetition == Many && mid.Type == Group && len(mid.Children) == 1 &&
		mid.Children[0].Repetition != Many && mid.Name != "array" && mid.Name != n.Name+"_tuple"
}

// isMap says whether n takes []KV.
func (n *Node) isMap() bool {
	if n.Logical.Kind != KindMap && n.Logical.Kind != KindMapKeyValue || len(n.Children) != 1 {
		return false
	}
	kv := n.Children[0]
	return kv.Repetition == Many && kv.Type == Group && (len(kv.Children) == 1 || len(kv.Children) == 2)
}

// isList says whether n is a LIST of any shape.
func (n *Node) isList() bool {
	return n.Logical.Kind == KindList && len(n.Children) == 1 && n.Children[0].Repetition == Many
}
