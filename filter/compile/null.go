package compile

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// compileIsNull compiles IS NULL of leaves, structs, lists and maps.
func (b *binder) compileIsNull(e *tree.Condition, w passWhen) *Node {
	if e.Left.Literal != nil && e.Left.Literal.Kind != value.LitBad {
		return constantNode((e.Left.Literal.Kind == value.LitNull) != e.InnerNot == w.passesTrue())
	}
	s, ok := b.find(e.Left)
	if !ok {
		return &Node{}
	}
	n := s.node
	if s.domain == nil && s.leaf == nil && s.Key == nil && len(s.Steps) == 0 && (n.Kind != schema.Leaf || b.isBareList(n)) {
		level, inner := n.MaxDef, n.MaxRep
		if b.isBareList(n) {
			level, inner = level-1, inner-1
		}
		if inner > b.rep() {
			return b.fail(e.Left.At, s.PathText()+" is within a list")
		}
		null := e.InnerNot != w.passesTrue()
		if level == 0 {
			return constantNode(!null)
		}
		leaf := n.Shallowest()
		if leaf == nil {
			return b.fail(e.Left.At, s.PathText()+" has no fields")
		}
		return b.nullAbove(leaf, level, null)
	}
	if s.Key != nil && s.leaf == nil && len(s.Steps) == 0 {
		s.domain = value.DomainOf(vector.Type{Physical: vector.Boolean}) // of valuesOf
	} else if !b.bindValue(&s) {
		return &Node{}
	}
	if s.domain.Kind == value.OfUnknown && s.Quantifier == tree.NoQuantifier && s.Key == nil {
		return constantNode(e.InnerNot != w.passesTrue()) // all slots of an UNKNOWN column are NULL
	}
	return b.compileValue(e, w, &s)
}

// nullAbove returns a test of whether the struct, list or map at a definition level
// above a leaf is NULL, or is not NULL.
func (b *binder) nullAbove(leaf *schema.Node, level int, null bool) *Node {
	t := pred.IsNull(level)
	t.Negate = !null
	set := value.Subset{Null: true}
	if !null {
		set = set.Complement()
	}
	return &Node{Op: OpTest, Test: &Test{Leaf: leaf, Pred: t, slot: slotTest{domain: value.DomainOf(leaf.Type), set: set, nullLevel: level}, ofItem: len(b.scopes) > 0}}
}
