package filter

import (
	"cmp"
	"math/big"
	"strings"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
)

// compileLeaf compiles a condition that contains no other conditions.
//
//every:condition bind
func (b *binder) compileLeaf(e *Expr, w passWhen) *Node {
	switch {
	case e.op == opIsNull:
		return b.compileIsNull(e, w)
	case e.op == opCompare && e.right[0].lit == nil:
		return b.compileComparison(e, w)
	case e.op == opCompare && e.left.lit != nil:
		return b.compileLiterals(e, w)
	case e.op == opBetween && (e.left.lit != nil || e.right[0].lit == nil || e.right[1].lit == nil):
		return b.compileBetween(e, w)
	}
	s, ok := b.findScalar(e.left)
	if !ok {
		return &Node{}
	}
	if e.op == opIn && len(e.right) == 0 {
		return constantNode(e.innerNot == w.passesTrue()) // IN () is FALSE even of NULL
	}
	if e.op == opKeys && w != isTrue && (w != notFalse || s.quant != noQuantifier) {
		return b.fail(e.left.at, "InKeys cannot be negated: other values than keys pass it too")
	}
	t, f, ok := b.compileTest(e, &s)
	if !ok {
		return &Node{}
	}
	if e.innerNot {
		t, f = f, t
	}
	return b.testNode(&s, t, f, w)
}

// compileTest returns the test of the slots for which e, without its inner NOT, is
// TRUE, and of those for which it is FALSE. For all other slots, e is NULL.
//
//every:condition bind
func (b *binder) compileTest(e *Expr, s *source) (t, f slotTest, ok bool) {
	d := s.domain
	t, f = slotTest{domain: d}, slotTest{domain: d}
	exact := func(pass subset) { t.set, f.set = pass, pass.negated() }
	switch e.op {
	case opValue:
		if d.typ.Physical != vector.Boolean && d.kind != ofUnknown {
			b.fail(e.left.at, s.pathText()+" is no condition: it is "+d.typ.String())
			return t, f, false
		}
		b.compare(s, eq, &operand{lit: &literal{kind: litBool, b: true}}, &t, &f)
	case opCompare:
		b.compare(s, e.cmp, &e.right[0], &t, &f)
	case opBetween:
		var t2, f2 slotTest
		b.compare(s, ge, &e.right[0], &t, &f)
		b.compare(s, le, &e.right[1], &t2, &f2)
		t.set, f.set = t.set.and(t2.set), f.set.or(f2.set)
	case opIn:
		all := make([][2]cut, 0, len(e.right))
		null := false
		for i := range e.right {
			o := &e.right[i]
			if o.lit == nil {
				b.fail(o.at, "a value is expected, not a column")
				return t, f, false
			}
			if o.lit.kind == litNull {
				null = true
				continue
			}
			p, fault := d.place(o.lit)
			if fault != "" {
				b.fail(o.at, s.fault(fault))
				return t, f, false
			}
			if !p.nan {
				all = append(all, [2]cut{p.lo, p.hi})
			}
		}
		exact(union(all))
		if null {
			f.set = subset{} // x IN (1, NULL) is never FALSE
		}
	case opLike, opMatch, opPrefix, opSuffix, opContains:
		return b.compileSearch(e, s)
	case opKeys:
		return b.compileKeys(e, s)
	}
	if d.kind == ofUnknown {
		t.set, f.set = subset{}, subset{}
	}
	return t, f, b.err == nil
}

// compare sets t and f to the slots for which a comparison with a literal is TRUE
// and FALSE. With NULL they stay empty.
func (b *binder) compare(s *source, c comparison, o *operand, t, f *slotTest) {
	if o.lit.kind == litNull {
		return
	}
	if c != eq && c != ne && !s.domain.ordered() && s.domain.kind != ofUnknown {
		b.fail(s.at, s.pathText()+" has no order: it is "+s.domain.typ.String())
		return
	}
	p, fault := s.domain.place(o.lit)
	if fault != "" {
		b.fail(o.at, s.fault(fault))
		return
	}
	t.set = p.compare(c)
	f.set = t.set.negated()
}

// fault adds the column's name to an error about a literal, where the text needs a
// subject.
func (s *source) fault(text string) string {
	if strings.HasPrefix(text, "is ") || strings.HasPrefix(text, "cannot ") {
		return s.pathText() + " " + text
	}
	return text
}

