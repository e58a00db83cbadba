package compile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/calculate"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// compileLeaf compiles a condition that contains no other conditions.
//
//every:condition bind
func (b *binder) compileLeaf(e *tree.Condition, w passWhen) *Node {
	if o := &e.Left; e.Op == tree.BooleanColumn && o.Items != nil && o.Quantifier != tree.NoQuantifier && o.Key == nil && !o.Length && len(o.Steps) == 0 {
		return b.compileItems(e.Left, w)
	}
	if root, path := b.variantPath(e.Left); root != nil && (len(path) > 0 || e.Op != tree.IsNull || len(e.Left.Steps) > 0) {
		return b.compileVariant(e, w, root, path)
	}
	switch {
	case e.Op == tree.Func:
		return b.compileFunction(e, w)
	case e.Op == tree.Compare && e.Right[0].Literal == nil:
		return b.compileComparison(e, w)
	case e.Op == tree.Between && (e.Left.Literal != nil || e.Right[0].Literal == nil || e.Right[1].Literal == nil):
		return b.compileCompared(e, w)
	case e.Left.IsForwards() && e.Op != tree.Keys:
		return b.compileCalculated(e, w)
	case e.Op == tree.IsNull:
		return b.compileIsNull(e, w)
	case e.Op == tree.Compare && e.Left.Literal != nil:
		return b.compileLiterals(e, w)
	case e.Op == tree.Keys && len(e.Right) > 0:
		return b.compileTuple(e, w)
	case e.Left.Literal != nil && e.Op != tree.BooleanColumn && e.Op != tree.Keys:
		return b.compileConstant(e, w)
	}
	if e.Op == tree.Compare && e.Right[0].Literal.Kind == value.LitNull && e.Left.Quantifier == tree.NoQuantifier && len(e.Left.Steps) == 0 {
		if _, ok := b.find(e.Left); !ok { // of a struct, a list or a map, too
			return &Node{}
		}
		return constantNode(w.passesNull())
	}
	s, ok := b.findScalar(e.Left)
	if !ok {
		return &Node{}
	}
	return b.compileValue(e, w, &s)
}

// compileValue compiles a condition on the value of a source that is bound, and literals.
func (b *binder) compileValue(e *tree.Condition, w passWhen, s *source) *Node {
	single := s.Quantifier == tree.NoQuantifier
	switch {
	case e.Op == tree.In && len(e.Right) == 0:
		return constantNode(e.InnerNot == w.passesTrue()) // IN () is FALSE even of NULL
	case e.Op == tree.Keys && w != isTrue && (w != notFalse || !single):
		return b.fail(e.Left.At, keysNotNegated)
	case e.Op == tree.IsNull && single: // it is never NULL
		w = [...]passWhen{isTrue, isFalse, isFalse, isTrue}[w]
	}
	t, f, ok := b.compileTest(e, s)
	if !ok {
		return &Node{}
	}
	if e.InnerNot {
		t, f = f, t
	}
	return b.testNode(s, t, f, w)
}

// compileTest returns the test of the slots for which e, without its inner NOT, is
// TRUE, and of those for which it is FALSE. For all other slots, e is NULL.
//
//every:condition bind
func (b *binder) compileTest(e *tree.Condition, s *source) (t, f slotTest, ok bool) {
	d := s.domain
	t, f = slotTest{domain: d}, slotTest{domain: d}
	switch e.Op {
	case tree.BooleanColumn:
		if d.Type.Physical != vector.Boolean && d.Kind != value.OfUnknown {
			b.fail(e.Left.At, s.name()+" is no condition: it is "+d.Type.String())
		}
		t.set, f.set = b.compare(s, value.Eq, &tree.Operand{Literal: value.Of(true)})
	case tree.IsNull:
		if t.set.Null = true; s.chain != nil {
			there := s.chain.There()
			t.set = there.Complement()
		}
		f.set = t.set.Complement()
		return t, f, true
	case tree.Compare:
		t.set, f.set = b.compare(s, e.Comparison, &e.Right[0])
	case tree.Between:
		from, below := b.compare(s, value.Ge, &e.Right[0])
		to, above := b.compare(s, value.Le, &e.Right[1])
		t.set, f.set = from.And(to), below.Or(above)
	case tree.In:
		var null bool
		if t.set, null = b.in(s, e.Right); !null { // x IN (1, NULL) is never FALSE
			f.set = s.negated(t.set)
		}
	case tree.Like, tree.Match, tree.Prefix, tree.Suffix, tree.Contains:
		t, f = b.compileSearch(e, s)
	case tree.Keys:
		if b.checkKeys(e) {
			t = b.keysTest(e.Keys, 0, s)
		}
		if f = t; t.valueTest == nil {
			f.set = t.set.Negated()
		}
	}
	if d.Kind == value.OfUnknown {
		t.set, f.set = value.Subset{}, value.Subset{}
	}
	return t, f, b.err == nil
}

