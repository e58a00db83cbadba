package oracle

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// condition is one that is said three times: to the oracle, as a text and with
// builders.
type condition struct {
	truth *naive.Cond
	sql   string       // "" if there is a function in it
	expr  *filter.Expr // made of builders or, part by part, parsed
}

// asked is a test that a condition has, for the table of coverage.
type asked struct {
	node  string
	leaf  *leaf
	truth *naive.Cond
}

// writer writes random conditions on a world.
type writer struct {
	r     *rand.Rand
	w     *world
	asked []asked
	err   error // the first
}

func (g *writer) parse(sql string) *filter.Expr {
	e, err := filter.Parse(sql)
	if err != nil && g.err == nil {
		g.err = fmt.Errorf("%s: %w", sql, err)
	}
	return e
}

func join(op naive.Op, all ...condition) condition {
	c := condition{truth: &naive.Cond{Op: op}}
	word, make := " AND ", filter.And
	if op == naive.Or {
		word, make = " OR ", filter.Or
	}
	var texts []string
	var exprs []*filter.Expr
	whole := true
	for _, a := range all {
		c.truth.Args = append(c.truth.Args, a.truth)
		exprs = append(exprs, a.expr)
		texts = append(texts, a.sql)
		whole = whole && a.sql != ""
	}
	c.expr = make(exprs...)
	if whole {
		c.sql = "(" + strings.Join(texts, word) + ")"
	}
	return c
}

func around(op naive.Op, before, behind string, c condition, expr *filter.Expr) condition {
	out := condition{truth: &naive.Cond{Op: op, Args: []*naive.Cond{c.truth}}, expr: expr}
	if c.sql != "" {
		out.sql = before + "(" + c.sql + ")" + behind
	}
	return out
}

func negated(c condition) condition {
	return around(naive.Not, "NOT ", "", c, filter.Not(c.expr))
}

func (g *writer) condition(depth int) condition {
	r := g.r
	if depth > 0 {
		switch r.IntN(8) {
		case 0, 1, 2:
			all := []condition{g.condition(depth - 1), g.condition(depth - 1)}
			if r.IntN(3) == 0 {
				all = append(all, g.condition(0))
			}
			return join(pick(r, naive.And, naive.And, naive.Or), all...)
		case 3:
			return join(naive.Or, g.condition(depth-1), g.condition(depth-1))
		case 4:
			return negated(g.condition(depth - 1))
		case 5:
			c := g.condition(depth - 1)
			if r.IntN(2) == 0 {
				return around(naive.IsTrue, "", " IS TRUE", c, c.expr.IsTrue())
			}
			return negated(around(naive.IsFalse, "", " IS FALSE", c, c.expr.IsFalse()))
		case 6: // several tests of one column
			p := pick(r, g.w.places...)
			return join(pick(r, naive.And, naive.Or), g.test(&p), g.test(&p), g.test(&p))
		}
	}
	switch r.IntN(24) {
	case 0:
		return g.constant()
	case 1, 2:
		if len(g.w.nullables) > 0 {
			p := pick(r, g.w.nullables...)
			return g.isNull(&p, "IS NULL above")
		}
	case 3, 4:
		return g.columns()
	case 5:
		return g.function()
	case 6, 7:
		if len(g.w.lists) > 0 {
			return g.items("x")
		}
	}
	p := pick(r, g.w.places...)
	return g.test(&p)
}

func (g *writer) constant() condition {
	sql := pick(g.r, "TRUE", "FALSE", "NULL", "1 = 1", "2.5 < 2", "NULL = 3", "'a' <> 'b'", "X'00' < X'01'")
	c := condition{sql: sql, expr: g.parse(sql), truth: &naive.Cond{Op: naive.Constant}}
	switch sql {
	case "TRUE", "1 = 1", "'a' <> 'b'", "X'00' < X'01'":
		c.truth.Left.Literal = true
	case "FALSE", "2.5 < 2":
		c.truth.Left.Literal = false
	}
	return c
}

// instance chooses what p leaves open: a quantifier, a key. node is what the
// table of coverage calls it, "" for a column as it is.
func (g *writer) instance(p *place) (o naive.Operand, sql string, b filter.Column, node string) {
	o, sql, b = p.operand, p.sql, p.builder
	switch {
	case p.length:
		return o, sql, b, "length"
	case p.keys != nil:
		k := 3 * g.r.IntN(p.keys.size)
		if g.r.IntN(2) == 0 {
			k = 1 // which no map has
		}
		v := p.keys.means(p.keys.at(k))
		key := literal{fmt.Sprint(v), v, v}
		if s, ok := v.(string); ok {
			key = textLiteral(g.r, s)
		}
		o.HasKey, o.Key = true, key.value
		return o, sql + "[" + key.sql + "]", b.Key(key.host), "key"
	case o.Lists == 0:
		return o, sql, b, ""
	case g.r.IntN(2) == 0:
		o.Quant = naive.Any
		return o, "ANY(" + sql + ")", b.Any(), "ANY"
	}
	o.Quant = naive.All
	return o, "ALL(" + sql + ")", b.All(), "ALL"
}

