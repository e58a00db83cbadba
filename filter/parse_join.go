package filter

import (
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

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
