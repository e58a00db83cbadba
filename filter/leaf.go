package filter

import (
	"cmp"
	"math/big"
	"strings"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
)

// leaf compiles a condition on one value, or on two.
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

// search finds strings by a pattern. What is a matter of comparing is made so.
func (b *binder) search(e *Expr, s *source) (t, f slotTest, ok bool) {
	d := s.of
	t, f = slotTest{of: d}, slotTest{of: d}
	if d.kind == ofNothing {
		return t, f, true
	}
	if d.kind != ofBytes || d.typ.Logical == vector.UUID || !d.ordered() {
		b.fail(e.left.at, s.pathText()+" is no string: it is "+d.typ.String())
		return t, f, false
	}
	var p *pred.Test
	switch e.op {
	case opLike:
		p = pred.LikePattern([]byte(e.text), e.escape)
	case opPrefix:
		p = pred.Text(pred.Prefix, []byte(e.text))
	case opSuffix:
		p = pred.Text(pred.Suffix, []byte(e.text))
	case opContains:
		p = pred.Text(pred.Contains, []byte(e.text))
	case opMatch:
		re := e.regexp
		p = pred.By(func(v *vector.Vector, sel []uint64) { keepMatches(re, v, sel) })
	}
	switch text := string(p.Text); {
	case p.Kind == pred.Equal:
		l := placeBytes(text)
		t.set = between(l.lo, l.hi)
		f.set = t.set.others()
		return t, f, true
	case p.Kind == pred.Prefix:
		t.set = startingWith(text)
		f.set = t.set.others()
		return t, f, true
	case text == "" && (p.Kind == pred.Suffix || p.Kind == pred.Contains):
		t.set = values()
		return t, f, true
	}
	t.text, t.set = p, values()
	if e.op == opLike {
		t.set = startingWith(likePrefix(e.text, e.escape))
	}
	other := *p
	other.Negate = true
	f.text, f.set = &other, values()
	return t, f, true
}

func startingWith(s string) subset {
	if s == "" {
		return values()
	}
	return between(cut{key: s}, behindPrefix(s))
}

// likePrefix returns what all strings that are like a pattern start with.
func likePrefix(pattern string, escape rune) string {
	var out strings.Builder
	escaped := false
	for i, r := range pattern {
		switch {
		case escaped:
			escaped = false
		case r == '%' && r != escape, r == '_' && r != escape:
			return out.String()
		case escape != 0 && r == escape:
			escaped = true
			continue
		}
		if r == '\uFFFD' {
			return out.String() // perhaps a byte that is no character
		}
		out.WriteString(pattern[i : i+len(string(r))])
	}
	return out.String()
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
		v := *s.constant
		pass.narrow(sel, &v)
		return settled(sel[0] != 0)
	case s.key != nil || s.size:
		return b.computeTest(s, pass)
	}
	return &Node{Op: OpTest, Test: &Test{Leaf: s.leaf, slot: pass}}
}

// quantified makes a node of a test of items. ANY is FALSE where it is FALSE
// of all items, or there is no list; ALL is FALSE where it is FALSE of one.
func (b *binder) quantified(s *source, t, f slotTest, w want) *Node {
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

func (b *binder) isNull(e *Expr, w want) *Node {
	if e.left.lit != nil && e.left.lit.kind != litBad {
		return settled((e.left.lit.kind == litNull) != e.not == w.truth())
	}
	s, ok := b.find(e.left)
	if !ok {
		return &Node{}
	}
	n := s.node
	if s.of == nil && s.leaf == nil && (n.Kind != schema.Leaf || n.IsBare()) {
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
		leaf := shallowest(n)
		if leaf == nil {
			return b.fail(e.left.at, s.pathText()+" has no fields")
		}
		return nullAbove(leaf, level, null)
	}
	if s, ok = b.scalar(e.left); !ok {
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

// shallowest returns the leaf below n with the fewest lists above it.
func shallowest(n *schema.Node) *schema.Node {
	if n.Kind == schema.Leaf {
		return n
	}
	var best *schema.Node
	for _, c := range n.Children {
		if l := shallowest(c); l != nil && (best == nil || l.MaxRep < best.MaxRep) {
			best = l
		}
	}
	return best
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
		if c = 1; l.b == r.b {
			c = 0
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
