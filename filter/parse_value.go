package filter

import (
	"cmp"
	"encoding/hex"

	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// literal parses a literal. It returns nil if the next token starts none.
func (p *parser) literal() *value.Literal {
	t := p.tok
	var l *value.Literal
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
		l = value.Of(t.text)
	case t.kind == tokBinary:
		b, err := hex.DecodeString(t.text)
		if err != nil {
			p.fail(t.at, "a binary is pairs of hexadecimal digits: X'0aff'")
		}
		l = value.Of(b)
	case t.is("TRUE") || t.is("FALSE"):
		l = value.Of(t.is("TRUE"))
	case t.is("NULL"):
		l = &value.Literal{}
	case t.is("CURRENT_DATE"), t.is("CURRENT_TIMESTAMP"):
		l = p.now(t.is("CURRENT_DATE"))
	case t.is("INTERVAL") && (p.following.kind == tokString || p.following.kind == tokNumber || p.following.is("-")):
		return p.interval()
	case t.is("TIMESTAMP") && (p.following.is("WITH") || p.following.is("WITHOUT")):
		if p.advance(); p.withZone() {
			t.text = "TIMESTAMPTZ"
		}
		l = p.typed(t, p.tok)
	case t.kind == tokName && p.following.kind == tokString:
		if l = p.typed(t, p.following); l != nil {
			p.advance()
		}
	}
	if l != nil {
		p.advance()
	}
	return l
}

// number parses a number after its sign, which may be empty.
func (p *parser) number(sign string) *value.Literal {
	t := p.advance()
	n, fault := value.ParseNumber(t.text)
	if fault != "" {
		p.fail(t.at, fault)
		return &value.Literal{}
	}
	if sign == "-" {
		n.Coef.Neg(n.Coef)
	}
	return &value.Literal{Kind: value.LitNumber, Number: n}
}

// typed returns the literal of a text with a type in front, such as DATE '2024-01-31'; nil where a name
// is none of a type that has some.
func (p *parser) typed(kind, text token) *value.Literal {
	to := value.TypeNamed(kind.text)
	like := map[value.TypeName]string{
		value.ToDate: "'2024-01-31'", value.ToTime: "'10:00:00.5'", value.ToDouble: "'0.1', '1e-3', 'NaN', 'Infinity' or '-Infinity'",
		value.ToTimestamp: "'2024-01-31 10:00:00.5' or '2024-01-31 10:00:00.5+02:00'", value.ToInstant: "'2024-01-31 10:00:00.5+02:00'",
	}[to]
	if like == "" {
		return nil
	}
	l, fault := value.Of(text.text).Cast(value.Target{Name: to})
	switch _, isDay := value.ParseDate(text.text); {
	case text.kind != tokString:
		p.unexpected("a string is expected")
	case fault != "" || to == value.ToDate && !isDay:
		p.fail(text.at, cmp.Or(value.UnknownZone(text.text), "not a value of "+kind.text+", which is written like "+like))
	}
	return cmp.Or(l, &value.Literal{})
}

// column parses the path of a column, or a value derived from a column.
func (p *parser) column() item {
	at := p.tok.at
	o := tree.Operand{At: at, Quoted: p.tok.kind == tokQuoted}
	if form := p.form(); form != nil {
		return p.called(form)
	} else if p.tok.kind == tokName && p.following.is("(") {
		return p.quantified(o)
	}
	o.Path = p.path()
	if p.accept("[") {
		at := p.tok.at
		if o.Key = p.literal(); o.Key == nil {
			p.fail(at, "the key of a map is expected")
		}
		p.expect("]")
		for p.err == nil && (p.tok.is(".") || p.tok.is("[")) {
			if p.advance().is(".") {
				o.Field = append(o.Field, value.Of(p.name()))
				continue
			}
			at := p.tok.at
			l := p.literal() // path['key']['field'], path['key'][3]
			if l == nil || l.Kind != value.LitString && l.Kind != value.LitNumber {
				p.fail(at, "the name of a field is expected, or the position of an item")
			}
			o.Field = append(o.Field, l)
			p.expect("]")
		}
	}
	return item{o: o, at: at}
}

// path parses names with dots between them.
func (p *parser) path() []string {
	path := []string{p.firstName("a column or a value is expected")}
	for p.accept(".") {
		path = append(path, p.name())
	}
	return path
}

// firstName parses a name that is not reserved.
func (p *parser) firstName(want string) string {
	if p.tok.kind != tokQuoted && (p.tok.kind != tokName || tree.Reserved(p.tok.text)) {
		p.unexpected(want)
		return ""
	}
	return p.advance().text
}

// name parses the name after a dot, where no name is reserved.
func (p *parser) name() string {
	if p.tok.kind != tokQuoted && p.tok.kind != tokName {
		p.unexpected("a name is expected behind the dot")
		return ""
	}
	return p.advance().text
}

// stringLiteral parses a string in quotes, or one that is made of constants, and returns its offset in
// the text.
func (p *parser) stringLiteral() (s string, at int) {
	at = p.tok.at
	if p.tok.kind == tokString || p.form() != nil {
		if l := p.parse(tree.BindsBits).o.Literal; p.err != nil || l != nil && l.Kind == value.LitString {
			if l != nil {
				s = l.Text
			}
			return s, at
		}
		p.fail(at, "a string is expected")
		return "", at
	}
	want := "a string is expected"
	if p.tok.kind == tokQuoted {
		want += ", in single quotes"
	}
	p.unexpected(want)
	return "", at
}
