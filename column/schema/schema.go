package schema

import (
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// maxDepth bounds how deep a schema may nest: levels then fit 16 bits, and
// recursion over the tree needs little stack.
const maxDepth = 1024

// Schema is the column tree of a file. It does not change. Safe for concurrent use.
type Schema struct {
	nodes  []Node
	leaves []*Node

	indexOnce sync.Once
	index     map[childName]*Node // children of wide nodes
}

// Root returns the root; its children are the columns.
func (s *Schema) Root() *Node { return &s.nodes[0] }

// Node returns the node of the element with this index, 0 to Len-1.
func (s *Schema) Node(index int) *Node { return &s.nodes[index] }

// Len returns the number of nodes.
func (s *Schema) Len() int { return len(s.nodes) }

// Leaves returns the leaves in the order of the column chunks. The slice belongs to s and must not be changed.
func (s *Schema) Leaves() []*Node { return s.leaves }

// New makes the tree of a footer's list of elements. Names share the memory of
// the elements' names.
//
// A bad annotation makes no error, because the column can be read without it:
// one that does not fit its leaf becomes vector.Unrecognised, a LIST or MAP of
// another shape a plain struct. Errors are *corrupt.Error and name the element.
func New(elements []thrift.SchemaElement) (*Schema, error) {
	if len(elements) == 0 {
		return nil, corrupt.Within(corrupt.At(-1, "no elements"), "schema", 0)
	}
	s := &Schema{nodes: make([]Node, len(elements))}
	if err := s.link(elements); err != nil {
		return nil, corrupt.Within(err, "schema", 0)
	}
	s.numberLeaves()
	for i := range s.nodes {
		if n := &s.nodes[i]; n.Kind != Leaf {
			classify(n, annotationOf(&elements[i]))
		}
	}
	return s, nil
}

// link sets the fields of all nodes but Kind of nested ones, Rule and leaf ordinals.
func (s *Schema) link(elements []thrift.SchemaElement) error {
	// Every Node.Children is a part of this slice, in the order of the parents.
	// It has room for every node but the root. Each parent takes as many places
	// as it claims, at most those left, and each node fills one: if every node
	// finds a parent with a free place, all claims are right.
	children := make([]*Node, len(elements)-1)
	parent, depth := (*Node)(nil), 0
	for i := range elements {
		e, n := &elements[i], &s.nodes[i]
		n.Name, n.Index = e.Name, i
		n.HasFieldID, n.FieldID = e.HasFieldID, e.FieldID
		if i > 0 {
			for len(parent.Children) == cap(parent.Children) {
				if parent = parent.Parent; parent == nil {
					return fault(i, e, "lies behind the last child of the root")
				}
				depth--
			}
			parent.Children = append(parent.Children, n)
			n.Parent = parent
			if err := n.setLevels(e); err != nil {
				return err
			}
		}
		count := int64(e.NumChildren)
		if count < 0 || count > int64(len(children)) {
			return fault(i, e, "has ", count, " children where ", len(children), " elements are left")
		}
		if isLeaf(e, i) {
			var err error
			if n.Type, err = leafType(e); err != nil {
				return fault(i, e, err)
			}
			n.Kind = Leaf
			n.CRS, n.Edges = onEarth(n.Type.Logical, &e.Logical)
			continue
		}
		n.Kind, n.Type.Physical = Struct, vector.Group
		n.Children, children = children[:0:count], children[count:]
		parent = n
		if depth++; depth > maxDepth {
			return fault(i, e, "nests deeper than ", maxDepth, " levels")
		}
	}
	return nil
}

// isLeaf reports whether e is a leaf. An element with children is a group,
// whatever type it claims; so is the root in any case.
func isLeaf(e *thrift.SchemaElement, index int) bool {
	return index > 0 && e.HasType && e.NumChildren == 0
}

// setLevels sets n's repetition and levels, given those of its parent.
func (n *Node) setLevels(e *thrift.SchemaElement) error {
	n.MaxDef, n.MaxRep = n.Parent.MaxDef, n.Parent.MaxRep
	switch n.Repetition = Repetition(e.Repetition); int64(e.Repetition) {
	case int64(Required): // also an absent repetition, which is 0
	case int64(Optional):
		n.MaxDef++
	case int64(Repeated):
		n.MaxDef++
		n.MaxRep++
	default:
		return fault(n.Index, e, "has repetition type ", int64(e.Repetition))
	}
	return nil
}

// numberLeaves numbers the leaves, then sets EndLeaf of each node: from the
// last node to the first, so that children come before their parents.
func (s *Schema) numberLeaves() {
	count := 0
	for i := range s.nodes {
		if s.nodes[i].FirstLeaf = count; s.nodes[i].Kind == Leaf {
			count++
		}
	}
	s.leaves = make([]*Node, count)
	for i := len(s.nodes) - 1; i >= 0; i-- {
		switch n := &s.nodes[i]; {
		case n.Kind == Leaf:
			s.leaves[n.FirstLeaf] = n
			n.EndLeaf = n.FirstLeaf + 1
		case len(n.Children) > 0:
			n.EndLeaf = n.Children[len(n.Children)-1].EndLeaf
		default:
			n.EndLeaf = n.FirstLeaf
		}
	}
}

// fault returns an error that names the element.
func fault(index int, e *thrift.SchemaElement, parts ...any) error {
	return corrupt.At(-1, append([]any{describe(index, e.Name), " "}, parts...)...)
}
