package compile

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/tree"
)

// Items is a condition on how many items of a list pass a tree of conditions on one item. Within
// Root, the rows of a Test or of another Items are the items. An item is a slot of the leaves that
// repeat as often as the list does:
//
//	rows                        a            b
//	attrs.key     Rep == 1      k   j    k   (empty)
//	attrs.value                 v   NULL w   (empty)
//	Root                        1   0    0   no item
//
// It is immutable and safe for concurrent use.
type Items struct {
	Leaf       *schema.Node // by its levels rows have items
	Rep, Outer int          // repetition levels of the items, and of what has them: rows, or items of a list around
	Level      int          // the definition level from which on a slot is an item
	Root       *Node

	counts *slotTest // of the number of items that pass; nil: at least one
	named  string    // the list and the name of its items
}

// Counts reports whether it takes the number of items that pass, by FilterCounts, to decide a row.
// If not, one is enough.
func (i *Items) Counts() bool { return i.counts != nil }

// FilterCounts clears the bits of sel for the counts that do not pass.
func (i *Items) FilterCounts(sel []uint64, counts []int64) {
	i.counts.filter(sel, &vector.Vector{Type: vector.Type{Physical: vector.Int64}, Len: len(counts), Int64s: counts})
}

// passesNone reports whether a list passes none of whose items does.
func (i *Items) passesNone() bool {
	sel := []uint64{1}
	if i.counts != nil {
		i.FilterCounts(sel, []int64{0})
	}
	return i.counts != nil && sel[0] != 0
}

// String describes the condition for people.
func (i *Items) String() string {
	within := i.named + ": " + i.Root.String() + ")"
	if i.counts == nil {
		return "ANY(" + within
	}
	return i.counts.describe("COUNT(" + within)
}

// scope is a list of which a condition tests one item.
type scope struct {
	name string
	item *schema.Node
	rep  int // repetition level of the items
}

// rep returns the repetition level of what conditions are on: rows, or items.
func (b *binder) rep() int {
	if n := len(b.scopes); n > 0 {
		return b.scopes[n-1].rep
	}
	return 0
}

// isBareList reports whether n is repeated itself, and no item that the condition is on.
func (b *binder) isBareList(n *schema.Node) bool { return n.IsBare() && n.MaxRep > b.rep() }

// checkScope returns an error's text for an operand that a condition on an item, which is compiled, does not have.
func (b *binder) checkScope(o *tree.Operand) string {
	name := b.scopes[len(b.scopes)-1].name
	switch {
	case len(o.Path) == 0 || o.Path[0] != name:
		return o.PathText() + " is no field of " + tree.QuoteName(name) + ": of an item of a list, only fields of it are tested, as in " + tree.QuoteName(name) + ".key"
	case o.Items == nil && o.Quantifier != tree.NoQuantifier:
		return "the items of " + o.PathText() + " are within a list, and need a name: ANY(" + o.PathText() + " AS x: …)"
	}
	return ""
}

// compileItems compiles ANY or ALL of a condition on items. ALL is NOT ANY of the condition's NOT.
func (b *binder) compileItems(o tree.Operand, w passWhen) *Node {
	if o.Quantifier == tree.AllItems {
		o.Quantifier, w = tree.AnyItem, w.negated()
		o.Items = &tree.Items{Name: o.Items.Name, Condition: tree.Negation(o.Items.Condition)}
	}
	if !w.passesTrue() { // no item may be TRUE, or not FALSE
		return &Node{Op: OpComplement, Args: []*Node{b.compileItems(o, w.complement())}}
	}
	return &Node{Op: OpItems, Items: b.bindItemsOf(&o, w)}
}

