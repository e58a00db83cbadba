package filter

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
)

func (b *binder) isNull(e *Expr, w want) *Node {
	if e.left.lit != nil && e.left.lit.kind != litBad {
		return settled((e.left.lit.kind == litNull) != e.not == w.truth())
	}
	s, ok := b.find(e.left)
	if !ok {
		return &Node{}
	}
	n := s.node
	if s.of == nil && s.leaf == nil && s.key == nil && (n.Kind != schema.Leaf || n.IsBare()) {
		level, inner := n.MaxDef, n.MaxRep
		if n.IsBare() {
			level, inner = level-1, inner-1
		}
		if inner > 0 {
			return b.fail(e.left.at, s.pathText()+" is within a list")
		}
		null := e.not != w.truth()
		if level == 0 {
			return settled(!null)
		}
		leaf := n.Shallowest()
		if leaf == nil {
			return b.fail(e.left.at, s.pathText()+" has no fields")
		}
		return nullAbove(leaf, level, null)
	}
	if s.key != nil && s.leaf == nil {
		s.of = domainOf(vector.Type{Physical: vector.Boolean}) // of valuesOf
	} else if s, ok = b.scalar(e.left); !ok {
		return &Node{}
	}
	if s.of.kind == ofNothing && s.quant == one && s.key == nil {
		return settled(e.not != w.truth()) // UNKNOWN: NULL, values or not
	}
	t := slotTest{of: s.of, set: subset{null: true}}
	f := slotTest{of: s.of, set: t.set.complement()}
	if e.not {
		t, f = f, t
	}
	if s.quant == one { // never NULL itself
		w = [...]want{isTrue, isFalse, isFalse, isTrue}[w]
	}
	return b.place(&s, t, f, w)
}

// nullAbove tests whether what stands at a level above a leaf is NULL.
func nullAbove(leaf *schema.Node, level int, null bool) *Node {
	t := pred.IsNull(level)
	t.Negate = !null
	set := subset{null: true}
	if !null {
		set = set.complement()
	}
	return &Node{Op: OpTest, Test: &Test{Leaf: leaf, Pred: t, slot: slotTest{of: domainOf(leaf.Type), set: set, level: level}}}
}
