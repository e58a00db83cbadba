package assemble

import (
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// check says what has to hold for the levels of a source.
type check struct {
	lists  []slots // repetition and definition level of the items of the lists above it, up to shared
	shared slots   // of the deepest node above both it and the source before
	deeper bool    // a list lies between that node and one of the two
}

// checksOf returns the checks of sources, which are in the order of the tree. It is
// enough to compare each source with the one before: the deepest node above any
// two sources is above all those in between, so equality carries over.
func checksOf(sources []Source) []check {
	checks := make([]check, len(sources))
	for i := range sources {
		c, leaf := &checks[i], sources[i].Node
		if i > 0 {
			before := sources[i-1].Node
			above := common(before, leaf)
			c.shared = slots{uint8(above.MaxRep), uint8(above.MaxDef)}
			c.deeper = leaf.MaxRep > above.MaxRep || before.MaxRep > above.MaxRep
		}
		for n := leaf; n.Parent != nil; n = n.Parent {
			// The check of the source before covers the lists above the shared node.
			if n.Repetition == schema.Repeated && n.MaxRep > int(c.shared.rep) {
				c.lists = append(c.lists, slots{uint8(n.MaxRep), uint8(n.MaxDef)})
			}
		}
	}
	return checks
}

// common returns the deepest node that is or is above both a and b.
func common(a, b *schema.Node) *schema.Node {
	above := map[*schema.Node]bool{}
	for n := a; n != nil; n = n.Parent {
		above[n] = true
	}
	for !above[b] {
		b = b.Parent
	}
	return b
}

// verify returns an error if the levels of the leaves contradict each other or rows.
func (p *Plan) verify(leaves []Leaf, rows int) error {
	for i := range p.checks {
		c, l, n := &p.checks[i], &leaves[i], p.sources[i].Node
		entries := l.entries()
		if int64(entries) > 1<<31-1 {
			return corrupt.NotSupported(entries, " entries of ", n.String(), " in a batch")
		}
		if n.MaxDef > 0 && len(l.Def) != entries || n.MaxRep > 0 && len(l.Rep) != entries || n.MaxDef == 0 && len(l.Def) > 0 || n.MaxRep == 0 && len(l.Rep) > 0 {
			return faultOf(n, "has ", len(l.Rep), " repetition and ", len(l.Def), " definition levels")
		}
		if c.shared.def > 0 { // not of the first source
			if slot := disagreement(leaves[i-1], *l, c.shared, c.deeper); slot >= 0 {
				return faultOf(n, "has another structure than ", p.sources[i-1].Node.String(), " from slot ", slot, " on")
			}
		}
		for _, list := range c.lists {
			if at := firstOrphan(l.Rep, l.Def, list.rep, list.def); at >= 0 {
				return faultOf(n, "goes on at entry ", at, " with a list that has no item")
			}
		}
		if c.shared.rep == 0 {
			if have := entries - count(l.Rep, 1); have != rows {
				return faultOf(n, "has ", have, " rows where ", rows, " are wanted")
			}
		}
	}
	return nil
}

// faultOf returns an error that names n.
func faultOf(n *schema.Node, parts ...any) error {
	err := corrupt.At(-1, append([]any{n.String(), " "}, parts...)...)
	return corrupt.Within(err, "nesting", 0)
}