// in returns the values that equal one of some literals, and whether NULL is among these.
func (b *binder) in(s *source, literals []tree.Operand) (set value.Subset, null bool) {
	all := make([][2]value.Cut, 0, len(literals))
	for i := range literals {
		o := &literals[i]
		if o.Literal == nil {
			b.fail(o.At, "a value is expected, not a column")
			return set, null
		}
		if o.Literal.Kind == value.LitNull {
			null = true
			continue
		}
		var fault string
		if s.chain != nil {
			var equal value.Subset
			equal, fault = s.chain.Compare(value.Eq, o.Literal)
			for i := range equal.Intervals() {
				lo, hi := equal.Interval(i)
				all = append(all, [2]value.Cut{lo, hi})
			}
		} else {
			var p value.Position
			if p, fault = s.domain.Place(o.Literal); !p.NaN {
				all = append(all, [2]value.Cut{p.Lo, p.Hi})
			}
		}
		if fault != "" {
			b.fail(o.At, s.fault(fault))
			return set, null
		}
	}
	return value.Union(all), null
}

// compare returns the slots for which a comparison with a literal is TRUE, and FALSE: none with NULL.
func (b *binder) compare(s *source, c value.Comparison, o *tree.Operand) (t, f value.Subset) {
	if o.Literal.Kind == value.LitNull {
		return t, f
	}
	if c != value.Eq && c != value.Ne && !s.domain.Ordered() && s.domain.Kind != value.OfUnknown {
		b.fail(s.At, s.name()+" has no order: it is "+s.domain.Type.String())
	}
	t, fault := s.compareWith(c, o.Literal)
	if fault != "" {
		b.fail(o.At, s.fault(fault))
	}
	return t, s.negated(t)
}

// negated returns the values that are neither in a set nor NULL, nor have a result that is NULL.
func (s *source) negated(set value.Subset) value.Subset {
	if set = set.Negated(); s.chain != nil {
		set = set.And(s.chain.There())
	}
	return set
}

// fault adds the column's name to an error about a literal, where the text needs a
// subject.
func (s *source) fault(text string) string {
	if strings.HasPrefix(text, "is ") || strings.HasPrefix(text, "cannot ") {
		return s.name() + " " + text
	}
	return text
}

// testNode returns the node of the rows for which a condition on a source is one of w.
// The condition is TRUE of the slots of t and FALSE of those of f.
func (b *binder) testNode(s *source, t, f slotTest, w passWhen) *Node {
	if s.Quantifier != tree.NoQuantifier {
		return b.itemsNode(s, t, f, w)
	}
	pass := s.before(passingOf(t, f, w))
	switch {
	case s.constant != nil:
		sel := []uint64{1}
		pass.filter(sel, s.constant.Vector(1))
		return constantNode(sel[0] != 0)
	case s.items != nil:
		s.items.counts = &pass
		return &Node{Op: OpItems, Items: s.items}
	case s.computed != nil:
		return s.computed.nodeOf(func(m *calculate.Memory, _ int, sel []uint64) { pass.filter(sel, m.Vectors[s.input]) })
	case s.Key != nil || s.Length:
		return b.computeNode(s, pass)
	}
	return &Node{Op: OpTest, Test: &Test{Leaf: s.leaf, slot: pass, ofItem: len(b.scopes) > 0}}
}

// passingOf returns the test of the slots for which a condition is one of w, that is TRUE of the slots of t
// and FALSE of those of f.
func passingOf(t, f slotTest, w passWhen) slotTest {
	pass, opposite := t, f // notFalse is the complement of FALSE, notTrue that of TRUE
	if !w.passesTrue() {
		pass, opposite = f, t
	}
	switch {
	case !w.passesNull():
	case opposite.valueTest == nil:
		return slotTest{domain: opposite.domain, set: opposite.set.Complement()}
	default:
		pass.set.Null = true // a search is TRUE or FALSE of each value
	}
	return pass
}

const noCastOfAll = "IS NULL of a CAST of all items is not supported in lists within lists"

