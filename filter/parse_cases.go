package filter

import (
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// choice is one of the values that an item may be: it is that of the rows of which when is TRUE,
// and none before it is. A when is never NULL. The last choice has none: all other rows have it.
type choice struct {
	when *tree.Condition
	item item
}

// chosen returns the item with what f makes of each choice of i.
func (p *parser) chosen(i item, f func(item) item) item {
	out := item{at: i.at}
	for _, c := range i.choices {
		if p.added(1, i.at); p.err != nil {
			return item{}
		}
		out.choices = append(out.choices, choice{c.when, f(c.item)})
	}
	return out
}

// tested returns the condition that f makes of an item. Of several choices, it is that of the one
// which a row has:
//
//	coalesce(a, 0) > 5    a IS NOT NULL AND a > 5 OR a IS NULL AND 0 > 5
func (p *parser) tested(i item, f func(item) *tree.Condition) *tree.Condition {
	if i.choices == nil {
		return f(i)
	}
	var all []*tree.Condition
	var column *tree.Operand
	for n := range i.choices {
		if o := &i.choices[n].item.o; len(o.Path) > 0 && len(o.Steps) == 0 {
			column = o
		}
	}
	for n, c := range i.choices {
		if l := c.item.o.Literal; l != nil && l.Kind == value.LitString {
			c.item.o.Beside = column
		}
		all = append(all, p.tested(c.item, f))
		if n > 0 {
			p.copied(all[n], i.at)
		}
		if p.err != nil {
			return nil
		}
	}
	return p.ofFirst(i.choices, all, i.at)
}

// ofFirst returns the condition that is all[n] of the rows of which choices[n] is the first whose when
// is TRUE. Many choices are halved, by whether a when of the first half is TRUE, so that a thousand
// do not nest a thousand deep.
func (p *parser) ofFirst(choices []choice, all []*tree.Condition, at int) *tree.Condition {
	if len(all) == 1 {
		return all[0]
	}
	first := 1
	if len(all) > 32 {
		first = len(all) / 2
	}
	var some []*tree.Condition
	for _, c := range choices[:first] {
		if p.copied(c.when, at); p.err != nil {
			return nil
		}
		some = append(some, c.when)
	}
	when := tree.Join(tree.Or, some)
	here := tree.Join(tree.And, []*tree.Condition{when, p.ofFirst(choices[:first], all[:first], at)})
	others := tree.Join(tree.And, []*tree.Condition{opposite(when), p.ofFirst(choices[first:], all[first:], at)})
	return tree.Join(tree.Or, []*tree.Condition{here, others})
}

// startsCase reports whether the next token is that of a CASE, and not a column with this name.
func (p *parser) startsCase() bool {
	next := p.following
	switch {
	case !p.tok.is("CASE") || startsTest(next):
		return false
	case next.kind == tokName:
		for _, word := range [...]string{"AND", "OR", "AS", "THEN", "ELSE", "END"} {
			if next.is(word) {
				return false
			}
		}
		return true
	}
	return next.is("(") || next.kind == tokQuoted || next.kind == tokNumber || next.kind == tokString
}

// oneOf parses a function that returns one of its arguments.
func (p *parser) oneOf(name token) item {
	all := []item{p.choosable()}
	for p.accept(",") && p.err == nil {
		all = append(all, p.choosable())
	}
	if p.err == nil && (name.is("nullif") || name.is("ifnull")) && len(all) != 2 {
		p.fail(name.at, "two values are expected: "+name.text+"(a, b)")
	}
	if p.err != nil {
		return item{}
	}
	for n := range all { // strings are compared as the column beside them is
		if o := all[n].o; len(o.Path) > 0 && len(o.Steps) == 0 {
			for m := range all {
				if l := all[m].o.Literal; l != nil && l.Kind == value.LitString {
					all[m].o.Beside = &o
				}
			}
			break
		}
	}
	out := item{at: name.at}
	for n, i := range all[:len(all)-1] {
		var when *tree.Condition
		switch {
		case name.is("nullif"):
			when = hasTruth(p.compared(i, all[1], value.Eq, i.at), true, i.at)
			out.choices = append(out.choices, choice{when, nullAt(name.at)}, choice{item: i})
			return out
		case name.is("least"):
			when = p.extreme(n, all, value.Lt)
		case name.is("greatest"):
			when = p.extreme(n, all, value.Gt)
		default:
			when = opposite(p.null(i))
		}
		if p.err != nil {
			return item{}
		}
		out.choices = append(out.choices, choice{when, i})
	}
	out.choices = append(out.choices, choice{item: all[len(all)-1]})
	return out
}

// extreme returns the condition that an item is not NULL, and that no other compares so with it.
func (p *parser) extreme(n int, all []item, better value.Comparison) *tree.Condition {
	when := []*tree.Condition{opposite(p.null(all[n]))}
	for m, other := range all {
		if m == n {
			continue
		}
		e := p.compared(other, all[n], better, all[n].at)
		if p.copied(e, all[n].at); p.err != nil {
			return nil
		}
		when = append(when, opposite(hasTruth(e, true, all[n].at)))
	}
	return tree.Join(tree.And, when)
}

// choosable parses an item that may be a choice: a value or a condition.
func (p *parser) choosable() item {
	i := p.parse(tree.BindsOr)
	p.added(1, i.at)
	if i.o.Quantifier != tree.NoQuantifier {
		p.fail(i.at, "CASE, coalesce, nullif, least and greatest take no items of a list, but conditions on them")
	}
	return i
}

// nullAt returns NULL, of the text at a place.
func nullAt(at int) item { return item{o: tree.Operand{Literal: &value.Literal{}, At: at}, at: at} }

// cases parses CASE WHEN condition THEN value … ELSE value END, or CASE value WHEN value ….
func (p *parser) cases() item {
	out := item{at: p.advance().at}
	var of *item
	if !p.tok.is("WHEN") {
		i := p.choosable()
		of = &i
	}
	for more := true; more && p.err == nil; more = p.tok.is("WHEN") {
		p.expect("WHEN")
		at := p.tok.at
		i := p.parse(tree.BindsOr)
		var when *tree.Condition
		if of != nil {
			when = p.compared(*of, i, value.Eq, at)
		} else {
			when = p.condition(i)
		}
		p.expect("THEN")
		out.choices = append(out.choices, choice{hasTruth(when, true, at), p.choosable()})
	}
	last := nullAt(out.at)
	if p.accept("ELSE") {
		last = p.choosable()
	}
	if p.expect("END"); p.err != nil {
		return item{}
	}
	out.choices = append(out.choices, choice{item: last})
	return out
}
