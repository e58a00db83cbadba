package schema

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/thrift"
)

// classify sets the Kind of a group, given its annotation. Parents must have been
// classified before: the body of a list or map is a struct, whatever its own
// annotation is.
//
//every:logical schema
func classify(n *Node, annotation thrift.Arm) {
	if n.Parent != nil && (n.Parent.Kind == Map || n.Parent.Kind == List && n.Parent.Rule == 5) {
		return
	}
	switch annotation {
	case 0:
		return
	case thrift.LogicalList:
		if n.Rule = listRule(n); n.Rule != 0 {
			n.Kind = List
			return
		}
	case thrift.LogicalMap:
		if fitsMap(n) {
			n.Kind = Map
			return
		}
	case thrift.LogicalVariant:
		if fitsVariant(n) {
			n.Type.Logical = vector.Variant
			return
		}
	case thrift.LogicalFile:
		n.Type.Logical = vector.File
		return
	}
	n.Type.Logical = vector.Unrecognised
}

// listRule returns which of the format's rules for LIST a group matches, 0 if
// it does not have the shape of a list. The rule determines the item:
//
//	1   repeated leaf                      the leaf
//	2   repeated group of several          the group
//	3   repeated group of one repeated     the group
//	4   repeated group of one, by name     the group: "array" or the list's name with "_tuple"
//	5   repeated group of one              the child of the group
func listRule(n *Node) uint8 {
	if n.Parent == nil || len(n.Children) != 1 || n.Children[0].Repetition != Repeated {
		return 0
	}
	switch body := n.Children[0]; {
	case body.Kind == Leaf:
		return 1
	case len(body.Children) > 1:
		return 2
	case len(body.Children) == 0:
		return 0
	case body.Children[0].Repetition == Repeated:
		return 3
	case body.Name == "array" || body.Name == n.Name+"_tuple":
		return 4
	}
	return 5
}

// fitsMap reports whether a group annotated as MAP has the shape of one: a
// repeated group of a key and, maybe, a value. Keys may be optional: some files have such.
func fitsMap(n *Node) bool {
	if n.Parent == nil || len(n.Children) != 1 || n.Children[0].Repetition != Repeated {
		return false
	}
	pair := n.Children[0].Children
	if len(pair) != 1 && len(pair) != 2 {
		return false
	}
	for _, c := range pair {
		if c.Repetition == Repeated {
			return false
		}
	}
	return true
}

// fitsVariant reports whether a group annotated as VARIANT has the fields of one: the binaries metadata and
// value, or typed_value in place of value or beside it. How typed_value is shredded is not looked
// at: a field of another type must not make the group one that is read as it is stored.
func fitsVariant(n *Node) bool {
	var metadata, value bool
	for _, c := range n.Children {
		binary := c.Kind == Leaf && c.Type.Physical == vector.ByteArray
		switch {
		case c.Repetition == Repeated:
			return false
		case c.Name == "metadata" && binary && !metadata:
			metadata = true
		case c.Name == "typed_value", c.Name == "value" && binary:
			value = true
		default:
			return false
		}
	}
	return metadata && value
}
