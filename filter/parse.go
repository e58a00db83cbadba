package filter

import (
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

const (
	// MaxText bounds the length of a text that Parse reads.
	MaxText = 4 << 20

	// MaxDepth bounds how deep conditions nest, in a text as in an expression that a
	// scan binds.
	MaxDepth = tree.MaxDepth
)

// Parse parses a condition in the syntax of SQL's WHERE. The package comment has the
// grammar. An error is an *Error.
func Parse(text string) (*Expr, error) {
	if len(text) > MaxText {
		return nil, &Error{Offset: MaxText, Msg: "text of more than " + strconv.Itoa(MaxText) + " bytes"}
	}
	p := parser{lex: lexer{text: text}, copiesLeft: maxCopied}
	p.following = p.lex.next()
	p.advance()
	if p.startsQuery() {
		p.unexpected("")
	}
	e := p.condition(p.parse(tree.BindsOr))
	p.accept(";")
	if p.tok.kind != tokEnd {
		want := "AND, OR or the end is expected"
		if e != nil && e.Op == tree.BooleanColumn && p.tok.kind == tokName && startsTest(p.following) {
			want += "; a name of several words stands in double quotes"
		}
		p.unexpected(want)
	}
	if p.err != nil {
		return nil, p.err
	}
	return exprOf(e), nil
}

// parser is a precedence-climbing parser: parse reads operators that bind at least
// as tightly as a given precedence. The first error ends the text: after it, all
// tokens are tokEnd.
type parser struct {
	lex            lexer
	tok, following token // the next token and the one after it
	depth          int
	calculations   int
	copiesLeft     int // how much may still be added by conditions that the tree has more often than the text
	err            *Error
}

// item is a condition or an operand. A boolean column is an operand until it is used
// as a condition.
type item struct {
	e       *tree.Condition
	o       tree.Operand
	choices []choice // in place of both: it is another value in each case
	at      int
}

// valueAt returns a literal, of the text at a place.
func valueAt(at int, l *value.Literal) item {
	return item{o: tree.Operand{Literal: l, At: at}, at: at}
}

// advance consumes the next token and returns it.
func (p *parser) advance() token {
	t := p.tok
	p.tok, p.following = p.following, p.lex.next()
	if p.tok.kind == tokFault {
		p.fail(p.tok.at, p.tok.text)
	}
	if p.err != nil {
		p.tok = token{at: p.tok.at}
	}
	return t
}

// fail records the first error and ends the text. It returns an item, so that callers can return it.
func (p *parser) fail(at int, msg string) item {
	if p.err == nil {
		p.err = &Error{Offset: at, Msg: msg}
	}
	p.tok, p.following = token{at: p.tok.at}, token{}
	p.lex.at = len(p.lex.text)
	return item{}
}

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

// list parses one or several parts, with commas between them.
func (p *parser) list(part func()) {
	for part(); p.accept(","); {
		part()
	}
}

// parse parses an item, up to the first operator that binds less tightly than
// precedence.
//
//every:condition parse but Func Keys (no text)
func (p *parser) parse(precedence int) item {
	if p.depth++; p.depth > MaxDepth {
		p.fail(p.tok.at, "conditions nest more than "+strconv.Itoa(MaxDepth)+" deep")
	}
	defer func() { p.depth-- }()
	left := p.primary(precedence)
	for p.err == nil {
		switch {
		case precedence <= tree.BindsOr && p.tok.is("OR"):
			left = p.chain(left, "OR", tree.Or, tree.BindsAnd)
		case precedence <= tree.BindsAnd && p.tok.is("AND"):
			left = p.chain(left, "AND", tree.And, tree.BindsNot)
		case precedence <= tree.BindsTest && startsTest(p.tok):
			left = p.test(left)
		case precedence <= tree.BindsBits && p.tok.is("||"):
			at := p.advance().at
			left = p.joined(left, p.parse(tree.BindsSum), at)
		case p.tok.is("AT") && p.following.is("TIME"):
			left = p.atZone(left)
		case p.tok.is("::"):
			at := p.advance().at
			left = p.cast(left, at, false)
		default:
			op, ok := operator(p.tok)
			if !ok || precedence > tree.Binds(op) {
				return left
			}
			at := p.advance().at
			left = p.calculated(op, left, p.parse(tree.Binds(op)+1), at)
		}
	}
	return left
}

// chain parses a AND b AND c as one node with three arguments.
func (p *parser) chain(left item, word string, o tree.Op, precedence int) item {
	args := []*tree.Condition{p.condition(left)}
	for p.accept(word) {
		args = append(args, p.condition(p.parse(precedence)))
	}
	return item{e: tree.Join(o, args...), at: left.at}
}

// condition returns an item as a condition. An operand must be a boolean column or
// constant.
//
//every:condition parse
func (p *parser) condition(i item) *tree.Condition {
	switch o := i.o; {
	case i.choices != nil:
		for _, c := range i.choices[1:] {
			p.copied(c.item.e, i.at)
		}
		return p.ofFirst(i.choices, i.at)
	case i.e != nil || p.err != nil:
		return i.e
	case o.Literal == nil:
		return &tree.Condition{Op: tree.BooleanColumn, Left: o, At: i.at}
	case o.Literal.Kind == value.LitBool || o.Literal.Kind == value.LitNull:
		return &tree.Condition{Op: tree.Constant, Left: o, At: i.at}
	}
	p.fail(i.at, "a condition is expected, not "+i.o.Literal.Kind.String())
	return nil
}

// operand returns an item as an operand, and fails for a condition.
func (p *parser) operand(i item) tree.Operand {
	switch {
	case i.e != nil:
		p.fail(i.at, "a value is expected, not a condition")
	case i.choices != nil:
		p.fail(i.at, "a value is expected that is the same in all cases")
	}
	return i.o
}

// form returns what parses a call, from behind its parenthesis up to the closing one, given the name;
// nil where the next token starts none.
func (p *parser) form() func(name token) item {
	if p.tok.kind != tokName || !p.following.is("(") {
		return nil
	}
	switch name := strings.ToLower(p.tok.text); name {
	case "coalesce", "ifnull", "nullif", "least", "greatest":
		return p.oneOf
	case "concat":
		return p.concat
	case "prefix", "starts_with", "suffix", "ends_with", "contains", "regexp_matches", "regexp_like":
		return p.search
	case "isnan", "isinf", "isfinite":
		return p.kindOfFloat
	case "list_contains", "array_contains", "list_has", "array_has", "map_contains":
		return p.listContains
	case "now", "today", "cast", "try_cast", "date", "sqrt", "pow", "power", "xor", "position":
		return p.call
	case "extract", "date_part", "datepart":
		return p.part
	default:
		if function.Named(name) != nil {
			return p.arguments
		}
	}
	return nil
}

// primary parses an item up to its first binary operator.
//
//every:condition parse
func (p *parser) primary(precedence int) item {
	at := p.tok.at
	switch {
	case p.tok.is("NOT"):
		if precedence > tree.BindsNot {
			return p.unexpected("a value is expected")
		}
		p.advance()
		return item{e: tree.Negation(p.condition(p.parse(tree.BindsNot))), at: at}
	case p.accept("("):
		p.noQuery()
		i := p.parse(tree.BindsOr)
		if i.at = at; p.tok.is(",") && precedence <= tree.BindsTest {
			return p.tuple(i)
		}
		p.expect(")")
		for len(i.o.Path) > 0 && len(i.o.Steps) == 0 && !i.o.Length && p.accept(".") { // (struct).field
			if name := p.name(behindDot); i.o.Key != nil {
				i.o.Field = append(i.o.Field, value.Of(name))
			} else {
				i.o.Path = append(i.o.Path, name)
			}
		}
		return i
	case p.startsCase():
		return p.cases()
	case p.tok.is("EXISTS") && p.following.is("("):
		return p.exists()
	case p.tok.is("NONE") && p.following.is("("):
		return item{e: tree.Negation(p.condition(p.column())), at: at}
	case p.tok.is("-") && p.following.kind != tokNumber: // -x is 0 - x
		p.advance()
		return p.calculated(value.Subtract, valueAt(at, value.Of(0)), p.parse(tree.BindsMost), at)
	}
	if l := p.literal(); l != nil {
		return valueAt(at, l)
	}
	return p.column()
}