// finish notes a test and chooses how it is said: host has builders for it, or not.
func (g *writer) finish(node, name string, p *place, truth *naive.Cond, sql string, host *filter.Expr) condition {
	if node == "" {
		node = name
	}
	g.asked = append(g.asked, asked{node, p.leaf, truth})
	if host == nil || g.r.IntN(2) == 0 {
		host = g.parse(sql)
	}
	return condition{truth, sql, host}
}

func (g *writer) isNull(p *place, name string) condition {
	o, sql, b, node := g.instance(p)
	if g.r.IntN(2) == 0 {
		return g.finish(node, name, p, &naive.Cond{Op: naive.IsNull, Left: o}, sql+" IS NULL", b.IsNull())
	}
	return g.finish(node, name, p, &naive.Cond{Op: naive.IsNull, Left: o, Not: true}, sql+" IS NOT NULL", b.IsNotNull())
}

// test returns a test of the values of p.
func (g *writer) test(p *place) condition {
	r := g.r
	isOrdered := p.family != unordered
	if p.keys != nil && r.IntN(3) == 0 { // of a key that no map has, IS NULL is true of all rows
		return g.isNull(p, "IS NULL")
	}
	switch r.IntN(11) {
	case 0:
		return g.isNull(p, "IS NULL")
	case 1:
		if isOrdered {
			return g.between(p)
		}
	case 2, 3:
		return g.in(p)
	case 4, 5, 6, 7:
		if p.family == texts {
			return g.search(p)
		}
		if p.family == booleans && p.keys == nil {
			o, sql, b, node := g.instance(p)
			return g.finish(node, "boolean", p, &naive.Cond{Op: naive.Bool, Left: o}, sql, b.True())
		}
	}
	return g.comparison(p, isOrdered)
}

var comparisons = []struct {
	sign     string
	op, back naive.Op // back says the same with the literal in front
	build    func(filter.Column, any) *filter.Expr
}{
	{"=", naive.Eq, naive.Eq, filter.Column.Eq}, {"<>", naive.Ne, naive.Ne, filter.Column.Ne},
	{"<", naive.Lt, naive.Gt, filter.Column.Lt}, {"<=", naive.Le, naive.Ge, filter.Column.Le},
	{">", naive.Gt, naive.Lt, filter.Column.Gt}, {">=", naive.Ge, naive.Le, filter.Column.Ge},
}

func (g *writer) comparison(p *place, isOrdered bool) condition {
	r := g.r
	o, sql, b, node := g.instance(p)
	c := comparisons[r.IntN(2)]
	if isOrdered {
		c = pick(r, comparisons...)
	}
	var l literal
	stepped := false
	if r.IntN(4) == 0 {
		o.Steps, sql = g.steps(p, sql)
		stepped = len(o.Steps) > 0
	}
	truth := &naive.Cond{Op: c.op, Left: o}
	for range pick(r, 1, 1, 12) { // some aim at row groups all of whose rows pass: few do by chance
		l = g.near(p)
		if text, isText := l.value.(string); isText && stepped {
			l = g.folded(o.Steps, text)
		}
		if truth.Right = operands(l); g.w.passesGroup(truth) {
			break
		}
	}
	text := sql + " " + c.sign + " " + l.sql
	if r.IntN(4) == 0 {
		for _, back := range comparisons {
			if back.op == c.back {
				text = l.sql + " " + back.sign + " " + sql
			}
		}
	}
	if stepped {
		return g.finish(node, c.sign, p, truth, text, nil)
	}
	return g.finish(node, c.sign, p, truth, text, c.build(b, l.host))
}

func operands(all ...literal) (out []naive.Operand) {
	for _, l := range all {
		out = append(out, naive.Operand{IsLiteral: true, Literal: l.value})
	}
	return out
}

func (g *writer) between(p *place) condition {
	o, sql, b, node := g.instance(p)
	low, high := g.near(p), g.near(p)
	truth := &naive.Cond{Op: naive.Between, Left: o, Right: operands(low, high)}
	if g.r.IntN(4) == 0 {
		truth.Not = true
		return g.finish(node, "BETWEEN", p, truth, sql+" NOT BETWEEN "+low.sql+" AND "+high.sql, nil)
	}
	return g.finish(node, "BETWEEN", p, truth, sql+" BETWEEN "+low.sql+" AND "+high.sql, b.Between(low.host, high.host))
}

func (g *writer) in(p *place) condition {
	o, sql, b, node := g.instance(p)
	truth := &naive.Cond{Op: naive.In, Left: o, Not: g.r.IntN(3) == 0}
	var texts []string
	var hosts []any
	n := g.r.IntN(6)
	if g.r.IntN(12) == 0 {
		n = 50 + g.r.IntN(100)
	}
	for range n {
		l := g.near(p)
		truth.Right = append(truth.Right, operands(l)...)
		texts, hosts = append(texts, l.sql), append(hosts, l.host)
	}
	list := " IN (" + strings.Join(texts, ", ") + ")"
	if truth.Not {
		return g.finish(node, "IN", p, truth, sql+" NOT"+list, b.NotIn(hosts...))
	}
	return g.finish(node, "IN", p, truth, sql+list, b.In(hosts...))
}