// itemsNode is testNode for ANY and ALL. ANY is FALSE where the test is FALSE of all
// items, ALL is TRUE where it is TRUE of all items: so both are where the list is NULL or
// empty.
func (b *binder) itemsNode(s *source, t, f slotTest, w passWhen) *Node {
	if s.constant != nil { // a NULL list
		return constantNode((s.Quantifier == tree.AllItems) == w.passesTrue())
	}
	if w.passesNull() {
		return &Node{Op: OpComplement, Args: []*Node{b.itemsNode(s, t, f, w.complement())}}
	}
	pass, opposite := t, f
	if w == isFalse {
		pass, opposite = f, t
	}
	all := (s.Quantifier == tree.AllItems) == (w == isTrue)
	tested := *s
	// Casts of items IS NULL, which a Test of all items cannot say, since it passes no item that is NULL:
	// no item has a cast that is there.
	if all && pass.set.Null && (!pass.set.HasNoValues() || slices.ContainsFunc(s.runs, mayBeNull)) {
		if s.leaf.MaxRep > 1 {
			return b.fail(s.At, noCastOfAll)
		}
		tested.Quantifier = tree.AnyItem
		return &Node{Op: OpComplement, Args: []*Node{b.itemsNode(&tested, opposite, pass, isTrue)}}
	}
	if tested.Quantifier = tree.AnyItem; all {
		tested.Quantifier = tree.AllItems
	}
	pass = tested.before(pass)
	n := &Node{Op: OpTest, Test: &Test{Leaf: s.leaf, Pred: &pred.Test{All: all}, slot: pass}}
	if all && s.nullListLevel > 0 {
		n = &Node{Op: OpOr, Args: []*Node{n, b.nullAbove(s.leaf, s.nullListLevel, true)}}
	}
	return n
}

// compileCompared compiles an IN of a literal or a calculation, and a BETWEEN with one or with columns,
// as comparisons with each of the values.
func (b *binder) compileCompared(e *tree.Condition, w passWhen) *Node {
	if e.Op == tree.Between && e.Left.Quantifier != tree.NoQuantifier {
		return b.fail(e.Left.At, "the items of a list can be compared with values only")
	}
	if e.InnerNot {
		w = w.negated()
	}
	n := &Node{Op: OpOr}
	if (e.Op == tree.Between) == w.passesTrue() {
		n.Op = OpAnd
	}
	for i, r := range e.Right {
		l, c := e.Left, value.Eq
		if e.Op == tree.Between {
			c = [...]value.Comparison{value.Ge, value.Le}[i]
		}
		if l.Literal != nil && r.Literal == nil {
			l, r, c = r, l, c.Mirrored()
		}
		n.Args = append(n.Args, b.compileLeaf(&tree.Condition{Op: tree.Compare, Comparison: c, Left: l, Right: []tree.Operand{r}, At: e.At}, w))
	}
	return n
}

// compileConstant compiles an IN, or a search, of a literal.
func (b *binder) compileConstant(e *tree.Condition, w passWhen) *Node {
	l := e.Left.Literal
	if e.Op == tree.In && l.Kind != value.LitBad {
		return b.compileCompared(e, w)
	}
	switch {
	case l.Kind == value.LitBad:
		return b.fail(e.Left.At, l.Text)
	case l.Kind == value.LitNull:
		return constantNode(w.passesNull())
	case l.Kind != value.LitString:
		return b.fail(e.Left.At, "a string is expected, not "+l.Kind.String())
	}
	text := vector.StringOf(l.Text)
	return b.compileValue(e, w, &source{Operand: e.Left, constant: &text, domain: value.DomainOf(text.Type())})
}

// compileLiterals compiles a comparison of two literals, such as 1 = 1.
func (b *binder) compileLiterals(e *tree.Condition, w passWhen) *Node {
	l, r := e.Left.Literal, e.Right[0].Literal
	for _, o := range []*value.Literal{l, r} {
		if o.Kind == value.LitBad {
			return b.fail(e.At, o.Text)
		}
	}
	if l.Kind == value.LitNull || r.Kind == value.LitNull {
		return constantNode(w.passesNull())
	}
	l, r = l.ComparedWith(r), r.ComparedWith(l)
	number := func(l *value.Literal) bool { return l.Kind == value.LitNumber || l.Kind == value.LitFloat }
	if l.Kind != r.Kind && !(number(l) && number(r)) && !(l.IsMoment() && r.IsMoment()) || l.Kind == value.LitInterval {
		msg := "cannot compare " + l.Kind.String() + " with " + r.Kind.String()
		if l.Kind == value.LitString || r.Kind == value.LitString {
			msg += "; the name of a column stands in double quotes"
		}
		return b.fail(e.Right[0].At, msg)
	}
	order, isNaN := value.CompareLiterals(l, r)
	if of := cmp.Or(e.Left.Beside, e.Right[0].Beside); of != nil {
		s, ok := b.findScalar(*of)
		if !ok {
			return &Node{}
		}
		x, y := l.As(s.domain), r.As(s.domain)
		if typed, _ := value.CompareLiterals(x, y); x.Kind == y.Kind && e.Comparison.Holds(typed) != e.Comparison.Holds(order) {
			return b.fail(e.At, "the strings "+value.Abbreviated(l.Text)+" and "+value.Abbreviated(r.Text)+" compare otherwise as "+s.domain.Type.String()+
				", which "+s.name()+" is: write numbers, or DATE or the like in front of them")
		}
	}
	if isNaN {
		return constantNode((e.Comparison == value.Ne) == w.passesTrue())
	}
	return constantNode(e.Comparison.Holds(order) == w.passesTrue())
}

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
