package tree

import "github.com/winnow-scan/winnow/filter/internal/value"

// WeightLeft subtracts from left what it takes to bind c, about a microsecond each: one for each
// condition and value, one for each 64 bytes of text or bits of a number, and 16 for each
// function. A regular expression takes much more. It stops once the result is not positive.
func (c *Condition) WeightLeft(left int) int {
	if left <= 0 || c == nil {
		return left
	}
	left -= 1 + len(c.Text)/64 + c.Left.weight()
	if c.Op == Match {
		left -= 16 + len(c.Text)/2
	}
	for i := range c.Right {
		if left -= 1 + c.Right[i].weight(); left <= 0 {
			return left
		}
	}
	if c.Left.Items != nil {
		left = c.Left.Items.Condition.WeightLeft(left)
	}
	for _, a := range c.Args {
		left = a.WeightLeft(left)
	}
	return left
}

// weight is what an operand weighs beside the 1 of its condition.
func (o *Operand) weight() int {
	n := weightOf(o.Literal) + weightOf(o.Key)
	for _, name := range o.Path {
		n += len(name) / 64
	}
	for _, l := range o.Field {
		n += weightOf(l)
	}
	for i := range o.Steps {
		step := &o.Steps[i]
		n++
		switch {
		case step.Op == Calculate:
			n += 3 + step.By.weight()
		case step.Op == Call || step.To.Name == value.ToText:
			n += 15
		}
		for _, l := range step.Constants {
			n += weightOf(l)
		}
	}
	return n
}

// weightOf returns what a literal weighs, of which there may be none.
func weightOf(l *value.Literal) int {
	switch {
	case l == nil:
		return 0
	case l.Kind == value.LitNumber:
		return (l.Number.Coef.BitLen() + 4*max(l.Number.Exp, -l.Number.Exp)) / 64 // 10^n has less than 4n bits
	}
	return len(l.Text) / 64
}
