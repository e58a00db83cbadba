package filter

import "strconv"

const (
	// MaxText bounds the length of a text that Parse reads.
	MaxText = 4 << 20

	// MaxDepth bounds how deep conditions nest, in a text as in an expression
	// that is bound.
	MaxDepth = 500
)

// Parse parses a condition in the syntax of SQL's WHERE. The package comment has the
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

// parser is a precedence-climbing parser: parse reads operators that bind at least
// as tightly as a given precedence. The first error ends the text: after it, all
// tokens are tokEnd.
type parser struct {
	lex            lexer
	tok, following token // the next token and the one after it
	started        bool
	depth          int
	err            *Error
}

// item is a condition or an operand. A boolean column is an operand until it is used
// as a condition.
type item struct {
	e  *Expr
	o  operand
	at int
}

// advance consumes the next token and returns it.
func (p *parser) advance() token {
	t := p.tok
	if !p.started {
		p.started = true
		p.following = p.lex.next()
	}
	p.tok, p.following = p.following, p.lex.next()
	if p.tok.kind == tokFault {
		p.fail(p.tok.at, p.tok.text)
	}
	if p.err != nil {
		p.tok = token{at: p.tok.at}
	}
	return t
}

// fail records the first error and ends the text.
func (p *parser) fail(at int, msg string) {
	if p.err == nil {
		p.err = &Error{Offset: at, Msg: msg}
	}
	p.tok, p.following = token{at: p.tok.at}, token{}
	p.lex.at = len(p.lex.text)
}

func (p *parser) unexpected(want string) { p.fail(p.tok.at, want) }

// accept skips the next token if it is the given word, and reports whether it was.
func (p *parser) accept(word string) bool {
	if p.tok.is(word) {
		p.advance()
		return true
	}
	return false
}

// expect skips the given word, and fails if the next token is another.
func (p *parser) expect(word string) {
	if !p.accept(word) {
		p.unexpected(word + " is expected")
	}
}

// parse parses an item, up to the first operator that binds less tightly than
// precedence.
func (p *parser) parse(precedence int) item {
	if p.depth++; p.depth > MaxDepth {
		p.fail(p.tok.at, "conditions nest more than "+strconv.Itoa(MaxDepth)+" deep")
	}
	left := p.primary(precedence)
	for p.err == nil {
		switch {
		case precedence <= bindsOr && p.tok.is("OR"):
			left = p.chain(left, "OR", opOr, bindsAnd)
		case precedence <= bindsAnd && p.tok.is("AND"):
			left = p.chain(left, "AND", opAnd, bindsNot)
		case precedence <= bindsTest && p.startsTest():
			left = p.test(left)
		default:
			p.depth--
			return left
		}
	}
	p.depth--
	return left
}

// chain parses a AND b AND c as one node with three arguments.
func (p *parser) chain(left item, word string, o op, precedence int) item {
	args := []*Expr{p.condition(left)}
	for p.accept(word) {
		args = append(args, p.condition(p.parse(precedence)))
	}
	return item{e: join(o, args), at: left.at}
}

// condition returns an item as a condition. An operand must be a boolean column or
// constant.
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

// operand returns an item as an operand, and fails for a condition.
func (p *parser) operand(i item) operand {
	if i.e != nil {
		p.fail(i.at, "a value is expected, not a condition")
	}
	return i.o
}

// primary parses an item up to its first binary operator.
func (p *parser) primary(precedence int) item {
	at := p.tok.at
	switch {
	case p.tok.is("NOT"):
		if precedence > bindsNot {
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
	if p.tok.kind == tokName && p.following.is("(") {
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
