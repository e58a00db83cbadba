package filter

import (
	"regexp"
	"strconv"
	"unicode/utf8"
)

// search parses prefix(value, 'text') and the like.
func (p *parser) search(o op) item {
	at := p.tok.at
	p.advance()
	p.advance()
	e := &Expr{op: o, left: p.operand(p.parse(bindsMost)), at: at}
	p.expect(",")
	e.text, _ = p.stringLiteral()
	p.expect(")")
	return item{e: e, at: at}
}

// startsTest reports whether the next token, behind an operand, starts a test of it.
func (p *parser) startsTest() bool {
	t := p.tok
	if t.kind == tokSign {
		_, ok := comparisonOf(t.text)
		return ok || t.text == "~" || t.text == "!~"
	}
	return t.is("IS") || t.is("IN") || t.is("LIKE") || t.is("BETWEEN") || t.is("NOT")
}

func comparisonOf(sign string) (comparison, bool) {
	switch sign {
	case "=":
		return eq, true
	case "<>", "!=":
		return ne, true
	case "<":
		return lt, true
	case "<=":
		return le, true
	case ">":
		return gt, true
	case ">=":
		return ge, true
	}
	return 0, false
}

// test parses the rest of a comparison, IS, IN, LIKE and so on, behind its left side.
func (p *parser) test(left item) item {
	t := p.advance()
	out := func(e *Expr, negate bool) item {
		e.at, e.innerNot = left.at, negate
		return item{e: e, at: left.at}
	}
	if cmp, ok := comparisonOf(t.text); ok && t.kind == tokSign {
		l, r := p.operand(left), p.operand(p.parse(bindsMost))
		if l.lit != nil && r.lit == nil {
			l, r, cmp = r, l, cmp.mirrored()
		}
		return out(&Expr{op: opCompare, cmp: cmp, left: l, right: []operand{r}}, false)
	}
	if t.is("IS") {
		negate := p.accept("NOT")
		switch {
		case p.accept("NULL"):
			return out(&Expr{op: opIsNull, left: p.operand(left)}, negate)
		case p.tok.is("TRUE"), p.tok.is("FALSE"):
			is := p.advance().is("TRUE")
			return out(&Expr{op: opIs, args: []*Expr{p.condition(left)}, truth: is}, negate)
		}
		p.unexpected("NULL, TRUE or FALSE is expected")
		return left
	}
	e := &Expr{left: p.operand(left)}
	if t.is("~") || t.is("!~") {
		p.match(e)
		return out(e, t.is("!~"))
	}
	negate := t.is("NOT")
	if negate {
		t = p.advance()
	}
	switch {
	case t.is("LIKE"):
		p.like(e)
	case t.is("BETWEEN"):
		e.op = opBetween
		low := p.operand(p.parse(bindsMost))
		p.expect("AND")
		e.right = []operand{low, p.operand(p.parse(bindsMost))}
	case t.is("IN"):
		p.in(e)
	default:
		p.fail(t.at, "IN, LIKE or BETWEEN is expected")
	}
	return out(e, negate)
}

// in parses the list of an IN.
func (p *parser) in(e *Expr) {
	e.op = opIn
	p.expect("(")
	if p.accept(")") {
		return // IN () is the text of an empty list, which programs build
	}
	for {
		at := p.tok.at
		l := p.literal()
		if l == nil {
			p.fail(at, "a value is expected")
			return
		}
		e.right = append(e.right, operand{lit: l, at: at})
		if !p.accept(",") {
			p.expect(")")
			return
		}
	}
}

// like parses the pattern of a LIKE and its ESCAPE.
func (p *parser) like(e *Expr) {
	e.op = opLike
	e.text, _ = p.stringLiteral()
	if !p.accept("ESCAPE") {
		return
	}
	s, at := p.stringLiteral()
	r, size := utf8.DecodeRuneInString(s)
	if size != len(s) || size == 0 || r == utf8.RuneError {
		p.fail(at, "one character is expected")
	}
	e.escape = r
}

// maxPattern bounds the length of regular expressions: compiled they take many times
// the memory of their text.
const maxPattern = 1 << 16

// match parses a regular expression and compiles it.
func (p *parser) match(e *Expr) {
	e.op = opMatch
	text, at := p.stringLiteral()
	if len(text) > maxPattern {
		p.fail(at, "regular expression of more than "+strconv.Itoa(maxPattern)+" bytes")
	}
	if p.err != nil {
		return
	}
	re, err := regexp.Compile(text)
	if err != nil {
		p.fail(at, err.Error())
	}
	e.text, e.regexp = text, re
}
