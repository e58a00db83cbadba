package filter

import (
	"encoding/hex"
	"math"
	"regexp"
	"strconv"
	"unicode/utf8"
)

const (
	// MaxText bounds the length of a text that Parse reads.
	MaxText = 4 << 20

	// MaxDepth bounds how deep conditions nest, in a text as in an expression
	// that is bound.
	MaxDepth = 500
)

// Parse reads a condition as SQL's WHERE has it. The package comment has the
// grammar. An error is an *Error.
func Parse(text string) (*Expr, error) {
	if len(text) > MaxText {
		return nil, &Error{Offset: MaxText, Msg: "text of more than " + strconv.Itoa(MaxText) + " bytes"}
	}
	p := parser{lex: lexer{text: text}}
	p.advance()
	e := p.condition(p.parse(bindsOr))
	if p.tok.kind != tokEnd {
		p.unexpected("AND, OR or the end is expected")
	}
	if p.err != nil {
		return nil, p.err
	}
	return e, nil
}

// parser climbs by precedence: parse reads what binds at least as tightly as
// asked. The first fault ends the text: from there on, only tokEnd comes.
type parser struct {
	lex       lexer
	tok, then token // the next two
	started   bool
	depth     int
	err       *Error
}

// item is a condition or, as long as nobody knows, an operand.
type item struct {
	e  *Expr
	o  operand
	at int
}

func (p *parser) advance() token {
	t := p.tok
	if !p.started {
		p.started = true
		p.then = p.lex.next()
	}
	p.tok, p.then = p.then, p.lex.next()
	if p.tok.kind == tokFault {
		p.fail(p.tok.at, p.tok.text)
	}
	if p.err != nil {
		p.tok = token{at: p.tok.at}
	}
	return t
}

func (p *parser) fail(at int, msg string) {
	if p.err == nil {
		p.err = &Error{Offset: at, Msg: msg}
	}
	p.tok, p.then = token{at: p.tok.at}, token{}
	p.lex.at = len(p.lex.text)
}

func (p *parser) unexpected(want string) { p.fail(p.tok.at, want) }

