package filter

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// search parses prefix(value, 'text') and the like.
//
//every:condition parse
func (p *parser) search(name token) item {
	left := p.parse(tree.BindsBits)
	e := tree.Condition{Op: tree.Match, At: name.at}
	p.expect(",")
	text, at := p.stringLiteral()
	ops := map[string]tree.Op{"prefix": tree.Prefix, "starts_with": tree.Prefix, "suffix": tree.Suffix, "ends_with": tree.Suffix, "contains": tree.Contains}
	if op, ok := ops[strings.ToLower(name.text)]; ok {
		e.Op, e.Text = op, text
	} else { // regexp_matches, perhaps with options: 'i', letters of any case, and 'c', the opposite
		options, where := "", 0
		if p.accept(",") {
			options, where = p.stringLiteral()
		}
		if strings.Trim(options, "ic") != "" {
			p.fail(where, "'i' is expected, or 'c'")
		}
		p.match(&e, text, at, strings.HasSuffix(options, "i"))
	}
	return item{e: p.tested(left, p.saidOf(e))}
}

// saidOf returns the function that says e of a value.
func (p *parser) saidOf(e tree.Condition) func(left item) *tree.Condition {
	return func(left item) *tree.Condition {
		of := e
		of.Left = p.operand(left)
		return &of
	}
}

