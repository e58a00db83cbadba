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

// Of returns how many of the wanted rows pass a node of the Judge's program.
func (g *Group) Of(n *compile.Node) (Rows, error) {
	none, all := g.Judge.Of(n)
	share, err := shareOfNode(n, g.Bounds)
	r := Rows{AtLeast: g.Wanted.And(all).Len(), AtMost: g.Wanted.AndNot(none).Len()}
	r.Expected = min(max(int64(math.Round(share.expected*float64(g.Wanted.Len()))), r.AtLeast), r.AtMost)
	return r, err
}

// ShareOf returns the share of rows that are expected to pass a node.
func ShareOf(n *compile.Node, bounds func(leaf *schema.Node) (pageindex.Bounds, error)) (float64, error) {
	share, err := shareOfNode(n, bounds)
	return share.expected, err
}

// enoughForPage is how many rows of a page must be expected to pass for the page to be wanted nearly
// always, even if they are not quite evenly spread.
const enoughForPage = 8

// EachPagePasses reports whether nearly each page of so many rows has rows that pass, if values are spread evenly
// between their bounds. What bounds do not decide, such as which strings there are, counts as if it did not pass.
func EachPagePasses(n *compile.Node, bounds func(leaf *schema.Node) (pageindex.Bounds, error), rows int64) (bool, error) {
	share, err := shareOfNode(n, bounds)
	return share.decided*float64(rows) >= enoughForPage, err
}

// shares are shares of rows that pass: as expected, and without what bounds do not decide.
type shares struct{ expected, decided float64 }

// shareOfNode returns the share of rows that pass a node.
func shareOfNode(n *compile.Node, bounds func(leaf *schema.Node) (pageindex.Bounds, error)) (shares, error) {
	product := func(of func(float64) float64) (shares, error) {
		p := shares{1, 1}
		for _, a := range n.Args {
			one, err := shareOfNode(a, bounds)
			if err != nil {
				return shares{}, err
			}
			p.expected *= of(one.expected)
			p.decided *= of(one.decided)
		}
		return shares{of(p.expected), of(p.decided)}, nil
	}
	switch n.Op {
	case compile.OpTrue:
		return shares{1, 1}, nil
	case compile.OpFalse:
		return shares{}, nil
	case compile.OpAnd:
		return product(func(p float64) float64 { return p })
	case compile.OpComplement:
		p, err := shareOfNode(n.Args[0], bounds)
		return shares{1 - p.expected, 0}, err
	case compile.OpOr:
		return product(func(p float64) float64 { return 1 - p })
	case compile.OpTest:
		b, err := bounds(n.Test.Leaf)
		return shareOfTest(n.Test, &b), err
	}
	return unknown, nil
}
