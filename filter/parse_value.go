package filter

import (
	"encoding/hex"
	"math"
)

// literal parses a literal. It returns nil if the next token starts none.
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
	case t.kind == tokName && p.following.kind == tokString:
		return p.typed()
	}
	return nil
}

// number parses a number behind its sign, which may be empty.
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

// typed parses a literal with a type in front, such as DATE '2024-01-31'.
func (p *parser) typed() *literal {
	kind, text := p.tok, p.following
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
		like = "'2024-01-31 10:00:00.5' or '2024-01-31 10:00:00.5+02:00'"
		var m moment
		m, ok = parseMoment(text.text)
		l = momentLiteral(m)
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

// column parses the path of a column, or a value derived from a column.
func (p *parser) column() operand {
	o := operand{at: p.tok.at, quoted: p.tok.kind == tokQuoted}
	if p.tok.kind == tokName && p.following.is("(") {
		switch {
		case p.tok.is("ANY"):
			o.quant = anyItem
		case p.tok.is("ALL"):
			o.quant = allItems
		case p.tok.is("length"):
			o.length = true
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
		for p.accept(".") {
			o.field = append(o.field, p.name())
		}
	}
	return o
}

// path parses names with dots between them.
func (p *parser) path() []string {
	if p.tok.kind != tokQuoted && (p.tok.kind != tokName || reserved(p.tok.text)) {
		p.unexpected("a column or a value is expected")
		return nil
	}
	path := []string{p.advance().text}
	for p.accept(".") {
		path = append(path, p.name())
	}
	return path
}

// name parses the name behind a dot, where no name is reserved.
func (p *parser) name() string {
	if p.tok.kind != tokQuoted && p.tok.kind != tokName {
		p.unexpected("a name is expected behind the dot")
		return ""
	}
	return p.advance().text
}

// stringLiteral parses a string in quotes, and returns its offset in the text.
func (p *parser) stringLiteral() (s string, at int) {
	if p.tok.kind != tokString {
		p.unexpected("a string is expected")
		return "", p.tok.at
	}
	t := p.advance()
	return t.text, t.at
}
