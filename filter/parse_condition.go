package filter

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// search parses prefix(value, 'text') and the like.
func (p *parser) search(o tree.Op) item {
	at := p.tok.at
	p.advance()
	p.advance()
	e := &tree.Condition{Op: o, Left: p.operand(p.parse(tree.BindsSum)), At: at}
	p.expect(",")
	e.Text, _ = p.stringLiteral()
	p.expect(")")
	return item{e: e, at: at}
}

// startsTest reports whether a token after an operand starts a test of it.
func startsTest(t token) bool {
	if t.kind == tokSign {
		_, ok := comparisonOf(t.text)
		return ok || t.text == "~" || t.text == "!~"
	}
	return t.is("IS") || t.is("IN") || t.is("LIKE") || t.is("ILIKE") || t.is("BETWEEN") || t.is("NOT")
}

func comparisonOf(sign string) (value.Comparison, bool) {
	for c := value.Eq; c <= value.Ge; c++ {
		if c.String() == sign {
			return c, true
		}
	}
	return value.Ne, sign == "!="
}

// test parses the rest of a comparison, IS, IN, LIKE and so on, after its left side.
//
//every:condition parse
func (p *parser) test(left item) item {
	t := p.advance()
	out := func(e *tree.Condition, negate bool) item {
		e.At, e.InnerNot = left.at, negate
		return item{e: e, at: left.at}
	}
	if cmp, ok := comparisonOf(t.text); ok && t.kind == tokSign {
		l, r := p.operand(left), p.operand(p.parse(tree.BindsSum))
		if l.Literal != nil && r.Literal == nil {
			l, r, cmp = r, l, cmp.Mirrored()
		}
		return out(&tree.Condition{Op: tree.Compare, Comparison: cmp, Left: l, Right: []tree.Operand{r}}, false)
	}
	if t.is("IS") {
		negate := p.accept("NOT")
		switch {
		case p.accept("NULL"):
			return out(&tree.Condition{Op: tree.IsNull, Left: p.operand(left)}, negate)
		case p.tok.is("TRUE"), p.tok.is("FALSE"):
			is := p.advance().is("TRUE")
			return out(&tree.Condition{Op: tree.Is, Args: []*tree.Condition{p.condition(left)}, Truth: is}, negate)
		}
		p.unexpected("NULL, TRUE or FALSE is expected")
		return left
	}
	e := &tree.Condition{Left: p.operand(left)}
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
	case t.is("ILIKE"):
		p.ilike(e)
	case t.is("BETWEEN"):
		e.Op = tree.Between
		low := p.operand(p.parse(tree.BindsSum))
		p.expect("AND")
		e.Right = []tree.Operand{low, p.operand(p.parse(tree.BindsSum))}
	case t.is("IN"):
		p.in(e)
	default:
		p.fail(t.at, "IN, LIKE, ILIKE or BETWEEN is expected")
	}
	return out(e, negate)
}

// in parses the list of an IN.
//
//every:condition parse
func (p *parser) in(e *tree.Condition) {
	e.Op = tree.In
	p.expect("(")
	if p.accept(")") {
		return // IN () is the text of an empty list, which programs build
	}
	for {
		at := p.tok.at
		l := p.constant()
		if l == nil {
			return
		}
		e.Right = append(e.Right, tree.Operand{Literal: l, At: at})
		if !p.accept(",") {
			p.expect(")")
			return
		}
	}
}

// like parses the pattern of a LIKE and its ESCAPE.
//
//every:condition parse
func (p *parser) like(e *tree.Condition) {
	e.Op = tree.Like
	e.Text, _ = p.stringLiteral()
	if !p.accept("ESCAPE") {
		return
	}
	s, at := p.stringLiteral()
	r, size := utf8.DecodeRuneInString(s)
	if size != len(s) || size == 0 || r == utf8.RuneError {
		p.fail(at, "one character is expected")
	}
	e.Escape = r
}

// ilike parses the pattern of an ILIKE, which is a LIKE in lower case.
func (p *parser) ilike(e *tree.Condition) {
	p.like(e)
	e.Text, e.Escape = foldedPattern(e.Text, e.Escape)
	if e.Left.Literal == nil {
		e.Left = p.stepped(e.Left, tree.Step{Op: tree.Lower, At: e.Left.At}, e.Left.At).o
	}
}

// foldedPattern returns the pattern in lower case of a LIKE. The escape becomes another sign
// where it is a letter, which letters of the pattern may become.
func foldedPattern(pattern string, escape rune) (string, rune) {
	if escape == 0 {
		return value.Folded(pattern, false), 0
	}
	const sign = '\\'
	var out strings.Builder
	for i := 0; i < len(pattern); {
		r, size := utf8.DecodeRuneInString(pattern[i:])
		literal := r != '%' && r != '_'
		if r == escape && (r != utf8.RuneError || size > 1) && i+size < len(pattern) {
			i += size
			r, size = utf8.DecodeRuneInString(pattern[i:])
			literal = true
		}
		c := pattern[i : i+size]
		i += size
		if literal {
			if r == '%' || r == '_' || r == sign {
				out.WriteRune(sign)
			}
			c = value.Folded(c, false)
		}
		out.WriteString(c)
	}
	return out.String(), sign
}

// maxPattern bounds the length of regular expressions: compiled they take many times
// the memory of their text.
const maxPattern = 1 << 16

// match parses a regular expression and compiles it.
//
//every:condition parse
func (p *parser) match(e *tree.Condition) {
	e.Op = tree.Match
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
	e.Text, e.Regexp = text, re
}
