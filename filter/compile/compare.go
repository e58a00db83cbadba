package compile

import (
	"cmp"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/calculate"
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// comparison is a Compute that compares two columns, or what is calculated from columns.
type comparison struct {
	Compute
	inputs  []input
	isNull  bool             // one of the operands is NULL in all rows, and so is the result
	x, y    *calculate.Term  // the sides
	is      value.Comparison // none of Gt and Ge: the sides are swapped
	when    passWhen
	plain   bool // the operands are columns as they are, or what functions return that have no bounds
	swapped bool // is was Gt or Ge
}

// compileComparison compiles a comparison of two columns, or of what is calculated from columns.
func (b *binder) compileComparison(e *tree.Condition, w passWhen) *Node {
	l, r := e.Left, e.Right[0]
	r.Quoted = true // if there is no such column, a string is meant
	c := &comparison{is: e.Comparison, when: w, plain: !isCalculated(&l) && !isCalculated(&r)}
	c.text = w.textOf(e)
	x, y := b.bindTerm(c, l), b.bindTerm(c, r)
	switch {
	case b.err != nil:
		return &Node{}
	case c.isNull:
		return constantNode(w.passesNull())
	case x.Family != y.Family:
		msg := "cannot compare " + described(&l, x) + " with " + described(&r, y)
		if !c.plain {
			msg += ": numbers compare with numbers, moments with moments, intervals with intervals"
		}
		return b.fail(e.At, msg)
	case x.Family == value.Unordered && c.is != value.Eq && c.is != value.Ne:
		return b.fail(e.At, described(&l, x)+" and "+described(&r, y)+" have no order")
	}
	if c.x, c.y = calculate.Aligned(x, y); c.is >= value.Gt {
		c.is, c.swapped, c.x, c.y = c.is.Mirrored(), true, c.y, c.x
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
		less, pass, valid := calculate.Order(c.x, c.y, m, n)
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

// described returns an operand as the parser reads it, with the type of a column.
func described(o *tree.Operand, t *calculate.Term) string {
	text := o.String()
	if t.Domain != nil {
		text += " (" + t.Domain.Type.String() + ")"
	}
	return text
}

// input is a column of a comparison.
type input struct {
	values scalarFunc
	leaf   *schema.Node    // whose bounds are those of the values; nil: unknown
	domain *value.Domain   // of the leaf, where there is one
	wider  []function.Call // make the leaf's values those of the table's type; none: they are
}

// isCalculated reports whether something is done with an operand's values that is not inverted where
// they are compared with a column.
func isCalculated(o *tree.Operand) bool {
	return slices.ContainsFunc(o.Steps, func(s tree.Step) bool { return !isRun(&s) })
}

// compileCalculated compiles a condition on a calculation as comparisons of it.
func (b *binder) compileCalculated(e *tree.Condition, w passWhen) *Node {
	switch e.Op {
	case tree.In:
		return b.compileCompared(e, w)
	case tree.IsNull: // what equals itself neither TRUE nor FALSE
		self := &tree.Condition{Op: tree.Compare, Left: e.Left, Right: []tree.Operand{e.Left}, At: e.At}
		if e.InnerNot != w.passesTrue() {
			return &Node{Op: OpAnd, Args: []*Node{b.compileComparison(self, notTrue), b.compileComparison(self, notFalse)}}
		}
		return &Node{Op: OpOr, Args: []*Node{b.compileComparison(self, isTrue), b.compileComparison(self, isFalse)}}
	}
	return b.fail(e.At, e.Left.String()+" is a calculation: it can be compared, but not searched in, nor be a condition")
}

// bindTerm binds an operand as a term of c. The term means nothing where c.isNull is set, or after an
// error.
func (b *binder) bindTerm(c *comparison, o tree.Operand) (t *calculate.Term) {
	fault, n := "", 0
	switch {
	case o.Literal.IsNull():
		c.isNull = true
	case o.Literal != nil:
		t, fault = calculate.Constant(o.Literal)
	default:
		for n < len(o.Steps) && isRun(&o.Steps[n]) {
			n++
		}
		column := o
		column.Steps = o.Steps[:n]
		s, ok := b.findScalar(column)
		switch {
		case !ok:
			return nil
		case s.Quantifier != tree.NoQuantifier:
			fault = "the items of a list can be compared with values only"
		case s.domain.Kind == value.OfUnknown:
			c.isNull = true
		default:
			t = calculate.Column(len(c.inputs), s.domain)
			b.bindInput(c, &s)
		}
	}
	for i := n; i < len(o.Steps) && fault == ""; i++ {
		step := &o.Steps[i]
		if step.Op != tree.Calculate {
			fault = o.String() + " can be compared with literals only, as CAST, year, date_trunc, epoch, abs, floor, ceil, sign and round can"
			break
		}
		switch by := b.bindTerm(c, *step.By); {
		case c.isNull || b.err != nil:
		case step.Front:
			t, fault = calculate.Operate(step.Sign, by, t)
		default:
			t, fault = calculate.Operate(step.Sign, t, by)
		}
	}
	if fault != "" {
		b.fail(o.At, fault)
	}
	return t
}

// bindInput adds a column, or what functions that are run return for it, to the inputs of c.
func (b *binder) bindInput(c *comparison, s *source) {
	in := input{domain: s.domain}
	if s.constant == nil && s.Key == nil && !s.Length && len(s.runs) == 0 {
		in.leaf, in.domain, in.wider = s.leaf, cmp.Or(s.base, s.domain), s.functions
	}
	in.values, _ = b.bindResult(&c.Compute, s)
	c.inputs = append(c.inputs, in)
}
