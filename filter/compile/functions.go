package compile

import (
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/calculate"
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// mostGrowth bounds how many times as long as a value the results of functions may be: else a few calls
// of replace within each other take all memory.
const mostGrowth = 1000

// bindCall binds a function. It returns an error's text, else "".
func (s *source) bindCall(step *tree.Step) string {
	d := s.domain
	f := step.Function
	if step.Op == tree.Cast {
		if f = function.ToText; step.To.Name != value.ToText {
			f = function.FromText(step.To)
		}
	}
	switch {
	case d.Kind == value.OfUnknown, f == function.ToText && s.chain == nil && function.Texts.Has(d):
		return ""
	case !f.Takes.Has(d) && f.Takes == function.Texts:
		return "is no string: it is " + d.Type.String()
	case !f.Takes.Has(d):
		return notTaken(f, d)
	}
	if f.Takes == function.Spelled && !function.Texts.Has(d) {
		if fault := s.bindCall(&tree.Step{Op: tree.Cast, To: value.Target{Name: value.ToText}, At: step.At}); fault != "" {
			return fault
		}
	}
	if s.base == nil {
		s.base = d
	}
	call := f.With(step.Constants...)
	if s.growth = max(s.growth, 1) * call.Growth(); s.growth > mostGrowth {
		return "cannot be made more than 1000 times as long by " + f.Name
	}
	s.functions, s.runs = append(s.functions, call), append(s.runs, *step)
	s.domain = value.DomainOf(f.Type(d.Type))
	return ""
}

// before returns the test of the column's values: those pass whose results, by the
// source's functions, pass inner.
func (s *source) before(inner slotTest) slotTest {
	if s.base == nil {
		return inner
	}
	all := inner.set // of the results that may pass
	name := s.withFunctions().String()
	inner.set.Null = false
	out := slotTest{domain: s.base, words: inner.describe(name)}
	casts := slices.ContainsFunc(s.runs, mayBeNull)
	if all.Null && casts {
		out.words += " OR " + name + " IS NULL"
	}
	test := inner.valueTest
	if test == nil {
		if (all.HasNoValues() || all.HasAllValues()) && !casts {
			if !inner.domain.HasNaN() {
				all.NaN = all.HasAllValues() // a NaN has a text, too
			}
			return slotTest{domain: s.base, set: all}
		}
		inner.valueTest = inner.domain.Lower(&inner.set)
	}
	inner.set.Null = all.Null
	functions := s.functions
	may, exact := function.Before(all, functions)
	may.Null, may.NaN = all.Null, s.base.HasNaN() && (!exact || may.NaN)
	out.set = may
	first := slotTest{domain: s.base, set: may}
	if exact && test == nil {
		return first
	}
	if !first.allValues() {
		first.valueTest = s.base.Lower(&first.set)
	}
	spare := sync.Pool{New: func() any { return function.NewResults() }}
	out.valueTest = pred.By(func(v *vector.Vector, sel []uint64) {
		first.filter(sel, v)
		results := spare.Get().(*function.Results)
		inner.filter(sel, results.Of(functions, v, sel))
		spare.Put(results)
	})
	return out
}

// withFunctions returns the operand with the functions alone that are run and are bound so far.
func (s *source) withFunctions() *tree.Operand {
	o := s.Operand
	o.Steps = s.runs
	return &o
}

// mayBeNull reports whether the result of a step that is run may be NULL where the value is not: of arithmetic, and of a
// cast of a string.
func mayBeNull(step tree.Step) bool {
	return step.Op == tree.Calculate || step.Op == tree.Cast && step.To.Name != value.ToText
}

// isRun reports whether a step is a function that is run, and not inverted. So is a cast to text.
func isRun(step *tree.Step) bool {
	return step.Op == tree.Call && step.Function.Inverse == value.NoInverse || step.Op == tree.Cast && step.To.Name == value.ToText
}

// bindResult is bindScalar with functions.
func (b *binder) bindResult(c *Compute, s *source) (scalarFunc, bool) {
	of, ok := b.bindScalar(c, s)
	if len(s.functions) == 0 {
		return of, ok
	}
	return func(columns []*vector.Vector, n int, sel []uint64) *vector.Vector {
		return function.NewResults().Of(s.functions, of(columns, n, sel), sel)
	}, ok
}

// bindSteps binds what is done with a source's values. Arithmetic is inverted, so that a
// condition on the result becomes a set of the column's own values: a + 1 > 5 is a > 4.
//
//every:step bind
func (b *binder) bindSteps(s *source) bool {
	first := 0 // of the chain
	for i := range s.Steps {
		step := &s.Steps[i]
		fault := ""
		run := isRun(step) || s.chain == nil && castsText(step, s.domain)
		switch {
		case run && s.chain != nil:
			fault = s.calculated(s.Steps[first:i])
		case !run && s.chain == nil:
			s.chain, first = value.NewChain(s.domain), i
		}
		switch {
		case fault != "":
		case run:
			fault = s.bindCall(step)
		case step.Op == tree.Call:
			if out := s.chain.Results(); out.Kind != value.OfUnknown && !step.Function.Takes.Has(out) {
				fault = notTaken(step.Function, out)
			} else {
				s.chain.Call(step.Function.Inverse, step.Constants)
			}
		case step.Op == tree.Calculate:
			fault = s.chain.Calculate(step.Sign, step.By.Literal, step.Front)
		default:
			fault = s.chain.Cast(step.To)
		}
		if fault != "" {
			b.fail(step.At, s.fault(fault))
			return false
		}
	}
	return true
}

// castsText reports whether a step is a cast of strings that is run.
func castsText(step *tree.Step, d *value.Domain) bool {
	return step.Op == tree.Cast && step.To.Name != value.ToText && function.Texts.Has(d) && function.FromText(step.To) != nil
}

// calculated makes the steps of the chain, whose results a function takes that is run, one of these
// functions. It returns an error's text, else "".
func (s *source) calculated(steps []tree.Step) (fault string) {
	if s.chain = nil; s.domain.Kind == value.OfUnknown {
		return ""
	}
	t := calculate.Column(0, s.domain)
	for i := range steps {
		var by *calculate.Term
		if l := steps[i].By; l != nil && t.Family != value.Moments {
			by, fault = calculate.Constant(l.Literal)
		}
		if fault == "" {
			t, fault = applied(t, &steps[i], by)
		}
		if fault != "" {
			return fault
		}
	}
	of, fault := t.Type()
	spare := sync.Pool{New: func() any { return &calculate.Memory{} }}
	s.functions = append(s.functions, function.Computed(of, func(v *vector.Vector) *vector.Vector {
		m := spare.Get().(*calculate.Memory)
		m.Vectors = append(m.Vectors[:0], v)
		out := t.Vector(m, v.Len)
		spare.Put(m)
		return out
	}))
	if s.base == nil {
		s.base = s.domain
	}
	s.runs, s.domain = append(s.runs, steps...), value.DomainOf(of)
	return fault
}

// applied returns the term of what a step that is not run makes of t, given the other operand of an
// operation. The text is the error if there is none, else "".
func applied(t *calculate.Term, step *tree.Step, by *calculate.Term) (*calculate.Term, string) {
	switch {
	case step.Op == tree.Cast:
		return t.Cast(step.To)
	case step.Op == tree.Call && t.Family != map[bool]value.Family{true: value.Moments, false: value.Numbers}[step.Function.Takes == function.Moments]:
		return nil, "is no value that " + step.Function.Name + " takes: it takes " + step.Function.Takes.String()
	case step.Op == tree.Call:
		return t.Call(step.Function.Inverse, step.Constants), ""
	case t.Family == value.Moments && step.By.Literal != nil && !step.By.Literal.IsMoment():
		return t.Later(step.Sign, step.Front, step.By.Literal)
	case step.Front:
		return calculate.Operate(step.Sign, by, t)
	}
	return calculate.Operate(step.Sign, t, by)
}

// notTaken returns the error's text for values that a function does not take.
func notTaken(f *function.Function, d *value.Domain) string {
	return "is " + d.Type.String() + ": " + f.Name + " takes " + f.Takes.String()
}

// compareWith returns the values of a source for which a comparison with a literal, which is
// not NULL, is TRUE. The text is the error where the two do not compare.
func (s *source) compareWith(c value.Comparison, l *value.Literal) (value.Subset, string) {
	if s.chain != nil {
		return s.chain.Compare(c, l)
	}
	p, fault := s.domain.Place(l)
	return p.Compare(c), fault
}
