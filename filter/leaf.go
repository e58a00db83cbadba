package filter

import (
	"cmp"
	"math/big"
	"strings"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
)

// leaf compiles a condition on one value, or on two.
//
//every:condition bind
func (b *binder) leaf(e *Expr, w want) *Node {
	switch {
	case e.op == opIsNull:
		return b.isNull(e, w)
	case e.op == opCompare && e.right[0].lit == nil:
		return b.compareColumns(e, w)
	case e.op == opCompare && e.left.lit != nil:
		return b.compareLiterals(e, w)
	case e.op == opBetween && (e.left.lit != nil || e.right[0].lit == nil || e.right[1].lit == nil):
		return b.betweenColumns(e, w)
	}
	s, ok := b.scalar(e.left)
	if !ok {
		return &Node{}
	}
	if e.op == opIn && len(e.right) == 0 {
		return settled(e.not == w.truth()) // FALSE, whatever the column has
	}
	if e.op == opKeys && w != isTrue && (w != notFalse || s.quant != one) {
		return b.fail(e.left.at, "InKeys cannot be negated: other values than keys pass it too")
	}
	t, f, ok := b.test(e, &s)
	if !ok {
		return &Node{}
	}
	if e.not {
		t, f = f, t
	}
	return b.place(&s, t, f, w)
}

// test returns what of a slot makes e TRUE, and what FALSE. The rest, NULL
// among it, makes it NULL.
//
//every:condition bind
func (b *binder) test(e *Expr, s *source) (t, f slotTest, ok bool) {
	d := s.of
	t, f = slotTest{of: d}, slotTest{of: d}
	exact := func(pass subset) { t.set, f.set = pass, pass.others() }
	switch e.op {
	case opValue:
		if d.typ.Physical != vector.Boolean && d.kind != ofNothing {
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
			f.set = subset{} // equal to NULL, for all that is known
		}
	case opLike, opMatch, opPrefix, opSuffix, opContains:
		return b.search(e, s)
	case opKeys:
		return b.keys(e, s)
	}
	if d.kind == ofNothing {
		t.set, f.set = subset{}, subset{}
	}
	return t, f, b.err == nil
}

// compare finds what compares so to a literal. Nothing does to NULL.
func (b *binder) compare(s *source, c comparison, o *operand, t, f *slotTest) {
	if o.lit.kind == litNull {
		return
	}
	if c != eq && c != ne && !s.of.ordered() && s.of.kind != ofNothing {
		b.fail(s.at, s.pathText()+" has no order: it is "+s.of.typ.String())
		return
	}
	p, fault := s.of.place(o.lit)
	if fault != "" {
		b.fail(o.at, s.fault(fault))
		return
	}
	t.set = p.compare(c)
	f.set = t.set.others()
}

// fault names the column in what is wrong with a literal for it.
func (s *source) fault(text string) string {
	if strings.HasPrefix(text, "is ") || strings.HasPrefix(text, "cannot ") {
		return s.pathText() + " " + text
	}
	return text
}

// place makes a node of a test of a source's slots.
func (b *binder) place(s *source, t, f slotTest, w want) *Node {
	pass := t
	if !w.truth() {
		pass = f
	}
	if s.quant != one {
		return b.quantified(s, t, f, w)
	}
	if w.null() {
		// As wanted is what is not its opposite.
		opposite := f
		if !w.truth() {
			opposite = t
		}
		if opposite.text == nil {
			pass = slotTest{of: s.of, set: opposite.set.complement()}
		} else {
			pass.set.null = true
		}
	}
	switch {
	case s.constant != nil:
		sel := []uint64{1}
		pass.narrow(sel, constantOf(s.constant, 1))
		return settled(sel[0] != 0)
	case s.key != nil || s.size:
		return b.computeTest(s, pass)
	}
	return &Node{Op: OpTest, Test: &Test{Leaf: s.leaf, slot: pass}}
}

// quantified makes a node of a test of items. ANY is FALSE where it is FALSE
// of all items, or there is no list; ALL is FALSE where it is FALSE of one.
func (b *binder) quantified(s *source, t, f slotTest, w want) *Node {
	switch {
	case s.constant != nil && s.quant == anyItem: // of a list that is NULL
		return settled(!w.truth())
	case s.constant != nil:
		return settled(w.null())
	}
	if w.null() {
		return &Node{Op: OpComplement, Args: []*Node{b.quantified(s, t, f, w.unless())}}
	}
	pass := t
	if w == isFalse {
		pass = f
	}
	all := (s.quant == allItems) == (w == isTrue)
	n := &Node{Op: OpTest, Test: &Test{Leaf: s.leaf, Pred: &pred.Test{All: all}, slot: pass}}
	if w == isFalse && s.quant == anyItem && s.list > 0 {
		n = &Node{Op: OpOr, Args: []*Node{n, nullAbove(s.leaf, s.list, true)}}
	}
	return n
}

// betweenColumns spells out BETWEEN where not all is compared with literals.
func (b *binder) betweenColumns(e *Expr, w want) *Node {
	if e.left.quant != one {
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
	if e.not {
		w = w.not()
	}
	return b.compile(both, w)
}

// compareLiterals settles 1 = 1 and its like.
func (b *binder) compareLiterals(e *Expr, w want) *Node {
	l, r := e.left.lit, e.right[0].lit
	for _, o := range []*literal{l, r} {
		if o.kind == litBad {
			return b.fail(e.at, o.s)
		}
	}
	if l.kind == litNull || r.kind == litNull {
		return settled(w.null())
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
			return settled((e.cmp == ne) == w.truth())
		}
		c = cmp.Compare(l.f, r.f)
	}
	return settled(e.cmp.holds(c) == w.truth())
}
