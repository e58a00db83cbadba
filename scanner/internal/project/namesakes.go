package project

import (
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
)

// Several columns of a file, or fields of a struct, may have one name. The first mention of a
// name by a host is the first of them, the second the second, and so on; mentions behind the
// last are the last.

// namesakes finds the children of a node by mentions of their names.
type namesakes struct {
	of       *schema.Node
	schema   *schema.Schema // of whose root the children are, which finds them faster; nil: of another node
	mentions map[string]int
	byName   map[string][]*schema.Node // once it is needed
}

// next returns the child for one more mention of a name, nil if there is none.
func (x *namesakes) next(name string) *schema.Node {
	if x.mentions == nil {
		x.mentions = map[string]int{}
	}
	before := x.mentions[name]
	x.mentions[name]++
	if before == 0 && x.schema != nil {
		return x.schema.Find(name)
	}
	return nth(x.all(name), before)
}

// all returns the children with a name.
func (x *namesakes) all(name string) []*schema.Node {
	if x.byName == nil {
		x.byName = map[string][]*schema.Node{}
		for _, n := range x.of.Children {
			x.byName[n.Name] = append(x.byName[n.Name], n)
		}
	}
	return x.byName[name]
}

func nth(nodes []*schema.Node, n int) *schema.Node {
	if len(nodes) == 0 {
		return nil
	}
	return nodes[min(n, len(nodes)-1)]
}

// pathNamesakes finds nodes by mentions of their paths.
type pathNamesakes struct {
	schema   *schema.Schema
	mentions map[*schema.Node]int // of the path whose first node it is
	below    map[*schema.Node]*namesakes
	found    map[*schema.Node][]*schema.Node // the nodes of a path, by the first
}

// next returns the steps, as those of Path, for one more mention of a path.
func (x *pathNamesakes) next(path string) ([]*schema.Node, error) {
	steps, err := Path(x.schema, nil, path)
	if err != nil {
		return nil, err
	}
	first := steps[len(steps)-1]
	before := x.mentions[first]
	if x.mentions[first]++; before == 0 {
		return steps, nil
	}
	if x.found[first] == nil {
		x.found[first] = x.all(first.Path())
	}
	return stepsTo(nth(x.found[first], before)), nil
}

// all returns the nodes with a path of names.
func (x *pathNamesakes) all(path []string) []*schema.Node {
	nodes := []*schema.Node{x.schema.Root()}
	for _, name := range path {
		var next []*schema.Node
		for _, n := range nodes {
			if x.below[n] == nil {
				x.below[n] = &namesakes{of: n}
			}
			next = append(next, x.below[n].all(name)...)
		}
		nodes = next
	}
	return nodes
}

// stepsTo returns the steps that Path returns for a node.
func stepsTo(n *schema.Node) (steps []*schema.Node) {
	for ; n.Parent != nil; n = n.Parent {
		if p := n.Parent; p.Kind != schema.Map && (p.Kind != schema.List || p.Item() == n) {
			steps = append(steps, n)
		}
	}
	slices.Reverse(steps)
	return steps
}
