package compile

import (
	"slices"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Op is the kind of a Node.
type Op uint8

const (
	OpFalse      Op = iota // no row passes
	OpTrue                 // all rows pass
	OpAnd                  // rows that pass all Args
	OpOr                   // rows that pass at least one of Args; each is run on rows that passed none before it
	OpComplement           // rows that do not pass Args[0]
	OpTest                 // rows that pass Test
	OpCompute              // rows that pass Compute
	OpItems                // rows that pass Items
)

// Node is a node of a Program's tree. A row passes it or does not: NULL and negation
// are resolved in the leaves, so that one bitmap holds the result. Nodes are
// immutable and may be shared by Programs.
type Node struct {
	Op      Op
	Args    []*Node
	Test    *Test
	Compute *Compute
	Items   *Items

	// InOrder says that the first of Args are better run first, whatever they cost: they save the others' pages.
	InOrder bool

	// Implied says that the node is one of an And whose others imply it: it only saves them rows.
	Implied bool
}

// Test is a test of one leaf column. Where the column repeats, Pred.All says whether
// all of a row's items must pass or any. Pred may be of Kind Null with a Level above
// the leaf: then it tests a list or struct.
type Test struct {
	Leaf *schema.Node
	Pred *pred.Test

	slot   slotTest
	ofItem bool // within an Items: of one item
}

// slotTest is a test of one slot. It has one of three shapes: a set of values; a search in strings,
// which is a valueTest with a phrase, and in set the strings with its prefix; or a function of values,
// pred.By as valueTest, with what passes at most in set. Bounds are asked by set, Bloom filters by a
// set alone.
type slotTest struct {
	domain *value.Domain
	set    value.Subset // the slots that pass; with a valueTest, NULL and a superset of the values that pass

	// valueTest tests values where comparisons cannot: LIKE, suffixes, regular
	// expressions, InKeys. Nil otherwise.
	valueTest *pred.Test
	phrase    string // description of valueTest, for after the column's name
	words     string // description of the whole test, in place of one; "" if phrase has it

	nullLevel int // if not 0, NULL means slots below this definition level: a struct or list above the leaf
}

// allValues and noValues report whether all values pass, or none, NaN included.
func (t *slotTest) allValues() bool { return t.set.HasAllValues() && (t.set.NaN || !t.domain.HasNaN()) }
func (t *slotTest) noValues() bool  { return t.set.HasNoValues() && !(t.set.NaN && t.domain.HasNaN()) }

// UsesBounds reports whether bounds of the values may prove that no value passes, or that all do.
func (t *Test) UsesBounds() bool { return t.slot.nullLevel > 0 || !t.slot.allValues() }

// Keys returns the values, in PLAIN encoding without length prefix, that a Bloom
// filter can look up: a row passes only if it has one of them. ok is false where
// the test has no such values, or too many.
func (t *Test) Keys() (keys [][]byte, ok bool) {
	if !t.MayHaveKeys() {
		return nil, false
	}
	s := &t.slot
	points, ok := s.domain.Enumerate(&s.set, value.MaxEnumerated(&s.set))
	if !ok {
		return nil, false
	}
	for _, k := range points {
		keys = append(keys, s.domain.Plain(k))
	}
	return keys, true
}

// MayHaveKeys reports whether Keys may have some. It makes none, and says no of searches and of tests of NULL.
func (t *Test) MayHaveKeys() bool {
	s := &t.slot
	return s.valueTest == nil && s.nullLevel == 0 && !s.set.Null && !s.set.NaN && !t.Pred.All
}

// Program is an expression bound to a file's schema. It is immutable and safe for
// concurrent use.
type Program struct {
	Root *Node
}

// Leaves returns the leaf columns that the program reads, each once, in the order of
// the expression. For a list or map of which only the lengths are read, it has the
// leaf with the cheapest levels.
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
		case OpItems:
			add(n.Items.Leaf)
		}
	})
	return all
}

// Conjoin returns the conjunction of programs that are bound to the same schema.
// All rows pass a nil program. The result shares the Nodes of programs and does not
// change them, so that statistics which a scan keeps by Node stay valid when
// programs are added and removed.
func Conjoin(programs ...*Program) *Program {
	var all *Program
	for _, p := range programs {
		switch {
		case p == nil || p.Root.Op == OpTrue:
		case p.Root.Op == OpFalse:
			return p
		case all == nil:
			all = p
		default:
			all = &Program{Root: &Node{Op: OpAnd, Args: slices.Concat(all.Conjuncts(), p.Conjuncts())}}
		}
	}
	if all == nil {
		return &Program{Root: constantNode(true)}
	}
	return all
}

// Conjuncts returns the conditions that a row must all pass.
func (p *Program) Conjuncts() []*Node {
	if p.Root.Op == OpAnd {
		return p.Root.Args
	}
	return []*Node{p.Root}
}

// walk calls f for n and all nodes below it, on rows or on items.
func (n *Node) walk(f func(*Node)) {
	f(n)
	if n.Items != nil {
		n.Items.Root.walk(f)
	}
	for _, a := range n.Args {
		a.walk(f)
	}
}

// filter clears the bits of sel for slots of a leaf's vector that do not pass. It
// flattens v.
func (t *slotTest) filter(sel []uint64, v *vector.Vector) {
	v.Flatten()
	n := v.Len
	var nulls []uint64
	if len(v.Validity) > 0 {
		if t.set.Null {
			nulls = append(nulls, sel[:bits.Words(n)]...)
			bits.AndNot(nulls, v.Validity[:len(nulls)])
		}
		bits.AndBits(sel, 0, v.Validity, n) // those behind them are of other pages
	}
	switch {
	case t.valueTest != nil:
		t.valueTest.Filter(sel, v)
	case t.allValues():
	default:
		test := t.domain.Lower(&t.set)
		test.Filter(sel, v)
	}
	bits.Or(sel[:len(nulls)], nulls)
}
