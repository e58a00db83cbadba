package filter

import (
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// tuple parses the rest of a comparison of tuples behind the first item of the left one:
//
//	(a, b) = (1, 2)             a = 1 AND b = 2
//	(a, b) IN ((1, 2), (3, 4))  a = 1 AND b = 2 OR a = 3 AND b = 4
//	(a, b) < (1, 2)             a < 1 OR a = 1 AND b < 2
func (p *parser) tuple(first item) item {
	left := p.tupleFrom(first)
	negate := p.accept("NOT")
	t := p.advance()
	cmp, compares := comparisonOf(t.text)
	var e *tree.Condition
	switch {
	case t.is("IN"):
		var some []*tree.Condition
		p.expect("(")
		p.list(func() { some = append(some, p.tuples(left, value.Eq)) })
		p.expect(")")
		e = tree.Join(tree.Or, some...)
	case !compares || t.kind != tokSign || negate:
		p.fail(t.at, "a tuple is compared by =, <>, <, <=, >, >=, IN and NOT IN, with tuples")
	case cmp == value.Ne:
		e, negate = p.tuples(left, value.Eq), true
	default:
		e = p.tuples(left, cmp)
	}
	if negate {
		e = tree.Negation(e)
	}
	return item{e: e, at: first.at}
}

// tupleFrom parses the rest of a tuple behind its first item.
func (p *parser) tupleFrom(first item) []item {
	all := []item{first}
	for p.accept(",") {
		all = append(all, p.parse(tree.BindsBits))
	}
	p.expect(")")
	return all
}

// tuples parses the right tuple of a comparison.
func (p *parser) tuples(left []item, cmp value.Comparison) *tree.Condition {
	at := p.tok.at
	p.expect("(")
	right := p.tupleFrom(p.parse(tree.BindsBits))
	if len(right) != len(left) {
		p.fail(at, "a tuple of as many values is expected as the left one has")
	}
	compared := func(i int, cmp value.Comparison) (e *tree.Condition) {
		if p.err == nil {
			e = p.compared(left[i], right[i], cmp, at)
			p.copied(e, at)
		}
		return e
	}
	last := len(left) - 1
	if cmp == value.Eq { // not nested, as the others are
		var all []*tree.Condition
		for i := range left {
			all = append(all, compared(i, cmp))
		}
		return tree.Join(tree.And, all...)
	}
	strict := [...]value.Comparison{value.Lt: value.Lt, value.Le: value.Lt, value.Gt: value.Gt, value.Ge: value.Gt}[cmp]
	e := compared(last, cmp)
	for i := last - 1; i >= 0; i-- {
		equal := tree.Join(tree.And, compared(i, value.Eq), e)
		e = tree.Join(tree.Or, compared(i, strict), equal)
	}
	return e
}
