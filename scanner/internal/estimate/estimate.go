package estimate

import (
	"math"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/pageindex"
)

// Rows says how many rows pass. AtLeast and AtMost are certain.
type Rows struct{ AtLeast, AtMost, Expected int64 }

// Group is a row group that a Judge has judged.
type Group struct {
	Judge  *pageindex.Judge
	Wanted vector.Ranges
	Bounds func(leaf *schema.Node) (pageindex.Bounds, error) // of the leaf's chunk
}

// All calls whole with how many rows pass a program, all if root is nil, and test with how many pass each of
// its tests.
func (g *Group) All(root *compile.Node, whole func(Rows), test func(t *compile.Test, r Rows)) error {
	if root == nil {
		n := g.Wanted.Len()
		whole(Rows{n, n, n})
		return nil
	}
	r, err := g.Of(root)
	whole(r)
	var visit func(*compile.Node)
	visit = func(node *compile.Node) {
		if node.Op == compile.OpTest && err == nil {
			r, err = g.Of(node)
			test(node.Test, r)
		}
		for _, a := range node.Args {
			visit(a)
		}
	}
	visit(root)
	return err
}

// Of returns how many of the wanted rows pass a node of the Judge's program.
func (g *Group) Of(n *compile.Node) (Rows, error) {
	none, all := g.Judge.Of(n)
	share, err := g.share(n)
	r := Rows{AtLeast: g.Wanted.And(all).Len(), AtMost: g.Wanted.AndNot(none).Len()}
	r.Expected = min(max(int64(math.Round(share*float64(g.Wanted.Len()))), r.AtLeast), r.AtMost)
	return r, err
}

// share returns the share of rows that are expected to pass a node.
func (g *Group) share(n *compile.Node) (float64, error) {
	product := func(of func(float64) float64) (float64, error) {
		p := 1.0
		for _, a := range n.Args {
			one, err := g.share(a)
			if err != nil {
				return 0, err
			}
			p *= of(one)
		}
		return of(p), nil
	}
	switch n.Op {
	case compile.OpTrue:
		return 1, nil
	case compile.OpFalse:
		return 0, nil
	case compile.OpAnd:
		return product(func(p float64) float64 { return p })
	case compile.OpComplement:
		p, err := g.share(n.Args[0])
		return 1 - p, err
	case compile.OpOr:
		return product(func(p float64) float64 { return 1 - p })
	case compile.OpTest:
		b, err := g.Bounds(n.Test.Leaf)
		return share(n.Test, &b), err
	}
	return unknownShare, nil
}
