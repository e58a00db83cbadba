package filter

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Op is what a Node does.
type Op uint8

const (
	OpFalse      Op = iota // no row passes
	OpTrue                 // every row does
	OpAnd                  // rows that pass all Args
	OpOr                   // rows that pass one of Args, each asked for rows that passed none before
	OpComplement           // rows that do not pass Args[0]
	OpTest                 // rows that pass Test
	OpCompute              // rows that pass Compute
)

// Node is a step of a Program. It lets pass, or not: NULL and negation are
// settled in the leaves, so that one bitmap is enough.
type Node struct {
	Op      Op
	Args    []*Node
	Test    *Test
	Compute *Compute
}

// Test is a test of one leaf column. Where the column repeats, Pred asks for
// any or for all of a row's items. Pred may be of Kind Null with a Level above
// the leaf: then it is about a list or struct.
type Test struct {
	Leaf *schema.Node
	Pred *pred.Test

	slot slotTest
}

// slotTest is a test of one slot.
type slotTest struct {
	domain *domain
	set    subset // what passes; of a text test, NULL and what values may pass

	// The test of values where comparing does not do: LIKE, suffixes, regular
	// expressions.
	valueTest *pred.Test
	phrase    string // by text, behind the column's name

	nullLevel int // what is NULL is not the leaf, but something above it: slots below this level
}

// Mask returns a bit for each entry of a dictionary, which is flat and has no
// NULLs: set if it passes. NULL passes no Test but one of Kind Null.
func (t *Test) Mask(dictionary *vector.Vector) []uint64 {
	mask := make([]uint64, bits.Words(dictionary.Len))
	if t.Pred.Kind == pred.Null {
		if t.Pred.Negate {
			bits.SetRange(mask, 0, dictionary.Len)
		}
		return mask
	}
	bits.SetRange(mask, 0, dictionary.Len)
	t.Pred.Narrow(mask, dictionary)
	return mask
}

// Keys returns the values, in PLAIN encoding without length prefix, of which a
// row has to have one to pass: what a Bloom filter can be asked for. ok is
// false where they are not a few.
func (t *Test) Keys() (keys [][]byte, ok bool) {
	s := &t.slot
	if s.valueTest != nil || s.nullLevel > 0 || s.set.null || s.set.nan || t.Pred.All {
		return nil, false
	}
	points, ok := s.domain.enumerate(&s.set, maxPoints(&s.set))
	if !ok {
		return nil, false
	}
	for _, k := range points {
		keys = append(keys, s.domain.plain(k))
	}
	return keys, true
}

// Program is an expression bound to a file's schema. It does not change and
// may be shared.
type Program struct {
	Root *Node
}

// Tests returns the tests of leaves, in the order in which they are written.
func (p *Program) Tests() []*Test {
	var all []*Test
	p.Root.walk(func(n *Node) {
		if n.Test != nil {
			all = append(all, n.Test)
		}
	})
	return all
}

// Leaves returns the leaf columns that the program asks, none twice, in the
// order in which they are written. Of a list or map whose lengths alone are
// wanted, it is the one whose levels cost least.
func (p *Program) Leaves() []*schema.Node {
	var all []*schema.Node
	seen := map[*schema.Node]bool{}
	add := func(leaf *schema.Node) {
		if leaf != nil && !seen[leaf] {
			seen[leaf] = true
			all = append(all, leaf)
		}
	}
	var below func(n *schema.Node)
	below = func(n *schema.Node) {
		if n.Kind == schema.Leaf {
			add(n)
		}
		for _, c := range n.Children {
			below(c)
		}
	}
	p.Root.walk(func(n *Node) {
		switch n.Op {
		case OpTest:
			add(n.Test.Leaf)
		case OpCompute:
			for _, need := range n.Compute.Needs {
				if need.Lengths {
					add(need.Node.Shallowest())
				} else {
					below(need.Node)
				}
			}
		}
	})
	return all
}

// Conjoin returns the program of the rows that pass all programs, which are
// bound to the same schema; nil ones let all rows pass. It has their conditions
// side by side, the very Nodes, so that what was learnt about one while it ran
// holds when others come and go. Their Args are not changed.
func Conjoin(programs ...*Program) *Program {
	var args []*Node
	restricting, last := 0, (*Program)(nil) // those that do not let all rows pass
	for _, p := range programs {
		switch {
		case p == nil || p.Root.Op == OpTrue:
			continue
		case p.Root.Op == OpFalse:
			return p
		}
		restricting, last = restricting+1, p
	}
	switch restricting {
	case 0:
		return &Program{Root: constantNode(true)}
	case 1:
		return last
	}
	for _, p := range programs {
		switch {
		case p == nil || p.Root.Op == OpTrue:
		case p.Root.Op == OpAnd:
			args = append(args, p.Root.Args...)
		default:
			args = append(args, p.Root)
		}
	}
	return &Program{Root: &Node{Op: OpAnd, Args: args}}
}

func (n *Node) walk(f func(*Node)) {
	f(n)
	for _, a := range n.Args {
		a.walk(f)
	}
}

// Run is the program's meaning: it clears in sel the bits of the n rows that do
// not pass. test and compute do that for one leaf of it; they are called with
// no more rows than can still change the answer.
func (p *Program) Run(sel []uint64, n int, test func(*Test, []uint64) error, compute func(*Compute, []uint64) error) error {
	return p.Root.run(sel[:bits.Words(n)], n, test, compute)
}

func (o *Node) run(sel []uint64, n int, test func(*Test, []uint64) error, compute func(*Compute, []uint64) error) error {
	if !bits.Any(sel, 0, n) {
		return nil
	}
	switch o.Op {
	case OpTrue:
	case OpFalse:
		bits.ClearRange(sel, 0, n)
	case OpTest:
		return test(o.Test, sel)
	case OpCompute:
		return compute(o.Compute, sel)
	case OpAnd:
		for _, a := range o.Args {
			if err := a.run(sel, n, test, compute); err != nil {
				return err
			}
		}
	case OpComplement:
		passed := append([]uint64(nil), sel...)
		if err := o.Args[0].run(passed, n, test, compute); err != nil {
			return err
		}
		bits.AndNot(sel, passed)
	case OpOr:
		undecided, passed := append([]uint64(nil), sel...), make([]uint64, len(sel))
		for _, a := range o.Args {
			copy(passed, undecided)
			if err := a.run(passed, n, test, compute); err != nil {
				return err
			}
			bits.AndNot(undecided, passed)
		}
		bits.AndNot(sel, undecided)
	}
	return nil
}
