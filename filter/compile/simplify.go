package compile

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// simplify returns an equivalent tree without constant nodes below the root, with
// the tests of one column fused.
func (b *binder) simplify(n *Node) *Node {
	switch n.Op {
	case OpAnd, OpOr:
		return b.join(n)
	case OpComplement:
		switch a := b.simplify(n.Args[0]); a.Op {
		case OpTrue, OpFalse:
			return constantNode(a.Op == OpFalse)
		case OpComplement:
			return a.Args[0]
		default:
			return &Node{Op: OpComplement, Args: []*Node{a}}
		}
	case OpTest:
		return n.Test.simplify(n)
	case OpItems:
		return b.simplifyItems(n)
	}
	return n
}

// join simplifies AND and OR, which are dual to each other.
func (b *binder) join(n *Node) *Node {
	absorbing, neutral := OpFalse, OpTrue // FALSE decides AND, TRUE has no effect on it; OR is the reverse
	if n.Op == OpOr {
		absorbing, neutral = neutral, absorbing
	}
	args := make([]*Node, 0, len(n.Args))
	tests := map[*schema.Node][]int{} // by leaf: indexes in args of the tests that can fuse
	var add func(a *Node) bool
	add = func(a *Node) bool {
		switch {
		case a.Op == absorbing:
			return false
		case a.Op == neutral:
			return true
		case a.Op == n.Op && a.InOrder == n.InOrder: // another order would be lost
			for _, c := range a.Args {
				if !add(c) {
					return false
				}
			}
			return true
		}
		if a.Op == OpTest && a.Test.Pred == nil && a.Test.slot.valueTest == nil { // of a leaf with one slot for each row, or item
			tests[a.Test.Leaf] = append(tests[a.Test.Leaf], len(args))
		}
		args = append(args, a)
		return true
	}
	for _, a := range n.Args {
		if !add(b.simplify(a)) {
			return &Node{Op: absorbing}
		}
	}
	for _, at := range tests {
		fuse(n.Op, args, at)
	}
	kept := args[:0]
	for _, a := range args {
		switch {
		case a == nil || a.Op == neutral:
		case a.Op == absorbing:
			return a
		default:
			kept = append(kept, a)
		}
	}
	switch len(kept) {
	case 0:
		return &Node{Op: neutral}
	case 1:
		return kept[0]
	}
	return &Node{Op: n.Op, Args: kept, InOrder: n.InOrder}
}

// fuse fuses the tests of one leaf, args[i] for each i in at. If the fused test of
// all has a kernel, it replaces the first and the others become nil. Otherwise fuse
// does the same for each pair whose fused test has a kernel.
func fuse(o Op, args []*Node, at []int) {
	const maxPairwise = 32 // longer lists are fused in any case: trying pairs takes quadratic time
	if len(at) < 2 {
		return
	}
	all := fuseAll(o, args, at)
	if _, ok := all.slot.domain.Kernel(&all.slot.set); ok || len(at) > maxPairwise {
		for _, i := range at[1:] {
			args[i] = nil
		}
		args[at[0]] = all.simplify(&Node{Op: OpTest, Test: all})
		return
	}
	isTest := func(n *Node) bool { return n != nil && n.Op == OpTest }
	for j, i := range at {
		for _, k := range at[j+1:] {
			if len(at) > 2 && isTest(args[i]) && isTest(args[k]) {
				fuse(o, args, []int{i, k})
			}
		}
	}
}

// fuseAll returns the fused test of several. It halves the list, so that fusing n tests
// takes O(n log n) time.
func fuseAll(o Op, args []*Node, at []int) *Test {
	if len(at) == 1 {
		return args[at[0]].Test
	}
	x, y := fuseAll(o, args, at[:len(at)/2]), fuseAll(o, args, at[len(at)/2:])
	set := x.slot.set
	if o == OpAnd {
		set = set.And(y.slot.set)
	} else {
		set = set.Or(y.slot.set)
	}
	return &Test{Leaf: x.Leaf, slot: slotTest{domain: x.slot.domain, set: set}, ofItem: x.ofItem}
}

// simplify returns n, the node of t, or a constant node if t passes all rows or none.
func (t *Test) simplify(n *Node) *Node {
	s := &t.slot
	if t.Pred != nil || s.valueTest != nil {
		if t.Leaf.MaxRep > 0 && s.nullLevel == 0 && s.valueTest == nil && !t.Pred.All && s.noValues() && !s.set.Null {
			return &Node{} // none of the items passes
		}
		return n
	}
	switch {
	case s.allValues() && (s.set.Null || t.Leaf.MaxDef == 0):
		return &Node{Op: OpTrue}
	case s.noValues() && (!s.set.Null || t.Leaf.MaxDef == 0):
		return &Node{}
	}
	return n
}

// lower sets the Pred of each test. A test that both values and NULL pass becomes an
// OR of two.
func (b *binder) lower(n *Node) *Node {
	for i, a := range n.Args {
		n.Args[i] = b.lower(a)
	}
	if n.Op == OpItems {
		n.Items.Root = b.lower(n.Items.Root)
	}
	if n.Op != OpTest || n.Test.slot.nullLevel > 0 {
		return n
	}
	t := n.Test
	s := &t.slot
	all := t.Pred != nil && t.Pred.All
	null := s.set.Null && t.Leaf.MaxDef > 0
	onlyNull := null && s.valueTest == nil && s.noValues()
	switch {
	case onlyNull:
		t.Pred = pred.IsNull(0)
	case s.valueTest != nil:
		lowered := *s.valueTest
		t.Pred = &lowered
	default:
		values := s.set
		values.Null = false
		t.Pred = s.domain.Lower(&values)
	}
	t.Pred.All = all
	if !null || onlyNull {
		return n
	}
	without := *t
	without.slot.set.Null = false
	isNull := &Test{Leaf: t.Leaf, Pred: pred.IsNull(0), slot: slotTest{domain: s.domain, set: value.Subset{Null: true}}, ofItem: t.ofItem}
	return &Node{Op: OpOr, Implied: n.Implied, Args: []*Node{{Op: OpTest, Test: &without}, {Op: OpTest, Test: isNull}}}
}
