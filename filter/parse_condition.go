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
	if o == tree.Match {
		p.matchCalled(e)
	} else {
		e.Text, _ = p.stringLiteral()
	}
	p.expect(")")
	return item{e: e, at: at}
}

// matchCalled parses the rest of regexp_matches(value, 'pattern') or of one with options, of which
// there are 'i', letters of any case, and 'c', the opposite.
//
//every:condition parse
func (p *parser) matchCalled(e *tree.Condition) {
	text, at := p.stringLiteral()
	fold := false
	if p.accept(",") {
		options, where := p.stringLiteral()
		if strings.Trim(options, "ic") != "" {
			p.fail(where, "'i' is expected, or 'c'")
		}
		fold = strings.HasSuffix(options, "i")
	}
	p.match(e, text, at, fold)
}

// startsTest reports whether a token after an operand starts a test of it.
func startsTest(t token) bool {
	if t.kind == tokSign {
		_, ok := comparisonOf(t.text)
		return ok || strings.Contains(t.text, "~")
	}
	switch strings.ToUpper(t.text) {
	case "IS", "IN", "LIKE", "ILIKE", "BETWEEN", "NOT", "RLIKE", "REGEXP", "ISNULL", "NOTNULL":
		return t.kind == tokName
	}
	return false
}

func comparisonOf(sign string) (value.Comparison, bool) {
	for c := value.Eq; c <= value.Ge; c++ {
		if c.String() == sign {
			return c, true
		}
	}
	if sign == "==" {
		return value.Eq, true
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
		return item{e: p.compared(left, p.parse(tree.BindsSum), cmp, t.at), at: left.at}
	}
	switch {
	case t.is("IS"):
		return p.is(left)
	case t.is("ISNULL"):
		return item{e: p.null(left), at: left.at}
	case t.is("NOTNULL"), t.is("NOT") && p.accept("NULL"):
		return item{e: opposite(p.null(left)), at: left.at}
	}
	e := &tree.Condition{Left: p.operand(left)}
	if t.kind == tokSign {
		text, at := p.stringLiteral()
		p.match(e, text, at, strings.HasSuffix(t.text, "*"))
		return out(e, t.text[0] == '!')
	}
	negate := t.is("NOT")
	if negate {
		t = p.advance()
	}
	switch {
	case t.is("RLIKE"), t.is("REGEXP"):
		text, at := p.stringLiteral()
		p.match(e, text, at, false)
	case t.is("IN") && (p.tok.kind == tokQuoted || p.tok.kind == tokName && !tree.Reserved(p.tok.text)):
		return p.inColumn(e, negate)
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

// is parses the rest of a test that begins with IS.
//
//every:condition parse
func (p *parser) is(left item) item {
	at := p.tok.at
	negate := p.accept("NOT")
	var e *tree.Condition
	switch {
	case p.accept("NULL"):
		e = p.null(left)
	case p.accept("UNKNOWN"):
		if left.o.Quantifier != tree.NoQuantifier { // a condition, not one of the items
			left = item{e: p.condition(left), at: left.at}
		}
		e = p.null(left)
	case p.tok.is("TRUE"), p.tok.is("FALSE"):
		truth := p.advance().is("TRUE")
		e = hasTruth(p.condition(left), truth, left.at)
	case p.accept("DISTINCT"):
		p.expect("FROM")
		e, negate = p.same(left, p.parse(tree.BindsSum), at), !negate
	default:
		p.unexpected("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM is expected")
		return left
	}
	if negate {
		e = opposite(e)
	}
	return item{e: e, at: left.at}
}

// opposite returns NOT of a condition, which goes into an IS.
//
//every:condition parse
func opposite(e *tree.Condition) *tree.Condition {
	if e != nil && (e.Op == tree.IsNull || e.Op == tree.Is) && !e.InnerNot {
		e.InnerNot = true
		return e
	}
	return tree.Negation(e)
}

// inColumn parses value IN list, the name of a column.
func (p *parser) inColumn(e *tree.Condition, negate bool) item {
	list := p.column()
	if e.Left.Literal == nil {
		p.fail(list.At, "( is expected")
		return item{}
	}
	i := p.among(list, e.Left.Literal, e.Left.At)
	if negate {
		i.e = opposite(i.e)
	}
	return i
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
		e.Left = p.stepped(e.Left, tree.CallOf("lower", e.Left.At), e.Left.At).o
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

// match compiles a regular expression of the text at a place, one for letters of any case where fold
// is set.
//
//every:condition parse
func (p *parser) match(e *tree.Condition, text string, at int, fold bool) {
	e.Op = tree.Match
	if fold {
		text = "(?i)" + text
	}
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
