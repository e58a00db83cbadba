package schema

import (
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
	switch r {
	case Required:
		return "required"
	case Optional:
		return "optional"
	}
	return "repeated"
}

// Kind is what one occurrence of a node is.
type Kind uint8

const (
	Leaf   Kind = iota // a value of Node.Type
	Struct             // a value of each child
	List               // items, see Node.Item and Node.ListLevels
	Map                // key and value pairs, see Node.Key, Node.Value and Node.ListLevels
)

// String returns the kind's name.
func (k Kind) String() string {
	switch k {
	case Leaf:
		return "leaf"
	case Struct:
		return "struct"
	case List:
		return "list"
	}
	return "map"
}

// Node is one element of a file's schema. Nodes belong to their Schema and
// must not be changed.
type Node struct {
	Name     string
	Parent   *Node // nil for the root
	Children []*Node

	Type       vector.Type // of a leaf; Physical is Group otherwise
	Kind       Kind
	Repetition Repetition // Required for the root, whatever the file says
	Rule       uint8      // List: which of the rules 1 to 5 of the format made it one
	HasFieldID bool
	FieldID    int32

	MaxDef, MaxRep int // levels of a value that is there, and of the last list above it

	Index int // of the element in the footer's list

	// The leaves below: ordinals from FirstLeaf up to but not including EndLeaf,
	// which number the column chunks of a row group too. A leaf's is FirstLeaf.
	FirstLeaf, EndLeaf int
}

// IsBare reports whether n is repeated outside of any LIST or MAP: as a field
// of its parent, it is a list of its occurrences, see BareLevels.
func (n *Node) IsBare() bool {
	return n.Repetition == Repeated && n.Parent.Kind == Struct
}

// Item returns what one item of a List is. If it is the repeated node itself
// (rules 1 to 4), the item is one occurrence of it: never NULL.
func (n *Node) Item() *Node {
	switch {
	case n.Kind != List:
		return nil
	case n.Rule < 5:
		return n.Children[0]
	}
	return n.Children[0].Children[0]
}

// Key returns the keys of a Map.
func (n *Node) Key() *Node {
	if n.Kind != Map {
		return nil
	}
	return n.Children[0].Children[0]
}

// Value returns the values of a Map, nil where it has keys only.
func (n *Node) Value() *Node {
	if n.Kind != Map || len(n.Children[0].Children) < 2 {
		return nil
	}
	return n.Children[0].Children[1]
}

// ListLevels tells the states of a list apart. Of a slot with definition level
// def below the list:
//
//	def < Present           the list, or something above it, is NULL
//	Present <= def < Item   the list is there and empty
//	Item <= def             there is an item
type ListLevels struct {
	Present int
	Item    int
	Rep     int // repetition level of each item but the first
}

// ListLevels returns the levels of a List or Map.
func (n *Node) ListLevels() ListLevels {
	body := n.Children[0]
	return ListLevels{Present: n.MaxDef, Item: body.MaxDef, Rep: body.MaxRep}
}

// BareLevels returns the levels of the list that a bare repeated node makes.
func (n *Node) BareLevels() ListLevels {
	return ListLevels{Present: n.MaxDef - 1, Item: n.MaxDef, Rep: n.MaxRep}
}

// Shallowest returns the leaf at or below n that has the fewest lists above it,
// the first of several; nil if there is no leaf. Its levels tell of n at the least cost.
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
	depth := 0
	for p := n; p.Parent != nil; p = p.Parent {
		depth++
	}
	path := make([]string, depth)
	for p := n; p.Parent != nil; p = p.Parent {
		depth--
		path[depth] = p.Name
	}
	return path
}

// String returns n's path as ParsePath reads it.
func (n *Node) String() string { return FormatPath(n.Path()) }

// describe names an element in an error.
func describe(index int, name string) string {
	const most = 64 // names are as long as a hostile file likes
	if len(name) > most {
		name = name[:most] + "…"
	}
	return "element " + strconv.Itoa(index) + " (" + strconv.Quote(name) + ")"
}
