package compile

import (
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/tree"
)

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

// namesInCase gives an operand of a condition whose names may be in any case the names that the file, a constant or the
// item that its condition is on has for it.
func (b *binder) namesInCase(o *tree.Operand) {
	if !b.anyCase || o.Literal != nil || b.schema == nil {
		return
	}
	if _, ok := b.constants[schema.FormatPath(o.Path)]; ok && len(b.scopes) == 0 {
		return
	}
	n, path := b.schema.Root(), slices.Clone(o.Path)
	o.Path = path
	if len(b.scopes) > 0 {
		s := b.scopes[len(b.scopes)-1]
		if len(path) == 0 || !strings.EqualFold(path[0], s.name) {
			return
		}
		path[0] = s.name
		n, path = s.item, path[1:]
	}
	for i := 0; i < len(path) && n != nil; i++ {
		_, n, path[i] = b.below(n, path[i], true)
	}
}

// nameInCase returns the one name below n that is equal to a name in another case; the name as it is
// where that exists, too, and where none or several are equal.
func (b *binder) nameInCase(n *schema.Node, name string) string {
	const maxChildren = 10_000 // as closestName
	if b.child(n, name) != nil || len(n.Children) > maxChildren {
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
