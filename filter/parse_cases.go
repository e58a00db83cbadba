package filter

import (
	"slices"

	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// choice is one of the values that an item may be: it is that of the rows of which when is TRUE,
// and none before it is. A when is never NULL. The last choice has none: all other rows have it.
type choice struct {
	when *tree.Condition
	item item
}

// chosen returns what f makes of an item, or of each of its choices.
func (p *parser) chosen(i item, f func(item) item) item {
	if i.choices == nil {
		return f(i)
	}
	out := item{at: i.at}
	for _, c := range i.choices {
		if p.added(1, i.at); p.err != nil {
			return item{}
		}
		out.choices = append(out.choices, choice{c.when, p.chosen(c.item, f)})
	}
	return out
}

// tested returns the condition that f makes of an item, or of that of its choices which a row has:
//
//	coalesce(a, 0) > 5    a IS NOT NULL AND a > 5 OR a IS NULL AND 0 > 5
func (p *parser) tested(i item, f func(item) *tree.Condition) *tree.Condition {
	return p.condition(p.chosen(i, func(i item) item { return item{e: f(i), at: i.at} }))
}

// besides has strings that are choices compared as a column beside them is.
func besides(choices []choice) {
	var column *tree.Operand
	for n := range choices {
		if o := choices[n].item.o; len(o.Path) > 0 && len(o.Steps) == 0 {
			column = &o
		}
	}
	for n := range choices {
		if o := &choices[n].item.o; o.Literal != nil && o.Literal.Kind == value.LitString {
			o.Beside = column
		}
	}
}

// ofFirst returns the condition that is the first of choices whose when is TRUE. Many choices are
// halved, by whether a when of the first half is TRUE, so that a thousand do not nest a thousand deep.
func (p *parser) ofFirst(choices []choice, at int) *tree.Condition {
	if len(choices) == 1 {
		return p.condition(choices[0].item)
	}
	first := 1
	if len(choices) > 32 {
		first = len(choices) / 2
	}
	var some []*tree.Condition
	for _, c := range choices[:first] {
		if p.copied(c.when, at); p.err != nil {
			return nil
		}
		some = append(some, c.when)
	}
	when := tree.Join(tree.Or, some...)
	here, others := p.ofFirst(choices[:first], at), p.ofFirst(choices[first:], at)
	return tree.Join(tree.Or, tree.Join(tree.And, when, here), tree.Join(tree.And, opposite(when), others))
}

// startsCase reports whether the next token is that of a CASE, and not a column with this name.
func (p *parser) startsCase() bool {
	next := p.following
	switch {
	case !p.tok.is("CASE") || startsTest(next):
		return false
	case next.kind == tokName:
		return !slices.ContainsFunc([]string{"AND", "OR", "AS", "THEN", "ELSE", "END"}, next.is)
	}
	return next.is("(") || next.kind == tokQuoted || next.kind == tokNumber || next.kind == tokString
}

// oneOf parses a function that returns one of its arguments.
func (p *parser) oneOf(name token) item {
	var all []choice
	p.list(func() { all = append(all, choice{item: p.choosable()}) })
	if p.err == nil && (name.is("nullif") || name.is("ifnull")) && len(all) != 2 {
		p.fail(name.at, "two values are expected: "+name.text+"(a, b)")
	}
	besides(all)
	for n := range all[:len(all)-1] {
		switch i := all[n].item; {
		case p.err != nil:
			return item{}
		case name.is("nullif"):
			equal := hasTruth(p.compared(i, all[1].item, value.Eq, i.at), true, i.at)
			all = []choice{{equal, nullAt(name.at)}, {item: i}}
		case name.is("least"):
			all[n].when = p.extreme(n, all, value.Lt)
		case name.is("greatest"):
			all[n].when = p.extreme(n, all, value.Gt)
		default:
			all[n].when = opposite(p.null(i))
		}
	}
	return item{choices: all, at: name.at}
}

// extreme returns the condition that an item is not NULL, and that no other compares so with it.
func (p *parser) extreme(n int, all []choice, better value.Comparison) *tree.Condition {
	this := all[n].item
	when := []*tree.Condition{opposite(p.null(this))}
	for m, other := range all {
		if m == n {
			continue
		}
		e := p.compared(other.item, this, better, this.at)
		if p.copied(e, this.at); p.err != nil {
			return nil
		}
		when = append(when, opposite(hasTruth(e, true, this.at)))
	}
	return tree.Join(tree.And, when...)
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
func nullAt(at int) item { return valueAt(at, &value.Literal{}) }

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
	p.expect("END")
	out.choices = append(out.choices, choice{item: last})
	besides(out.choices)
	return out
}

// joined returns left || right, the text of one behind that of the other.
//
//every:step parse
func (p *parser) joined(left, right item, at int) item {
	switch {
	case left.choices != nil:
		return p.chosen(left, func(i item) item { return p.joined(i, right, at) })
	case right.choices != nil:
		return p.chosen(right, func(i item) item { return p.joined(left, i, at) })
	}
	l, r := p.operand(left), p.operand(right)
	front, back := p.textOf(l), p.textOf(r)
	switch {
	case p.err != nil:
		return item{}
	case l.Literal == nil && r.Literal == nil:
		return p.stepped(l, tree.Step{Op: tree.Calculate, Sign: value.Join, By: &r, At: at}, left.at)
	case front.IsNull() || back.IsNull():
		return nullAt(left.at)
	case l.Literal != nil && r.Literal != nil:
		return valueAt(left.at, p.joinedConstants(front, back, at))
	case l.Literal != nil:
		l = r
	}
	step := tree.Step{Op: tree.Call, Function: function.Named("||"), Constants: []*value.Literal{front, back}, At: at}
	if n := len(l.Steps) - 1; n >= 0 && l.Steps[n].Function == step.Function { // 'a' || x || 'b' is one step
		inner := l.Steps[n].Constants
		step.Constants = []*value.Literal{p.joinedConstants(front, inner[0], at), p.joinedConstants(inner[1], back, at)}
		l.Steps = l.Steps[:n]
	}
	return p.stepped(l, step, left.at)
}

// joinedConstants returns the text of one constant with that of another behind it.
func (p *parser) joinedConstants(front, back *value.Literal, at int) *value.Literal {
	switch {
	case front.Text == "":
		return back
	case back.Text == "":
		return front
	}
	p.calculates(1+(len(front.Text)+len(back.Text))/4096, at)
	return value.Of(front.Text + back.Text)
}

// textOf returns the text of a literal, and an empty one of a column.
func (p *parser) textOf(o tree.Operand) *value.Literal {
	if o.Literal == nil {
		return value.Of("")
	}
	l, fault := o.Literal.Cast(value.Target{Name: value.ToText})
	if fault != "" {
		p.fail(o.At, fault)
	}
	return l
}

// concat parses concat(value, …), which takes NULLs for empty texts, unlike ||.
func (p *parser) concat(name token) item {
	at := name.at
	empty := valueAt(at, value.Of(""))
	out := empty
	p.list(func() {
		switch i := p.choosable(); {
		case i.o.Literal == nil:
			out = p.joined(out, item{choices: []choice{{opposite(p.null(i)), i}, {item: empty}}, at: i.at}, at)
		case !i.o.Literal.IsNull():
			out = p.joined(out, i, at)
		}
	})
	return out
}
