package project

import (
	"cmp"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
)

// pick is a node and the selected parts of it.
type pick struct {
	node     *schema.Node
	parts    []*pick             // nil: all of it
	constant *assemble.Projected // nil: a column of the file
	itemPath []*schema.Node      // nil: a column of rows
	within   *compile.Path       // not nil: a column of values within a VARIANT
}

// Select resolves the paths of a selection: one part of each column that they name,
// in the order in which they first name it. Names of constants are columns, too. A path that
// comes again names the next column, or part, that has it. Each path that leads into lists
// on the way of unnested, or is this way, has a column of its own, and so has one into a VARIANT.
func Select(s *schema.Schema, paths []string, constants filter.Constants, unnested []*schema.Node) ([]Output, error) {
	picks := make([]*pick, 0, len(paths))
	nodes := pathNamesakes{s, map[*schema.Node]int{}, map[*schema.Node]*namesakes{}, map[*schema.Node][]*schema.Node{}}
	byNode := map[*schema.Node][]*pick{}
next:
	for _, path := range paths {
		projected, err := selectConstant(constants, path)
		if projected != nil {
			picks = append(picks, &pick{constant: projected})
			continue
		}
		var steps []*schema.Node
		if err == nil {
			steps, err = nodes.next(path)
		}
		if err != nil {
			within, fault := compile.BindPath(path, s, constants)
			if within == nil {
				return nil, cmp.Or(fault, err)
			}
			picks = append(picks, &pick{within: within})
			continue
		}
		if slices.Equal(steps, unnested) || ListsShared(steps, unnested) > 0 {
			picks = append(picks, newPick(steps))
			picks[len(picks)-1].itemPath = steps
			continue
		}
		same := byNode[steps[0]]
		for _, p := range same {
			if p.merge(steps[1:]) {
				continue next
			}
		}
		p := newPick(steps)
		if picks = append(picks, p); p.parts != nil { // else nothing is merged with it
			byNode[p.node] = append(same, p)
		}
	}
	outs := make([]Output, len(picks))
	for i, p := range picks {
		if outs[i].ItemPath, outs[i].Within = p.itemPath, p.within; p.within == nil {
			outs[i].Projected = p.projected()
		}
	}
	return outs, nil
}

// ListsShared returns how many lists a path has in common with another, such that its end
// lies within them. Paths are those of Path.
func ListsShared(path, other []*schema.Node) (lists int) {
	for i := 0; i+1 < len(path) && i < len(other) && path[i] == other[i]; i++ {
		if IsList(path[i]) {
			lists++
		}
	}
	return lists
}

// IsList reports whether each slot of a node has items.
func IsList(n *schema.Node) bool {
	return n.Kind == schema.List || n.Kind == schema.Map || n.IsBare()
}

// ItemName returns the name of a path in lists: without the items themselves.
func ItemName(path []*schema.Node) string {
	names := []string{path[0].Name}
	for i, n := range path[1:] {
		switch above := path[i]; {
		case above.Kind == schema.List:
		case above.Kind == schema.Map && n == above.Key():
			names = append(names, "key")
		case above.Kind == schema.Map:
			names = append(names, "value")
		default:
			names = append(names, n.Name)
		}
	}
	return schema.FormatPath(names)
}

// All returns all columns of the file, in its order. Constants take the
// places of the columns that they hide.
func All(s *schema.Schema, constants filter.Constants) (outs []Output, err error) {
	outs = make([]Output, 0, len(s.Root().Children))
	for _, n := range s.Root().Children {
		projected := assemble.Whole(n)
		if v, ok := constantOf(constants, n.Name); ok {
			if projected, err = projectConstant(n.Name, v); err != nil {
				return nil, err
			}
		}
		outs = append(outs, Output{Projected: projected})
	}
	return outs, nil
}

// Along projects what of the first of steps the others lead to. Steps are
// those of Path.
func Along(steps []*schema.Node) assemble.Projected { return newPick(steps).projected() }

// ForNeed projects what a compute needs of a node: all, or what gives lengths.
func ForNeed(node *schema.Node, lengths bool) assemble.Projected {
	if !lengths {
		return assemble.Whole(node)
	}
	// The levels of any leaf below give the lengths: use those of the shallowest.
	steps := []*schema.Node{node}
	for n := node; n.Kind != schema.Leaf; steps = append(steps, n) {
		switch n.Kind {
		case schema.List:
			n = n.Item()
		case schema.Map:
			n = n.Key()
		default:
			n = n.Children[slices.IndexFunc(n.Children, func(c *schema.Node) bool { return c.Shallowest() == n.Shallowest() })]
		}
	}
	return Along(steps)
}

