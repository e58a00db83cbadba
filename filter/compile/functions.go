package compile

import (
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
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
	case d.Kind == value.OfUnknown, f == function.ToText && s.chain == nil && isText(d):
		return ""
	case s.chain != nil:
		return "is " + d.Type.String() + ": " + f.Name + " of a calculated value is not supported"
	case !f.Takes.Has(d) || f.Takes == function.Texts && !isText(d):
		if f.Takes == function.Texts {
			return "is no string: it is " + d.Type.String()
		}
		return notTaken(f, d)
	}
	if f.Takes == function.Spelled && !isText(d) {
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

// isText reports whether values of a domain are strings, or binaries that may be.
func isText(d *value.Domain) bool {
	return d.Kind == value.OfBytes && d.Type.Logical != vector.UUID && d.Ordered()
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
	casts := slices.ContainsFunc(s.runs, isCast)
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
	var spare sync.Pool
	out.valueTest = pred.By(func(v *vector.Vector, sel []uint64) {
		first.filter(sel, v)
		results, ok := spare.Get().(*function.Results)
		if !ok {
			results = function.NewResults()
		}
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

// isCast reports whether a step is a cast of a string, whose result may be NULL where the string is not.
func isCast(step tree.Step) bool { return step.Op == tree.Cast && step.To.Name != value.ToText }

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
		v := of(columns, n, sel)
		there := slices.Clone(sel[:bits.Words(n)])
		if len(v.Validity) > 0 {
			bits.And(there, v.Validity[:len(there)])
		}
		return function.NewResults().Of(s.functions, v, there)
	}, ok
}

// bindSteps binds what is done with a source's values. Arithmetic is inverted, so that a
// condition on the result becomes a set of the column's own values: a + 1 > 5 is a > 4.
//
//every:step bind
func (b *binder) bindSteps(s *source) bool {
	for i := range s.Steps {
		step := &s.Steps[i]
		fault := ""
		run := isRun(step) || isCast(*step) && s.chain == nil && isText(s.domain) && function.FromText(step.To) != nil
		if !run && s.chain == nil {
			s.chain = value.NewChain(s.domain)
		}
		switch {
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
