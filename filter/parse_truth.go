package filter

import (
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// maxCopied bounds what a text adds where one condition stands for several: that a IS UNKNOWN is
// said by two conditions on a. It is a weight, see tree.Condition.WeightLeft.
const maxCopied = 100_000

// copied counts the weight of e, of the text at a place, which is added once more than the text has
// it, and fails where too much is added.
func (p *parser) copied(e *tree.Condition, at int) {
	p.added(p.copiesLeft-e.WeightLeft(p.copiesLeft), at)
}

// added counts a weight that is added for the text at a place.
func (p *parser) added(weight, at int) {
	if p.copiesLeft -= weight; p.copiesLeft <= 0 {
		p.fail(at, "conditions that stand for several, such as CASE and IS UNKNOWN, nest too deep or have too many values")
	}
}

// null returns the condition IS NULL of an item, which is IS UNKNOWN of a condition:
//
//	c IS UNKNOWN    NOT c IS TRUE AND NOT c IS FALSE
func (p *parser) null(i item) *tree.Condition {
	if i.choices != nil {
		return p.tested(i, p.null)
	}
	if i.e == nil {
		return &tree.Condition{Op: tree.IsNull, Left: p.operand(i), At: i.at}
	}
	p.copied(i.e, i.at)
	return tree.Join(tree.And, opposite(hasTruth(i.e, true, i.at)), opposite(hasTruth(i.e, false, i.at)))
}

// hasTruth returns e IS TRUE, or e IS FALSE, of the text at a place.
func hasTruth(e *tree.Condition, truth bool, at int) *tree.Condition {
	return &tree.Condition{Op: tree.Is, Args: []*tree.Condition{e}, Truth: truth, At: at}
}

// equal returns the comparison of two items, at least one of which is a condition:
//
//	c = d    c AND d OR NOT c AND NOT d
func (p *parser) equal(left, right item, cmp value.Comparison, at int) *tree.Condition {
	if cmp != value.Eq && cmp != value.Ne {
		p.fail(at, "conditions are compared by = and <> only; a < b < c is written a < b AND b < c")
		return nil
	}
	l, r := p.condition(left), p.condition(right)
	if p.err != nil {
		return nil
	}
	p.copied(l, left.at)
	p.copied(r, right.at)
	e := tree.Join(tree.Or, tree.Join(tree.And, l, r), tree.Join(tree.And, tree.Negation(l), tree.Negation(r)))
	if cmp == value.Ne {
		return tree.Negation(e)
	}
	return e
}

// compared returns the comparison of two items.
//
//every:condition parse
func (p *parser) compared(left, right item, cmp value.Comparison, at int) *tree.Condition {
	switch {
	case left.choices != nil:
		return p.tested(left, func(i item) *tree.Condition { return p.compared(i, right, cmp, at) })
	case right.choices != nil:
		return p.tested(right, func(i item) *tree.Condition { return p.compared(left, i, cmp, at) })
	case left.e != nil || right.e != nil:
		return p.equal(left, right, cmp, at)
	}
	l, r := left.o, right.o
	if l.Literal != nil && r.Literal == nil {
		l, r, cmp = r, l, cmp.Mirrored()
	}
	return &tree.Condition{Op: tree.Compare, Comparison: cmp, Left: l, Right: []tree.Operand{r}, At: left.at}
}

// same returns IS NOT DISTINCT FROM, of two values or two conditions:
//
//	a IS NOT DISTINCT FROM 5    (a = 5) IS TRUE
//	a IS NOT DISTINCT FROM b    (a = b) IS TRUE OR a IS NULL AND b IS NULL
func (p *parser) same(left, right item, at int) *tree.Condition {
	if right.choices != nil {
		return p.tested(right, func(i item) *tree.Condition { return p.same(left, i, at) })
	}
	for i, side := range [...]item{left, right} {
		switch {
		case side.e != nil:
		case side.o.Quantifier != tree.NoQuantifier:
			p.fail(side.at, "the items of a list are not compared by IS DISTINCT FROM")
		case side.o.Literal != nil && side.o.Literal.Kind == value.LitNull:
			return p.null([...]item{right, left}[i])
		}
	}
	if p.err != nil {
		return nil
	}
	e := hasTruth(p.compared(left, right, value.Eq, at), true, left.at)
	if p.err != nil || left.e == nil && right.e == nil && (left.o.Literal != nil || right.o.Literal != nil) {
		return e
	}
	return tree.Join(tree.Or, e, tree.Join(tree.And, p.null(left), p.null(right)))
}

// listContains parses list_contains(list, value): whether an item is equal to a value. It is NULL of
// a list that is NULL, and items that are NULL are different from all values. Of a map, a list may be
// map_keys(map) or map_values(map); map_contains(map, key) is of the first.
func (p *parser) listContains(name token) item {
	part := map[string]string{"map_keys": "key", "map_values": "value"}[strings.ToLower(p.tok.text)]
	nested := part != "" && p.following.is("(")
	if nested {
		p.advance()
		p.advance()
	} else if part = ""; name.is("map_contains") {
		part = "key"
	}
	list := p.operand(p.column())
	if nested {
		p.expect(")")
	}
	p.expect(",")
	return p.among(list, part, p.constant(), name.at)
}

// among returns list_contains of a list, or of a part of a map's entries, and a value:
//
//	(ANY(list) = value) IS TRUE OR list IS NULL AND NULL
//
// It is NULL of a value that is NULL: list = NULL.
func (p *parser) among(list tree.Operand, part string, l *value.Literal, at int) item {
	if p.err != nil {
		return item{}
	}
	if !list.IsPlain() {
		return p.fail(list.At, "the name of a list is expected")
	}
	compare := func(left tree.Operand) *tree.Condition {
		return &tree.Condition{Op: tree.Compare, Left: left, Right: []tree.Operand{{Literal: l, At: at}}, At: at}
	}
	if l.Kind == value.LitNull {
		return item{e: compare(list), at: at}
	}
	items := list
	items.Quantifier = tree.AnyItem
	if part != "" {
		items.Path = append(slices.Clip(items.Path), part)
	}
	null := &tree.Condition{Op: tree.Constant, Left: nullAt(at).o, At: at}
	unknown := tree.Join(tree.And, p.null(item{o: list, at: at}), null)
	return item{e: tree.Join(tree.Or, hasTruth(compare(items), true, at), unknown), at: at}
}

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
