package compile

import (
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

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