// bindItemsOf binds the list of an operand and compiles the condition on its items, for those for
// which it is one of w. It returns nil after an error.
func (b *binder) bindItemsOf(o *tree.Operand, w passWhen) *Items {
	if o.Literal != nil {
		b.fail(o.At, o.Literal.Text)
		return nil
	}
	b.namesInCase(o)
	if len(b.scopes) == 0 && len(b.constants) > 0 && b.isNullConstant(o.Path) {
		return &Items{Root: &Node{}}
	}
	n := b.lookup(*o)
	if n == nil {
		return nil
	}
	list, item := n, n
	switch {
	case b.isBareList(n):
	case n.Kind == schema.List:
		list, item = n.Children[0], n.Item()
	case n.Kind == schema.Map:
		list, item = n.Children[0], n.Children[0]
	default:
		b.fail(o.At, o.PathText()+" is no list or map: ANY, ALL, NONE, COUNT and EXISTS are for the items of one")
		return nil
	}
	leaf := item.Shallowest()
	switch {
	case list.MaxRep > b.rep()+1:
		b.fail(o.At, o.PathText()+" is within a list, whose items need a name, too: ANY(list AS x: ANY(x.… AS y: …))")
		return nil
	case leaf == nil:
		b.fail(o.At, o.PathText()+" has items without fields")
		return nil
	}
	b.scopes = append(b.scopes, scope{o.Items.Name, item, list.MaxRep})
	root := b.compile(o.Items.Condition, w)
	b.scopes = b.scopes[:len(b.scopes)-1]
	root.walk(func(n *Node) {
		if n.Op == OpCompute {
			b.fail(o.At, "of an item, each condition tests one field, and compares it with constants: "+n.Compute.text()+" does not")
		}
	})
	return &Items{Leaf: leaf, Rep: list.MaxRep, Outer: b.rep(), Level: list.MaxDef, Root: root, named: o.PathText() + " AS " + tree.QuoteName(o.Items.Name)}
}

// simplifyItems simplifies the tree of an Items. Beside one on rows, it puts tests that all of its
// rows pass: each condition on one field, as ANY. By their columns' metadata rows are skipped.
func (b *binder) simplifyItems(n *Node) *Node {
	items := *n.Items
	items.Root = b.simplify(items.Root)
	if items.Root.Op == OpFalse {
		return constantNode(items.passesNone())
	}
	if leaves := (&Program{Root: items.Root}).Leaves(); len(leaves) > 0 { // one that is read anyway
		items.Leaf = leaves[0]
	}
	out := &Node{Op: OpItems, Items: &items}
	if items.Outer > 0 || items.passesNone() {
		return out
	}
	implied := b.simplify(impliedBy(items.Root))
	if t := items.Root.Test; t != nil && items.counts == nil && t.slot.nullLevel == 0 && !t.slot.set.Null {
		return implied // the same rows pass it
	}
	all := []*Node{implied}
	switch implied.Op {
	case OpTrue:
		return out
	case OpAnd:
		all = implied.Args
	}
	for _, a := range all {
		a.Implied = true
	}
	return &Node{Op: OpAnd, Args: append(all, out)}
}

// impliedBy returns a node that all rows pass with an item that passes n.
func impliedBy(n *Node) *Node {
	switch {
	case n.Op == OpTest:
		t := *n.Test
		t.ofItem = false
		if t.Pred == nil {
			t.Pred = &pred.Test{}
		}
		return &Node{Op: OpTest, Test: &t}
	case n.Op == OpAnd || n.Op == OpOr:
		out := &Node{Op: n.Op}
		for _, a := range n.Args {
			out.Args = append(out.Args, impliedBy(a))
		}
		return out
	case n.Op == OpItems && !n.Items.passesNone():
		return impliedBy(n.Items.Root)
	}
	return constantNode(true)
}

// Hint says that two tests that a row must pass, each on any item of the same list, may be passed by
// different items; it is "" without such tests.
func (p *Program) Hint() string {
	lists := map[*schema.Node]*Test{}
	for _, n := range p.Root.Args {
		if p.Root.Op != OpAnd || n.Op != OpTest || n.Implied || n.Test.Leaf.MaxRep == 0 || n.Test.Pred.All || n.Test.slot.nullLevel > 0 {
			continue
		}
		list := n.Test.Leaf
		for list.Repetition != schema.Repeated {
			list = list.Parent
		}
		if other := lists[list]; other != nil && other.Leaf != n.Test.Leaf {
			return "different items may pass " + other.String() + " and " + n.Test.String() + "; of one item, say ANY(list AS x: … AND …)"
		}
		lists[list] = n.Test
	}
	return ""
}
