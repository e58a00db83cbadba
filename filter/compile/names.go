package compile

import (
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/internal/closest"
)

// Names are a host's names for columns of a file, by parent: the schema's root, a
// struct, or the item of a list. They hide the file's own names.
type Names map[*schema.Node]map[string]*schema.Node

// Below returns the node that the host's name refers to below a node or its items,
// nil if there is none.
func (names Names) Below(n *schema.Node, name string) *schema.Node {
	for ; len(names) > 0 && n != nil; n = n.Item() {
		if c := names[n][name]; c != nil {
			return c
		}
	}
	return nil
}

// child returns the node below n that the host, else the file, calls by a name.
func (b *binder) child(n *schema.Node, name string) *schema.Node {
	if c := b.names.Below(n, name); c != nil {
		return c
	}
	if n.Parent == nil {
		return b.schema.Find(name)
	}
	at := childNamed(n, name)
	if at < 0 && (n.Kind == schema.Map || n.Kind == schema.List && n.Rule == 5) {
		n = n.Children[0] // a path may leave out the repeated group
		at = childNamed(n, name)
	}
	if at < 0 {
		return nil
	}
	return n.Children[at]
}

// below returns the node with a name below n, or below its items where it is a list, and the node that it is
// a child of, or would be.
func (b *binder) below(n *schema.Node, name string) (in, next *schema.Node) {
	for {
		if next = b.child(n, b.nameInCase(n, name)); next != nil || n.Item() == nil || len(n.Item().Children) == 0 {
			return n, next
		}
		n = n.Item()
	}
}

// childNamed returns the index of the first child of n with a name, -1 if there is none.
func childNamed(n *schema.Node, name string) int {
	return slices.IndexFunc(n.Children, func(c *schema.Node) bool { return c.Name == name })
}

// dottedName returns the name of a child that has dots in it, where a path begins with its parts;
// "" if there is none.
func (b *binder) dottedName(n *schema.Node, path []string) string {
	for i := len(path); i > 1; i-- {
		if name := strings.Join(path[:i], "."); b.child(n, name) != nil {
			return name
		}
	}
	return ""
}

// ThereIs says which child of n, which a path leads to, a name that none has is like or is a part of: the end of an
// error message, "" if none is similar.
func ThereIs(n *schema.Node, name string, above []string) string {
	if n.Kind == schema.Map || n.Kind == schema.List && n.Rule == 5 {
		n = n.Children[0]
	}
	near := closest.Of(name, len(n.Children), func(i int) string { return n.Children[i].Name })
	if near == "" {
		return ""
	}
	text := "; there is " + schema.FormatPath(append(slices.Clone(above), near))
	if strings.EqualFold(name, near) {
		text += ", and case matters"
	}
	return text
}

// AnyCase returns a condition in which a name that a file lacks is that of the column with this name
// in another case, where just one fits. It is for texts that people write: in a condition that a
// program pushes down, names are those of columns.
func AnyCase(e *filter.Expr) *filter.Expr {
	if e == nil {
		return nil
	}
	c := *treeOf(e)
	c.AnyCase = true
	return (*filter.Expr)(tree.NewExpr(&c))
}

// Table says which columns of a file have a wider type in the table that the file is a part of: 0.1 is the DOUBLE then,
// not the FLOAT, and CAST(x AS VARCHAR) has the digits of the table's DECIMAL.
type Table = tree.Table

// InTable returns a condition on a table for a file of it.
func InTable(e *filter.Expr, t *Table) *filter.Expr {
	c := *treeOf(e)
	c.Table = t
	return (*filter.Expr)(tree.NewExpr(&c))
}

// InTableOf returns a condition on the table that another one is on, if any.
func InTableOf(other, e *filter.Expr) *filter.Expr { return InTable(e, treeOf(other).Table) }

// namesInCase gives an operand of a condition whose names may be in any case the names that the file, a constant or the
// item that its condition is on has for it.
func (b *binder) namesInCase(o *tree.Operand) {
	if !b.anyCase || b.schema == nil || len(o.Path) == 0 {
		return
	}
	n, path := b.schema.Root(), slices.Clone(o.Path)
	o.Path = path
	if in := len(b.scopes) - 1; in >= 0 {
		if n = nil; strings.EqualFold(path[0], b.scopes[in].name) {
			n, path[0], path = b.scopes[in].item, b.scopes[in].name, path[1:]
		}
	}
	for i := 0; i < len(path) && n != nil && n.Type.Logical != vector.Variant; i++ {
		in, next := b.below(n, path[i])
		n, path[i] = next, b.nameInCase(in, path[i])
	}
}

// nameInCase returns the one name below n that is equal to a name in another case, where that is allowed; the
// name as it is where that exists, too, and where none or several are equal.
func (b *binder) nameInCase(n *schema.Node, name string) string {
	const maxChildren = 10_000 // as closest.Of
	if !b.anyCase || b.child(n, name) != nil || len(n.Children) > maxChildren {
		return name
	}
	var all []string
	for _, c := range n.Children {
		if strings.EqualFold(c.Name, name) {
			all = append(all, c.Name)
		}
	}
	if n.Parent == nil {
		for c := range b.constants {
			if strings.EqualFold(c, name) && !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return name
}
