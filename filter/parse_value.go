package filter

import (
	"cmp"
	"encoding/hex"
	"strings"

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
		name := p.advance()
		p.advance()
		i := form(name)
		p.expect(")")
		i.o.At, i.at = name.at, name.at
		return i
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
				o.Field = append(o.Field, value.Of(p.name(behindDot)))
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
	path := []string{p.name("a column or a value is expected")}
	for p.accept(".") {
		if path = append(path, p.name(behindDot)); len(path) > maxNames {
			p.fail(p.tok.at, "a path of more than 2048 names")
		}
	}
	return path
}

// maxNames bounds the names of a path: looking each part of it up takes the square of their number. A schema has up to
// 1024 levels, and a VARIANT 1000.
const maxNames = 2048

const behindDot = "a name is expected behind the dot"

// name parses a name, which is not reserved unless it is behind a dot.
func (p *parser) name(want string) string {
	if p.tok.kind != tokQuoted && (p.tok.kind != tokName || want != behindDot && tree.Reserved(p.tok.text)) {
		p.unexpected(want)
		return ""
	}
	return p.advance().text
}

// stringLiteral parses a string in quotes, or one that is made of constants, and returns its offset in
// the text.
func (p *parser) stringLiteral() (s string, at int) {
	at = p.tok.at
	if p.tok.kind == tokString || p.form() != nil {
		if l := p.parse(tree.BindsBits).o.Literal; l != nil && l.Kind == value.LitString {
			return l.Text, at
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

// quantified parses ANY(list), or ANY(list AS name: condition), ALL, NONE and COUNT. NONE is
// parsed as ANY.
func (p *parser) quantified(o tree.Operand) item {
	word := p.tok
	name := strings.ToUpper(word.text)
	switch name {
	case "ANY", "NONE":
		o.Quantifier = tree.AnyItem
	case "ALL":
		o.Quantifier = tree.AllItems
	case "COUNT":
	default:
		return p.fail(word.at, cmp.Or(unsupported(word.text), uncallable(word.text), noFunction(word.text)))
	}
	p.advance()
	p.advance()
	if p.noQuery(); name == "COUNT" && p.tok.is("*") {
		p.fail(word.at, uncallable(name))
	}
	if p.tok.kind == tokName && p.following.is("(") {
		p.fail(p.tok.at, name+" takes a path: a function stands around it, as in length("+name+"(tags))")
	}
	o.Path = p.path()
	switch {
	case p.accept("AS"):
		o.Items = &tree.Items{Name: p.name(nameOfItems)}
		p.expect(":")
		o.Items.Condition = p.condition(p.parse(tree.BindsOr))
	case name == "COUNT", name == "NONE":
		p.unexpected(nameOfItems + ", as in " + name + "(list AS x: x = 'a')")
	}
	p.expect(")")
	if o.Items != nil && o.Quantifier != tree.NoQuantifier {
		return item{e: ofItems(o), at: word.at}
	}
	return item{o: o, at: word.at}
}

// ofItems returns the condition that an operand with a quantifier and a condition on items is.
func ofItems(o tree.Operand) *tree.Condition {
	return &tree.Condition{Op: tree.BooleanColumn, Left: o, At: o.At}
}

const (
	nameOfItems = "a name for the items is expected"
	existsOf    = "EXISTS is understood of the items of a list alone: EXISTS (SELECT 1 FROM unnest(list) AS x WHERE x.key = 'a')"
)

// exists parses EXISTS (SELECT 1 FROM unnest(list) [AS] name WHERE condition), also with names
// of a table and its column, as t(name). It is TRUE or FALSE.
func (p *parser) exists() item {
	at := p.advance().at
	p.advance()
	o := tree.Operand{Quantifier: tree.AnyItem, Items: &tree.Items{Condition: tree.NewConstant(true, at)}, At: at}
	if p.sqlWords("SELECT"); !p.tok.is("FROM") {
		p.advance() // 1 or *
	}
	p.sqlWords("FROM", "unnest", "(")
	o.Path = p.path()
	p.sqlWords(")")
	p.accept("AS")
	o.Items.Name = p.name(nameOfItems)
	if p.accept("(") {
		o.Items.Name = p.name(nameOfItems)
		p.sqlWords(")")
	}
	if p.accept("WHERE") {
		o.Items.Condition = p.condition(p.parse(tree.BindsOr))
	}
	p.sqlWords(")")
	return item{e: hasTruth(ofItems(o), true, at), at: at}
}

// sqlWords skips words of EXISTS, and fails if the next tokens are others.
func (p *parser) sqlWords(words ...string) {
	for _, word := range words {
		if !p.accept(word) {
			p.fail(p.tok.at, existsOf)
		}
	}
}