func (p *parser) accept(word string) bool {
	if p.tok.is(word) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(word string) {
	if !p.accept(word) {
		p.unexpected(word + " is expected")
	}
}

func (p *parser) parse(binds int) item {
	if p.depth++; p.depth > MaxDepth {
		p.fail(p.tok.at, "conditions nest more than "+strconv.Itoa(MaxDepth)+" deep")
	}
	left := p.start(binds)
	for p.err == nil {
		switch {
		case binds <= bindsOr && p.tok.is("OR"):
			left = p.chain(left, "OR", opOr, bindsAnd)
		case binds <= bindsAnd && p.tok.is("AND"):
			left = p.chain(left, "AND", opAnd, bindsNot)
		case binds <= bindsTest && p.startsTest():
			left = p.test(left)
		default:
			p.depth--
			return left
		}
	}
	p.depth--
	return left
}

// chain reads a AND b AND c as one.
func (p *parser) chain(left item, word string, o op, binds int) item {
	args := []*Expr{p.condition(left)}
	for p.accept(word) {
		args = append(args, p.condition(p.parse(binds)))
	}
	return item{e: join(o, args), at: left.at}
}

// condition makes a condition of an operand that stands alone.
func (p *parser) condition(i item) *Expr {
	switch o := i.o; {
	case i.e != nil || p.err != nil:
		return i.e
	case o.lit == nil:
		return &Expr{op: opValue, left: o, at: i.at}
	case o.lit.kind == litBool || o.lit.kind == litNull:
		return &Expr{op: opConst, left: o, at: i.at}
	}
	p.fail(i.at, "a condition is expected, not "+i.o.lit.kind.String())
	return nil
}

func (p *parser) operand(i item) operand {
	if i.e != nil {
		p.fail(i.at, "a value is expected, not a condition")
	}
	return i.o
}

func (p *parser) start(binds int) item {
	at := p.tok.at
	switch {
	case p.tok.is("NOT"):
		if binds > bindsNot {
			p.unexpected("a value is expected")
			return item{}
		}
		p.advance()
		return item{e: Not(p.condition(p.parse(bindsNot))), at: at}
	case p.accept("("):
		i := p.parse(bindsOr)
		p.expect(")")
		i.at = at
		return i
	}
	if p.tok.kind == tokName && p.then.is("(") {
		switch {
		case p.tok.is("prefix"), p.tok.is("starts_with"):
			return p.search(opPrefix)
		case p.tok.is("suffix"), p.tok.is("ends_with"):
			return p.search(opSuffix)
		case p.tok.is("contains"):
			return p.search(opContains)
		}
	}
	if l := p.literal(); l != nil {
		return item{o: operand{lit: l, at: at}, at: at}
	}
	return item{o: p.column(), at: at}
}

// literal reads a literal, nil if none stands there.
func (p *parser) literal() *literal {
	t := p.tok
	switch {
	case t.kind == tokNumber:
		return p.number("")
	case t.is("-") || t.is("+"):
		p.advance()
		if p.tok.kind != tokNumber {
			p.unexpected("a number is expected")
			return nil
		}
		return p.number(t.text)
	case t.kind == tokString:
		p.advance()
		return &literal{kind: litString, s: t.text}
	case t.kind == tokBinary:
		p.advance()
		b, err := hex.DecodeString(t.text)
		if err != nil {
			p.fail(t.at, "a binary is pairs of hexadecimal digits: X'0aff'")
		}
		return &literal{kind: litBinary, s: string(b)}
	case t.is("TRUE") || t.is("FALSE"):
		p.advance()
		return &literal{kind: litBool, b: t.is("TRUE")}
	case t.is("NULL"):
		p.advance()
		return &literal{}
	case t.kind == tokName && p.then.kind == tokString:
		return p.typed()
	}
	return nil
}

func (p *parser) number(sign string) *literal {
	t := p.advance()
	n, fault := parseNumber(t.text)
	if fault != "" {
		p.fail(t.at, fault)
		return &literal{}
	}
	if sign == "-" {
		n.coef.Neg(n.coef)
	}
	return &literal{kind: litNumber, num: n}
}

// typed reads DATE '2024-01-31' and its like.
func (p *parser) typed() *literal {
	kind, text := p.tok, p.then
	l := &literal{}
	var ok bool
	var like string
	switch {
	case kind.is("DATE"):
		l.kind, like = litDate, "'2024-01-31'"
		l.days, ok = parseDate(text.text)
	case kind.is("TIME"):
		l.kind, like = litTime, "'10:00:00.5'"
		l.nanos, ok = parseTime(text.text)
	case kind.is("TIMESTAMP"):
		l.kind, like = litStamp, "'2024-01-31 10:00:00.5'"
		l.days, l.nanos, ok = parseStamp(text.text)
	case kind.is("DOUBLE"):
		l.kind, ok, like = litFloat, true, "'NaN', 'Infinity' or '-Infinity'"
		switch text.text {
		case "NaN":
			l.f = math.NaN()
		case "Infinity":
			l.f = math.Inf(1)
		case "-Infinity":
			l.f = math.Inf(-1)
		default:
			ok = false
		}
	default:
		return nil
	}
	p.advance()
	if !ok {
		p.fail(text.at, "not a value of "+kind.text+", which is written like "+like)
	}
	p.advance()
	return l
}

// column reads a path, or what is taken from a column.
func (p *parser) column() operand {
	o := operand{at: p.tok.at}
	if p.tok.kind == tokName && p.then.is("(") {
		switch {
		case p.tok.is("ANY"):
			o.quant = anyItem
		case p.tok.is("ALL"):
			o.quant = allItems
		case p.tok.is("length"):
			o.size = true
		default:
			p.fail(p.tok.at, "no function "+quoteName(p.tok.text)+": there are length, prefix, suffix, contains, ANY and ALL")
			return o
		}
		p.advance()
		p.advance()
		o.path = p.path()
		p.expect(")")
		return o
	}
	o.path = p.path()
	if p.accept("[") {
		at := p.tok.at
		if o.key = p.literal(); o.key == nil {
			p.fail(at, "the key of a map is expected")
		}
		p.expect("]")
	}
	return o
}

func (p *parser) path() []string {
	var path []string
	for {
		switch {
		case p.tok.kind == tokQuoted, p.tok.kind == tokName && (len(path) > 0 || !reserved(p.tok.text)):
			path = append(path, p.advance().text)
		case len(path) > 0:
			p.unexpected("a name is expected behind the dot")
			return path
		default:
			p.unexpected("a column or a value is expected")
			return path
		}
		if !p.accept(".") {
			return path
		}
	}
}

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

func (p *parser) stringLiteral() (s string, at int) {
	if p.tok.kind != tokString {
		p.unexpected("a string is expected")
		return "", p.tok.at
	}
	t := p.advance()
	return t.text, t.at
}

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

// test reads what follows the left side of a comparison or the like.
func (p *parser) test(left item) item {
	t := p.advance()
	out := func(e *Expr, negate bool) item {
		e.at, e.not = left.at, negate
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
			return out(&Expr{op: opIs, args: []*Expr{p.condition(left)}, is: is}, negate)
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

func (p *parser) in(e *Expr) {
	e.op = opIn
	p.expect("(")
	if p.accept(")") {
		return // IN () is what an empty list of a program is written as
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

func (p *parser) match(e *Expr) {
	e.op = opMatch
	text, at := p.stringLiteral()
	if p.err != nil {
		return
	}
	re, err := regexp.Compile(text)
	if err != nil {
		p.fail(at, err.Error())
	}
	e.text, e.regexp = text, re
}
