package schema

import (
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// MaxDepth bounds how deep a schema may nest: levels then fit 16 bits, and
// whoever walks a tree by recursion stays within any stack.
const MaxDepth = 1024

// Schema is the tree of a file's columns. It does not change and may be shared.
type Schema struct {
	nodes  []Node
	leaves []*Node

	indexOnce sync.Once
	index     map[childName]*Node // children of wide nodes
}

// Root returns the node that all columns are below.
func (s *Schema) Root() *Node { return &s.nodes[0] }

// Node returns the node of the element with this index, Len of which there are.
func (s *Schema) Node(index int) *Node { return &s.nodes[index] }

// Len returns the number of nodes.
func (s *Schema) Len() int { return len(s.nodes) }

// Leaves returns the leaves in the order of the column chunks.
func (s *Schema) Leaves() []*Node { return s.leaves }

// New makes the tree of a footer's list of elements. Names stay views of the
// elements' memory.
//
// What only one column gets wrong is no error where a reader can go on without:
// an annotation that does not fit becomes vector.Unrecognised, a LIST or MAP
// of another shape a plain struct. An error names the element.
func New(elements []thrift.SchemaElement) (*Schema, error) {
	if len(elements) == 0 {
		return nil, corrupt.Within(corrupt.At(-1, "no elements"), "schema", 0)
	}
	s := &Schema{nodes: make([]Node, len(elements))}
	if err := s.link(elements); err != nil {
		return nil, corrupt.Within(err, "schema", 0)
	}
	s.countLeaves()
	for i := range s.nodes {
		if n := &s.nodes[i]; n.Kind != Leaf {
			classify(n, annotationOf(&elements[i]))
		}
	}
	return s, nil
}

// link sets what a node has from its element and from its ancestors.
func (s *Schema) link(elements []thrift.SchemaElement) error {
	// All lists of children lie one behind the other in this one, in the order
	// of their parents. It has room for every node but the root: if no parent
	// takes more than is left, and every node finds a parent, no one lacks any.
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
			if err := n.level(e); err != nil {
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
			continue
		}
		n.Kind, n.Type.Physical = Struct, vector.Group
		n.Children, children = children[:0:count], children[count:]
		parent = n
		if depth++; depth > MaxDepth {
			return fault(i, e, "nests deeper than ", MaxDepth, " levels")
		}
	}
	return nil
}

// isLeaf reports whether e is a column of values. What has children is a
// group, whatever type it claims; the root is one always.
func isLeaf(e *thrift.SchemaElement, index int) bool {
	return index > 0 && e.HasType && e.NumChildren == 0
}

// level sets n's repetition and levels, given those of its parent.
func (n *Node) level(e *thrift.SchemaElement) error {
	n.MaxDef, n.MaxRep = n.Parent.MaxDef, n.Parent.MaxRep
	switch n.Repetition = Repetition(e.Repetition); int64(e.Repetition) {
	case int64(Required): // also where the file does not say
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

// countLeaves numbers the leaves, and backwards from the last node, whose
// children come before it then, tells each node which ones are its.
func (s *Schema) countLeaves() {
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

func fault(index int, e *thrift.SchemaElement, parts ...any) error {
	return corrupt.At(-1, append([]any{describe(index, e.Name), " "}, parts...)...)
}
