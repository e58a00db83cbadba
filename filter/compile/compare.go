package compile

import (
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/calculate"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// comparison is a Compute that compares two columns, or what is calculated from columns.
type comparison struct {
	Compute
	inputs []input
	isNull bool             // one of the operands is NULL in all rows, and so is the result
	is     value.Comparison // none of Gt and Ge: the sides are swapped
	when   passWhen
	linear bool // see calculate.Term
	plain  bool // the operands are columns as they are, or what functions return that have no bounds

	swapped bool // is was Gt or Ge

	// order finds the rows whose left side is less than the right one, or equal, or else with swapped the
	// other way round, and those where neither is NULL.
	order func(m *calculate.Memory, n int, swapped bool) (less, equal, valid []uint64)
}

// compileComparison compiles a comparison of two columns, or of what is calculated from columns.
func (b *binder) compileComparison(e *tree.Condition, w passWhen) *Node {
	second := e.Right[0]
	second.Quoted = true // if there is no such column, a string is meant
	c := &comparison{is: e.Comparison, when: w}
	c.text = w.textOf(e)
	if c.plain = !isCalculated(&e.Left) && !isCalculated(&second); !c.plain {
		return b.compareTerms(c, e.Left, second, e.At)
	}
	l, ok := b.findScalar(e.Left)
	if !ok {
		return &Node{}
	}
	r, ok := b.findScalar(second)
	switch {
	case !ok:
		return &Node{}
	case l.Quantifier != tree.NoQuantifier || r.Quantifier != tree.NoQuantifier:
		return b.fail(e.At, "the items of a list can be compared with values only")
	case l.domain.Kind == value.OfUnknown || r.domain.Kind == value.OfUnknown:
		return constantNode(w.passesNull())
	case value.FamilyOf(l.domain) != value.FamilyOf(r.domain):
		return b.fail(e.At, "cannot compare "+l.describe()+", which is "+l.domain.Type.String()+", with "+r.describe()+", which is "+r.domain.Type.String())
	case e.Comparison != value.Eq && e.Comparison != value.Ne && !(l.domain.Ordered() && r.domain.Ordered()):
		return b.fail(e.At, l.describe()+" and "+r.describe()+" have no order: they are "+l.domain.Type.String()+" and "+r.domain.Type.String())
	}
	if _, ok := calculate.Column(0, l.domain); ok {
		return b.compareTerms(c, e.Left, second, e.At)
	}
	if !b.bindInput(c, &l) || !b.bindInput(c, &r) {
		return &Node{}
	}
	c.linear = l.domain.Ordered() && r.domain.Ordered()
	return c.compute(func(m *calculate.Memory, n int, swapped bool) (less, equal, valid []uint64) {
		less, equal, valid = make([]uint64, bits.Words(n)), make([]uint64, bits.Words(n)), make([]uint64, bits.Words(n))
		x, y := m.Vectors[0], m.Vectors[1]
		for i := range n {
			if x.IsNull(i) || y.IsNull(i) {
				continue
			}
			bits.Set(valid, i)
			if order := value.Compare(l.domain, r.domain, x, y, i); order == 0 {
				bits.Set(equal, i)
			} else if order < 0 != swapped {
				bits.Set(less, i)
			}
		}
		return less, equal, valid
	})
}

// compareTerms compiles a comparison of two operands as terms.
func (b *binder) compareTerms(c *comparison, left, right tree.Operand, at int) *Node {
	x, ok := b.bindTerm(c, left)
	if !ok {
		return &Node{}
	}
	y, ok := b.bindTerm(c, right)
	switch {
	case !ok:
		return &Node{}
	case c.isNull:
		return constantNode(c.when.passesNull())
	case x.Family != y.Family:
		return b.fail(at, "cannot compare "+string(left.AppendTo(nil))+" with "+string(right.AppendTo(nil))+": numbers compare with numbers, moments with moments, intervals with intervals")
	}
	x, y = calculate.Aligned(x, y)
	c.linear = x.Linear() && y.Linear()
	return c.compute(func(m *calculate.Memory, n int, swapped bool) (less, equal, valid []uint64) {
		if swapped {
			return calculate.Order(y, x, m, n)
		}
		return calculate.Order(x, y, m, n)
	})
}

// compute returns the node of a comparison.
func (c *comparison) compute(order func(m *calculate.Memory, n int, swapped bool) (less, equal, valid []uint64)) *Node {
	if c.order = order; c.is >= value.Gt {
		c.is, c.swapped = c.is.Mirrored(), true
		c.order = func(m *calculate.Memory, n int, swapped bool) (less, equal, valid []uint64) {
			return order(m, n, !swapped)
		}
	}
	c.judge = c.verdict
	var spare sync.Pool
	return c.node(func(columns []*vector.Vector, n int, sel []uint64) {
		m, ok := spare.Get().(*calculate.Memory)
		if !ok {
			m = &calculate.Memory{}
		}
		m.Vectors = m.Vectors[:0]
		for i := range c.inputs {
			m.Vectors = append(m.Vectors, c.inputs[i].values(columns, n, sel))
		}
		less, pass, valid := c.order(m, n, false)
		switch c.is {
		case value.Lt:
			pass = less
		case value.Le:
			bits.Or(pass, less)
		}
		if (c.is == value.Ne) == c.when.passesTrue() {
			bits.Not(pass, 0, n)
		}
		if bits.And(pass, valid); c.when.passesNull() {
			bits.Not(valid, 0, n)
			bits.Or(pass, valid)
		}
		bits.And(sel[:len(pass)], pass)
		spare.Put(m)
	})
}

// input is a column of a comparison.
type input struct {
	values scalarFunc
	leaf   *schema.Node // whose bounds are those of the values; nil: unknown
	domain *value.Domain
}

// isCalculated reports whether something is done with an operand's values that is not inverted where
// they are compared with a column.
func isCalculated(o *tree.Operand) bool {
	return slices.ContainsFunc(o.Steps, func(s tree.Step) bool { return !isRun(&s) })
}

// compileCalculated compiles a condition on a calculation as comparisons of it.
func (b *binder) compileCalculated(e *tree.Condition, w passWhen) *Node {
	equal := func(to tree.Operand) *tree.Condition {
		return &tree.Condition{Op: tree.Compare, Left: e.Left, Right: []tree.Operand{to}, At: e.At}
	}
	switch e.Op {
	case tree.Compare:
		return b.compileComparison(e, w)
	case tree.Between:
		return b.compileBetween(e, w)
	case tree.In:
		some := &tree.Condition{Op: tree.Or, At: e.At}
		for _, o := range e.Right {
			some.Args = append(some.Args, equal(o))
		}
		if e.InnerNot {
			w = w.negated()
		}
		return b.compile(some, w)
	case tree.IsNull: // what equals itself neither TRUE nor FALSE
		self := equal(e.Left)
		if e.InnerNot != w.passesTrue() {
			return &Node{Op: OpAnd, Args: []*Node{b.compileComparison(self, notTrue), b.compileComparison(self, notFalse)}}
		}
		return &Node{Op: OpOr, Args: []*Node{b.compileComparison(self, isTrue), b.compileComparison(self, isFalse)}}
	}
	return b.fail(e.At, string(e.Left.AppendTo(nil))+" is a calculation: it can be compared, but not searched in, nor be a condition")
}

// bindTerm binds an operand as a term of c. The term means nothing where c.isNull is set.
func (b *binder) bindTerm(c *comparison, o tree.Operand) (t *calculate.Term, ok bool) {
	fault, n := "", 0
	switch {
	case o.Literal.IsNull():
		c.isNull = true
		return nil, true
	case o.Literal != nil:
		t, fault = calculate.Constant(o.Literal)
	default:
		for n < len(o.Steps) && isRun(&o.Steps[n]) {
			n++
		}
		column := o
		column.Steps = o.Steps[:n]
		s, ok := b.findScalar(column)
		if !ok {
			return nil, false
		}
		if c.isNull = c.isNull || s.domain.Kind == value.OfUnknown; c.isNull {
			break
		}
		if t, ok = calculate.Column(len(c.inputs), s.domain); !ok || s.Quantifier != tree.NoQuantifier {
			fault = s.describe() + " is " + s.domain.Type.String() + ": arithmetic between columns is for numbers, dates and timestamps, and not for items of lists"
		} else if !b.bindInput(c, &s) {
			return nil, false
		}
	}
	for i := n; i < len(o.Steps) && fault == ""; i++ {
		step := &o.Steps[i]
		if step.Op != tree.Calculate {
			fault = string(o.AppendTo(nil)) + " can be compared with literals only, as CAST, year, date_trunc, epoch, abs, floor, ceil, sign and round can"
			break
		}
		by, ok := b.bindTerm(c, *step.By)
		switch {
		case !ok:
			return nil, false
		case c.isNull:
		case step.Front:
			t, fault = calculate.Operate(step.Sign, by, t)
		default:
			t, fault = calculate.Operate(step.Sign, t, by)
		}
	}
	if fault != "" {
		b.fail(o.At, fault)
	}
	return t, fault == ""
}

// bindInput adds a column, or what functions that are run return for it, to the inputs of c.
func (b *binder) bindInput(c *comparison, s *source) (ok bool) {
	in := input{domain: s.domain}
	if s.constant == nil && s.Key == nil && !s.Length && s.base == nil {
		in.leaf = s.leaf
	}
	in.values, ok = b.bindResult(&c.Compute, s)
	c.inputs = append(c.inputs, in)
	return ok
}