// kindOfFloat parses isnan(value), isinf(value) or isfinite(value):
//
//	isnan(x)       x NOT BETWEEN -Infinity AND Infinity
//	isinf(x)       x IN (-Infinity, Infinity)
//	isfinite(x)    x BETWEEN the least finite double AND the greatest
func (p *parser) kindOfFloat(name token) item {
	of := p.parse(tree.BindsBits)
	e := tree.Condition{Op: tree.Between, At: name.at, InnerNot: name.is("isnan")}
	most := math.Inf(1)
	switch {
	case name.is("isinf"):
		e.Op = tree.In
	case name.is("isfinite"):
		most = math.MaxFloat64
	}
	for _, f := range [...]float64{-most, most} {
		e.Right = append(e.Right, tree.Operand{Literal: value.Of(f), At: name.at})
	}
	return item{e: p.tested(of, p.saidOf(e))}
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
func (p *parser) test(left item) item {
	return item{e: p.tested(left, p.testOf(left)), at: left.at}
}

// testOf parses the rest of a test after its left side, and returns the test of each choice of that.
//
//every:condition parse
func (p *parser) testOf(left item) func(left item) *tree.Condition {
	t := p.advance()
	if cmp, ok := comparisonOf(t.text); ok && t.kind == tokSign {
		if _, again := comparisonOf(p.tok.text); again && p.tok.kind == tokSign {
			p.unexpected(t.text + " " + p.tok.text + " is no comparison: == and <= have no space in them")
		}
		right := p.parse(tree.BindsBits)
		return func(left item) *tree.Condition { return p.compared(left, right, cmp, t.at) }
	}
	switch {
	case t.is("IS"):
		return p.is()
	case t.is("ISNULL"):
		return p.null
	case t.is("NOTNULL"), t.is("NOT") && p.accept("NULL"):
		return oppositeIf(true, p.null)
	}
	if left.choices == nil {
		p.operand(left)
	}
	e := tree.Condition{At: left.at, InnerNot: t.is("NOT")}
	if e.InnerNot {
		t = p.advance()
	}
	switch {
	case t.kind == tokSign && !e.InnerNot, t.is("RLIKE"), t.is("REGEXP"):
		text, at := p.stringLiteral()
		p.match(&e, text, at, strings.HasSuffix(t.text, "*"))
		e.InnerNot = e.InnerNot || t.text[0] == '!'
	case t.is("IN") && (p.tok.kind == tokQuoted || p.tok.kind == tokName && !tree.Reserved(p.tok.text)):
		return p.inColumn(e.InnerNot)
	case t.is("LIKE"):
		p.like(&e)
	case t.is("ILIKE"):
		p.like(&e)
		e.Text, e.Escape = foldedPattern(e.Text, e.Escape)
		return func(left item) *tree.Condition {
			return p.saidOf(e)(p.function(function.Named("lower"), nil, left, left.at))
		}
	case t.is("BETWEEN"):
		return p.between(e.InnerNot)
	case t.is("IN"):
		e.Op = tree.In
		p.expect("(")
		if p.noQuery(); p.accept(")") {
			break // IN () is the text of an empty list, which programs build
		}
		p.list(func() {
			at := p.tok.at
			e.Right = append(e.Right, tree.Operand{Literal: p.constant(), At: at})
		})
		p.expect(")")
	default:
		p.fail(t.at, "IN, LIKE, ILIKE or BETWEEN is expected")
	}
	return p.saidOf(e)
}

// between parses the rest of a BETWEEN.
//
//every:condition parse
func (p *parser) between(negate bool) func(left item) *tree.Condition {
	low := p.parse(tree.BindsBits)
	p.expect("AND")
	high := p.parse(tree.BindsBits)
	return func(left item) *tree.Condition {
		return p.tested(low, func(low item) *tree.Condition {
			return p.tested(high, func(high item) *tree.Condition {
				right := []tree.Operand{p.operand(low), p.operand(high)}
				return &tree.Condition{Op: tree.Between, Left: p.operand(left), Right: right, At: left.at, InnerNot: negate}
			})
		})
	}
}

// is parses the rest of a test that begins with IS.
//
//every:condition parse
func (p *parser) is() func(left item) *tree.Condition {
	at := p.tok.at
	negate := p.accept("NOT")
	var f func(left item) *tree.Condition
	switch {
	case p.accept("NULL"):
		f = p.null
	case p.accept("UNKNOWN"):
		f = func(left item) *tree.Condition {
			if left.o.Quantifier != tree.NoQuantifier { // a condition, not one of the items
				left = item{e: p.condition(left), at: left.at}
			}
			return p.null(left)
		}
	case p.tok.is("TRUE"), p.tok.is("FALSE"):
		truth := p.advance().is("TRUE")
		f = func(left item) *tree.Condition { return hasTruth(p.condition(left), truth, left.at) }
	case p.accept("DISTINCT"):
		p.expect("FROM")
		right := p.parse(tree.BindsBits)
		negate = !negate
		f = func(left item) *tree.Condition { return p.same(left, right, at) }
	default:
		p.unexpected("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM is expected")
		return p.condition
	}
	return oppositeIf(negate, f)
}

// oppositeIf returns the function of a condition, or where negate is set, that of NOT of it.
func oppositeIf(negate bool, f func(left item) *tree.Condition) func(left item) *tree.Condition {
	if !negate {
		return f
	}
	return func(left item) *tree.Condition { return opposite(f(left)) }
}

// opposite returns NOT of a condition, which goes into an IS.
//
//every:condition parse
func opposite(e *tree.Condition) *tree.Condition {
	if e != nil && (e.Op == tree.IsNull || e.Op == tree.Is) {
		not := *e
		not.InnerNot = !e.InnerNot
		return &not
	}
	return tree.Negation(e)
}

// inColumn parses value IN list, the name of a column.
func (p *parser) inColumn(negate bool) func(left item) *tree.Condition {
	list := p.operand(p.column())
	return oppositeIf(negate, func(left item) *tree.Condition {
		of := p.operand(left)
		if of.Literal == nil {
			return p.fail(list.At, "( is expected").e
		}
		return p.among(list, "", of.Literal, of.At).e
	})
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
		escaped := r == escape && (r != utf8.RuneError || size > 1) && i+size < len(pattern)
		if escaped {
			i += size
			r, size = utf8.DecodeRuneInString(pattern[i:])
		}
		if r == sign || escaped && (r == '%' || r == '_') {
			out.WriteRune(sign)
		}
		out.WriteString(value.Folded(pattern[i:i+size], false))
		i += size
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
