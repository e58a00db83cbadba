package filter

import (
	"cmp"
	"strings"

	"github.com/winnow-scan/winnow/filter/internal/tree"
)

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
		why := cmp.Or(unsupported(word.text), uncallable(word.text))
		if why == "" {
			why = noFunction(word.text)
		}
		return p.fail(word.at, why)
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
		o.Items = &tree.Items{Name: p.firstName(nameOfItems)}
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
	o.Items.Name = p.firstName(nameOfItems)
	if p.accept("(") {
		o.Items.Name = p.firstName(nameOfItems)
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