// testNode returns the node of the rows for which a condition is one of w. The
// condition is TRUE of the slots of t and FALSE of those of f.
func (b *binder) testNode(s *source, t, f slotTest, w passWhen) *Node {
	pass := t
	if !w.passesTrue() {
		pass = f
	}
	if s.quant != noQuantifier {
		return b.itemsNode(s, t, f, w)
	}
	if w.passesNull() {
		// notFalse is the complement of FALSE, notTrue that of TRUE.
		opposite := f
		if !w.passesTrue() {
			opposite = t
		}
		if opposite.valueTest == nil {
			pass = slotTest{domain: s.domain, set: opposite.set.complement()}
		} else {
			pass.set.null = true
		}
	}
	switch {
	case s.constant != nil:
		sel := []uint64{1}
		pass.narrow(sel, constantVector(s.constant, 1))
		return constantNode(sel[0] != 0)
	case s.key != nil || s.length:
		return b.computeNode(s, pass)
	}
	return &Node{Op: OpTest, Test: &Test{Leaf: s.leaf, slot: pass}}
}

// itemsNode is testNode for ANY and ALL. ANY is FALSE where the test is FALSE of all
// items, or the list is NULL or empty. ALL is FALSE where the test is FALSE of an
// item.
func (b *binder) itemsNode(s *source, t, f slotTest, w passWhen) *Node {
	switch {
	case s.constant != nil && s.quant == anyItem: // the constant is a NULL list
		return constantNode(!w.passesTrue())
	case s.constant != nil:
		return constantNode(w.passesNull())
	}
	if w.passesNull() {
		return &Node{Op: OpComplement, Args: []*Node{b.itemsNode(s, t, f, w.complement())}}
	}
	pass := t
	if w == isFalse {
		pass = f
	}
	all := (s.quant == allItems) == (w == isTrue)
	n := &Node{Op: OpTest, Test: &Test{Leaf: s.leaf, Pred: &pred.Test{All: all}, slot: pass}}
	if w == isFalse && s.quant == anyItem && s.nullListLevel > 0 {
		n = &Node{Op: OpOr, Args: []*Node{n, nullAbove(s.leaf, s.nullListLevel, true)}}
	}
	return n
}

// compileBetween compiles BETWEEN as two comparisons, where the left operand is a
// literal or one of the others a column.
func (b *binder) compileBetween(e *Expr, w passWhen) *Node {
	if e.left.quant != noQuantifier {
		return b.fail(e.left.at, "the items of a list can be compared with values only")
	}
	both := &Expr{op: opAnd, at: e.at}
	for i, c := range []comparison{ge, le} {
		l, r := e.left, e.right[i]
		if l.lit != nil && r.lit == nil {
			l, r, c = r, l, c.mirrored()
		}
		both.args = append(both.args, &Expr{op: opCompare, cmp: c, left: l, right: []operand{r}, at: e.at})
	}
	if e.innerNot {
		w = w.negated()
	}
	return b.compile(both, w)
}

// compileLiterals compiles a comparison of two literals, such as 1 = 1.
func (b *binder) compileLiterals(e *Expr, w passWhen) *Node {
	l, r := e.left.lit, e.right[0].lit
	for _, o := range []*literal{l, r} {
		if o.kind == litBad {
			return b.fail(e.at, o.s)
		}
	}
	if l.kind == litNull || r.kind == litNull {
		return constantNode(w.passesNull())
	}
	if l.kind != r.kind {
		return b.fail(e.right[0].at, "cannot compare "+l.kind.String()+" with "+r.kind.String())
	}
	var c int
	switch l.kind {
	case litNumber:
		c = l.num.rat().Cmp(r.num.rat())
	case litString, litBinary:
		c = strings.Compare(l.s, r.s)
	case litBool:
		switch {
		case l.b && !r.b:
			c = 1
		case r.b && !l.b:
			c = -1
		}
	case litDate, litTime, litStamp:
		nanos := func(l *literal) *big.Int {
			n := new(big.Int).Mul(big.NewInt(l.days), big.NewInt(nanosPerDay))
			return n.Add(n, big.NewInt(l.nanos))
		}
		c = nanos(l).Cmp(nanos(r))
	default:
		if l.f != l.f || r.f != r.f {
			return constantNode((e.cmp == ne) == w.passesTrue())
		}
		c = cmp.Compare(l.f, r.f)
	}
	return constantNode(e.cmp.holds(c) == w.passesTrue())
}
