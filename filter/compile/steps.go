package compile

import (
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// bindSteps binds what is done with a source's values. Arithmetic is inverted, so that a
// condition on the result becomes a set of the column's own values: a + 1 > 5 is a > 4.
//
//every:step bind but Add Subtract SubtractFrom Multiply Divide (Arithmetic)
func (b *binder) bindSteps(s *source) bool {
	for i := range s.Steps {
		step := &s.Steps[i]
		fault := ""
		op, calculates := step.Op.Arithmetic()
		if !isOfText(step.Op) && s.chain == nil && !(step.To == value.ToText && isText(s.domain)) {
			if s.chain, fault = value.NewChain(s.domain); fault != "" && step.Op == tree.Cast {
				fault = "is " + s.domain.Type.String() + ": CAST takes numbers, dates and timestamps only"
			}
		}
		switch {
		case fault != "":
		case isOfText(step.Op): // Lower Upper Length
			fault = s.bindText(step.Op)
		case calculates:
			fault = s.chain.Calculate(op, step.By)
		case step.Op == tree.Cast && s.chain != nil: // else a string is cast to a string
			fault = s.chain.Cast(step.To)
		}
		if fault != "" {
			b.fail(step.At, s.fault(fault))
			return false
		}
	}
	return true
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
