package schema

import (
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
)

// Repetition is how often a node may occur in its parent. The numbers are
// those of the format.
type Repetition uint8

const (
	Required Repetition = iota
	Optional
	Repeated
)

// String returns the format's name of r in small letters.
func (r Repetition) String() string {
	return [...]string{"required", "optional", "repeated"}[min(r, Repeated)]
}

// Kind is what one occurrence of a node is.
type Kind uint8

const (
	Leaf   Kind = iota // a value of Node.Type
	Struct             // a value of each child
	List               // items, see Node.Item
	Map                // key and value pairs, see Node.Key and Node.Value
)

// String returns the kind's name.
func (k Kind) String() string { return [...]string{"leaf", "struct", "list", "map"}[min(k, Map)] }

// Node is one element of a file's schema. Nodes belong to their Schema and
// must not be changed. Safe for concurrent use.
type Node struct {
	Name     string
	Parent   *Node // nil for the root
	Children []*Node

	Type       vector.Type // of a leaf; of others, Physical is Group
	Kind       Kind
	Repetition Repetition // Required for the root, whatever the file says
	Rule       uint8      // List: the rule of the format, 1 to 5, that it matches
	HasFieldID bool
	FieldID    int32
	CRS        string // of GEOMETRY and GEOGRAPHY: the reference system in the file's words; "" stands for OGC:CRS84
	Edges      string // of GEOGRAPHY: the curve between two points: SPHERICAL, VINCENTY, THOMAS, ANDOYER, KARNEY

	Stored *vector.Stored // what the file's Arrow schema says of the node, where they agree; nil: nothing

	MaxDef, MaxRep int // maximum definition and repetition level

	Index int // of the element in the footer's list

	// The leaves at or below n have the ordinals from FirstLeaf up to but not
	// including EndLeaf. Column chunks of a row group have the same ordinals.
	FirstLeaf, EndLeaf int
}

// IsBare reports whether n is repeated outside of any LIST or MAP: as a field
// of its parent, it is a list of its occurrences.
func (n *Node) IsBare() bool {
	return n.Repetition == Repeated && n.Parent.Kind == Struct
}

// Item returns the node of a List's items, nil for other kinds. By rules 1 to 4 it
// is the repeated node itself: each occurrence is an item, and never NULL.
func (n *Node) Item() *Node {
	switch {
	case n.Kind != List:
		return nil
	case n.Rule < 5:
		return n.Children[0]
	}
	return n.Children[0].Children[0]
}

// Key returns the node of a Map's keys, nil for other kinds.
func (n *Node) Key() *Node {
	if n.Kind != Map {
		return nil
	}
	return n.Children[0].Children[0]
}

// Value returns the node of a Map's values, nil for one that has keys only and for other kinds.
func (n *Node) Value() *Node {
	if n.Kind != Map || len(n.Children[0].Children) < 2 {
		return nil
	}
	return n.Children[0].Children[1]
}

// Shallowest returns the leaf at or below n that has the fewest lists above it,
// the first of several; nil if there is no leaf. It is the cheapest leaf to read
// for the levels of n.
func (n *Node) Shallowest() *Node {
	if n.Kind == Leaf {
		return n
	}
	var best *Node
	for _, c := range n.Children {
		if l := c.Shallowest(); l != nil && (best == nil || l.MaxRep < best.MaxRep) {
			best = l
		}
	}
	return best
}

// Path returns the names from below the root down to n.
func (n *Node) Path() []string {
	path := make([]string, 0, 4)
	for p := n; p.Parent != nil; p = p.Parent {
		path = append(path, p.Name)
	}
	slices.Reverse(path)
	return path
}

// String returns n's path as ParsePath reads it.
func (n *Node) String() string { return FormatPath(n.Path()) }

// describe names an element in an error.
func describe(index int, name string) string {
	const most = 64 // a hostile file may have names of any length
	if len(name) > most {
		name = name[:most] + "…"
	}
	return "element " + strconv.Itoa(index) + " (" + strconv.Quote(name) + ")"
}