func newPick(steps []*schema.Node) *pick {
	p := &pick{node: steps[0]}
	if len(steps) > 1 {
		p.parts = []*pick{newPick(steps[1:])}
	}
	return p
}

// merge adds the node at the end of steps below p. It returns false if that overlaps with
// a node that p has already.
func (p *pick) merge(steps []*schema.Node) bool {
	if p.parts == nil || len(steps) == 0 {
		return false
	}
	for _, c := range p.parts {
		if c.node == steps[0] {
			return c.merge(steps[1:])
		}
	}
	p.parts = append(p.parts, newPick(steps))
	return true
}

// projected returns p as package assemble wants it.
func (p *pick) projected() assemble.Projected {
	switch {
	case p.constant != nil:
		return *p.constant
	case p.parts == nil:
		return assemble.Whole(p.node)
	}
	projected := assemble.Projected{Node: p.node}
	if p.node.Kind != schema.Map {
		for _, c := range p.parts {
			projected.Children = append(projected.Children, c.projected())
		}
		return projected
	}
	// A map always comes with its keys.
	projected.Children = []assemble.Projected{assemble.Whole(p.node.Key())}
	for _, c := range p.parts {
		if c.node == p.node.Key() {
			projected.Children[0] = c.projected()
		} else {
			projected.Children = append(projected.Children, c.projected())
		}
	}
	return projected
}

// Path resolves a path: the nodes that it leads through, by a host's names of them
// first. The node in the middle of a list or map is left out.
func Path(s *schema.Schema, host compile.Names, path string) ([]*schema.Node, error) {
	names, err := schema.ParsePath(path)
	if err != nil {
		return nil, err
	}
	n := host.Below(s.Root(), names[0])
	if n == nil {
		n = s.Find(names[0])
	}
	if n == nil {
		return nil, NoColumn("no column " + schema.FormatPath(names[:1]) + compile.ThereIs(s.Root(), names[0], nil))
	}
	steps := []*schema.Node{n}
	for i := 1; i < len(names); {
		next, used := host.Below(n, names[i]), 1
		if next == nil {
			next, used = below(n, names[i:])
		}
		if next == nil {
			text := "no column " + schema.FormatPath(names[:i+1]) + ": " + n.String() + " has " + partsOf(n)
			return nil, NoColumn(text)
		}
		i += used
		if next != n {
			steps = append(steps, next)
		}
		n = next
	}
	return steps, nil
}

// below returns the part of n at the start of names, and how many names that used. The
// parts of lists and maps have the file's names, or "item", "key" and "value"; a path
// may also skip a list.
func below(n *schema.Node, names []string) (*schema.Node, int) {
	name := names[0]
	switch n.Kind {
	case schema.List:
		body, item := n.Children[0], n.Item()
		if body != item && name == body.Name && len(names) > 1 {
			if names[1] == item.Name || names[1] == "item" {
				return item, 2
			}
		}
		if name == item.Name || name == body.Name || name == "item" {
			return item, 1
		}
		if next, _ := below(item, names); next != nil {
			return item, 0
		}
	case schema.Map:
		pair, key, value := n.Children[0], n.Key(), n.Value()
		used := 1
		if name == pair.Name && len(names) > 1 {
			name, used = names[1], 2
		}
		switch {
		case name == key.Name || name == "key":
			return key, used
		case value != nil && (name == value.Name || name == "value"):
			return value, used
		}
	default:
		for _, c := range n.Children {
			if c.Name == name {
				return c, 1
			}
		}
		if name == "item" && n.Repetition == schema.Repeated {
			return n, 1
		}
	}
	return nil, 0
}

// partsOf lists the names with which a path can go on below n.
func partsOf(n *schema.Node) string {
	switch n.Kind {
	case schema.Leaf:
		return "no parts"
	case schema.Struct:
		if n.Type.Logical == vector.Variant {
			return "values, paths into which are for conditions, and for columns that are returned"
		}
	case schema.List:
		if item := n.Item(); item.Kind == schema.Struct {
			return "items with " + partsOf(item)
		}
		return "the part item"
	case schema.Map:
		return "the parts key and value"
	}
	var names []string
	for i, c := range n.Children {
		if i == 8 {
			names = append(names, "…")
			break
		}
		names = append(names, schema.FormatPath([]string{c.Name}))
	}
	if names == nil {
		return "no fields"
	}
	return "the fields " + strings.Join(names, ", ")
}
