package compile

import (
	"cmp"
	"slices"
	"strings"
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
	c.text = func() string { return w.textOf(e) }
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
	return c.nodeOf(func(m *calculate.Memory, n int, sel []uint64) {
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
	})
}

// nodeOf returns the node of the rows that pass a filter of the inputs.
func (c *comparison) nodeOf(filter func(m *calculate.Memory, n int, sel []uint64)) *Node {
	spare := sync.Pool{New: func() any { return &calculate.Memory{} }}
	return c.node(func(columns []*vector.Vector, n int, sel []uint64) {
		m := spare.Get().(*calculate.Memory)
		m.Vectors = m.Vectors[:0]
		for i := range c.inputs {
			m.Vectors = append(m.Vectors, c.inputs[i].values(m, columns, n, sel))
		}
		filter(m, n, sel)
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

// input is a column of a comparison, or what functions that are run return for a column or a calculation.
type input struct {
	values func(m *calculate.Memory, columns []*vector.Vector, n int, sel []uint64) *vector.Vector // m has those of the inputs before
	leaf   *schema.Node                                                                            // whose bounds are those of the values; nil: unknown
	domain *value.Domain                                                                           // of the leaf, where there is one
	wider  []function.Call                                                                         // make the leaf's values those of the table's type; none: they are
	growth int                                                                                     // of texts, see source
}

// isCalculated reports whether something is done with an operand's values that is not inverted where
// they are compared with a column.
func isCalculated(o *tree.Operand) bool {
	return slices.ContainsFunc(o.Steps, func(s tree.Step) bool { return !isRun(&s) })
}

// compileCalculated compiles a condition on a calculation, and perhaps literals: one on what a function
// returns that is run, as a test of that, others as comparisons.
func (b *binder) compileCalculated(e *tree.Condition, w passWhen) *Node {
	c := &comparison{}
	of := b.bindTerm(c, e.Left)
	if b.err == nil && !c.isNull && of.Domain != nil {
		c.text = func() string { return w.textOf(e) }
		return b.compileValue(e, w, &source{Operand: e.Left, domain: of.Domain, computed: c, input: of.Input()})
	}
	switch e.Op {
	case tree.Compare:
		return b.compileComparison(e, w)
	case tree.In, tree.Between:
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
		column := o
		column.Steps = nil
		s, ok := b.findScalar(column)
		for ; ok && n < len(o.Steps) && fault == "" && (isRun(&o.Steps[n]) || castsText(&o.Steps[n], s.domain)); n++ {
			fault = s.fault(s.bindCall(&o.Steps[n]))
		}
		switch {
		case !ok:
			return nil
		case s.Quantifier != tree.NoQuantifier:
			fault = "the items of a list can be compared with values only"
		case s.domain.Kind == value.OfUnknown:
			c.isNull = true
		default:
			t = b.bindInput(c, &s)
		}
	}
	for i := n; i < len(o.Steps) && fault == "" && !c.isNull && b.err == nil; i++ {
		before := o
		before.Steps = o.Steps[:i]
		t, fault = b.bindStep(c, before, t, &o.Steps[i])
	}
	if fault != "" {
		b.fail(o.At, fault)
	}
	return t
}

// bindStep returns the term of what a step makes of t, which is that of an operand. The text is the error
// if there is none, else "".
func (b *binder) bindStep(c *comparison, o tree.Operand, t *calculate.Term, step *tree.Step) (out *calculate.Term, fault string) {
	var by *calculate.Term
	if step.By != nil && (step.By.Literal == nil || t.Family != value.Moments || step.By.Literal.IsMoment()) {
		by = b.bindTerm(c, *step.By)
	}
	switch {
	case b.err != nil || c.isNull:
		return t, ""
	case isRun(step) || t.Domain != nil && castsText(step, t.Domain):
		return c.bindCall(o, t, step)
	case step.Sign != value.Join:
		if out, fault = applied(t, step, by); strings.HasPrefix(fault, "is ") {
			fault = o.String() + " " + fault
		}
		return out, fault
	}
	text := tree.Step{Op: tree.Cast, To: value.Target{Name: value.ToText}, At: o.At}
	if out, fault = c.bindCall(o, t, &text); fault == "" {
		by, fault = c.bindCall(*step.By, by, &text)
	}
	if fault != "" {
		return nil, fault
	}
	x, y := out.Input(), by.Input()
	return c.derived(input{domain: function.Joined, growth: max(c.inputs[x].growth, 1) + max(c.inputs[y].growth, 1), values: func(m *calculate.Memory, _ []*vector.Vector, n int, sel []uint64) *vector.Vector {
		return function.NewResults().Joined(m.Vectors[x], m.Vectors[y], sel)
	}}), ""
}

// bindCall returns the term of what a function that is run returns for t, which is that of an operand. The
// text is the error if there is none, else "".
func (c *comparison) bindCall(o tree.Operand, t *calculate.Term, step *tree.Step) (*calculate.Term, string) {
	of, fault := t.Type()
	s := source{Operand: o, domain: value.DomainOf(of)}
	if t.Domain != nil {
		s.growth = c.inputs[t.Input()].growth
	}
	if fault == "" {
		fault = s.bindCall(step)
	}
	if fault != "" || t.Domain != nil && len(s.functions) == 0 {
		return t, s.fault(fault)
	}
	return c.derived(input{domain: s.domain, growth: s.growth, values: func(m *calculate.Memory, _ []*vector.Vector, n int, sel []uint64) *vector.Vector {
		return function.NewResults().Of(s.functions, t.Vector(m, n), sel)
	}}), ""
}

// derived adds an input, and returns its term.
func (c *comparison) derived(in input) *calculate.Term {
	c.inputs = append(c.inputs, in)
	return calculate.Column(len(c.inputs)-1, in.domain)
}

// bindInput adds a column, or what functions that are run return for it, to the inputs of c.
func (b *binder) bindInput(c *comparison, s *source) *calculate.Term {
	of, _ := b.bindResult(&c.Compute, s)
	t := c.derived(input{domain: s.domain, growth: s.growth, values: func(_ *calculate.Memory, columns []*vector.Vector, n int, sel []uint64) *vector.Vector {
		return of(columns, n, sel)
	}})
	if in := &c.inputs[t.Input()]; s.constant == nil && s.Key == nil && !s.Length && len(s.runs) == 0 {
		in.leaf, in.domain, in.wider = s.leaf, cmp.Or(s.base, s.domain), s.functions
	}
	return t
}
