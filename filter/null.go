package filter

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
)

// compileIsNull compiles IS NULL of leaves, structs, lists and maps.
func (b *binder) compileIsNull(e *Expr, w passWhen) *Node {
	if e.left.lit != nil && e.left.lit.kind != litBad {
		return constantNode((e.left.lit.kind == litNull) != e.innerNot == w.passesTrue())
	}
	s, ok := b.find(e.left)
	if !ok {
		return &Node{}
	}
	n := s.node
	if s.domain == nil && s.leaf == nil && s.key == nil && (n.Kind != schema.Leaf || n.IsBare()) {
		level, inner := n.MaxDef, n.MaxRep
		if n.IsBare() {
			level, inner = level-1, inner-1
		}
		if inner > 0 {
			return b.fail(e.left.at, s.pathText()+" is within a list")
		}
		null := e.innerNot != w.passesTrue()
		if level == 0 {
			return constantNode(!null)
		}
		leaf := n.Shallowest()
		if leaf == nil {
			return b.fail(e.left.at, s.pathText()+" has no fields")
		}
		return nullAbove(leaf, level, null)
	}
	if s.key != nil && s.leaf == nil {
		s.domain = domainOf(vector.Type{Physical: vector.Boolean}) // of valuesOf
	} else if s, ok = b.findScalar(e.left); !ok {
		return &Node{}
	}
	if s.domain.kind == ofUnknown && s.quant == noQuantifier && s.key == nil {
		return constantNode(e.innerNot != w.passesTrue()) // all slots of an UNKNOWN column are NULL
	}
	t := slotTest{domain: s.domain, set: subset{null: true}}
	f := slotTest{domain: s.domain, set: t.set.complement()}
	if e.innerNot {
		t, f = f, t
	}
	if s.quant == noQuantifier { // IS NULL is never NULL
		w = [...]passWhen{isTrue, isFalse, isFalse, isTrue}[w]
	}
	return b.testNode(&s, t, f, w)
}

// nullAbove returns a test of whether the struct, list or map at a definition level
// above a leaf is NULL, or is not NULL.
func nullAbove(leaf *schema.Node, level int, null bool) *Node {
	t := pred.IsNull(level)
	t.Negate = !null
	set := subset{null: true}
	if !null {
		set = set.complement()
	}
	return &Node{Op: OpTest, Test: &Test{Leaf: leaf, Pred: t, slot: slotTest{domain: domainOf(leaf.Type), set: set, nullLevel: level}}}
}
