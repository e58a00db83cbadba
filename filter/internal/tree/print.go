package tree

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/winnow-scan/winnow/filter/internal/value"
)

// String returns e as the parser reads it.
func (e *Condition) String() string { return strings.Join(e.appendTo(nil, BindsOr), "") }

// Precedences of operators, loosest first. An expression that binds less tightly than
// its context is put in parentheses.
const (
	BindsOr = iota
	BindsAnd
	BindsNot
	BindsTest // comparisons, IS, IN, …
	BindsBits // || & |
	BindsSum
	BindsProduct
	BindsPower
	BindsMost
)

// appendTo appends the parts of e's text.
//
//every:condition print
//every:condition parentheses but Is IsNull Compare Between In Like Match (bind as tests)
func (e *Condition) appendTo(dst []string, within int) []string {
	binds, inner, word := BindsTest, BindsNot, ""
	switch e.Op {
	case Or:
		binds, inner, word = BindsOr, BindsAnd, " OR "
	case And:
		binds, word = BindsAnd, " AND "
	case Not:
		binds = BindsNot
	case Constant, BooleanColumn, Prefix, Suffix, Contains, Func, Keys:
		binds = BindsMost
	}
	switch {
	case binds < within:
		return append(e.appendTo(append(dst, "("), BindsOr), ")")
	case binds > BindsNot:
		return e.appendTest(dst)
	case binds == BindsNot:
		dst = append(dst, "NOT ")
	}
	for i, a := range e.Args {
		if i > 0 {
			dst = append(dst, word)
		}
		dst = a.appendTo(dst, inner)
	}
	return dst
}

// appendTest appends a condition that contains no others, or an Is.
//
//every:condition print
func (e *Condition) appendTest(dst []string) []string {
	not, sign := "", " ~ "
	if e.InnerNot {
		not, sign = "NOT ", " !~ "
	}
	switch e.Op {
	case Prefix, Suffix, Contains:
		name := [...]string{Prefix: "prefix(", Suffix: "suffix(", Contains: "contains("}[e.Op]
		return append(e.Left.appendTo(append(dst, name)), ", ", value.Quoted(e.Text), ")")
	case Func:
		return append(appendOperands(append(dst, QuoteName(e.Text), "("), e.Columns...), ")")
	case Keys:
		return append(appendOperands(append(dst, "in_keys("), append([]Operand{e.Left}, e.Right...)...), ")")
	case Is:
		return append(e.Args[0].appendTo(dst, BindsMost), " IS ", not, value.Of(e.Truth).String())
	}
	dst = e.Left.appendTo(dst)
	switch e.Op {
	case IsNull:
		return append(dst, " IS ", not, "NULL")
	case Compare:
		return e.Right[0].appendTo(append(dst, " ", e.Comparison.String(), " "))
	case Between:
		dst = e.Right[0].appendTo(append(dst, " ", not, "BETWEEN "))
		return e.Right[1].appendTo(append(dst, " AND "))
	case In:
		return append(appendOperands(append(dst, " ", not, "IN ("), e.Right...), ")")
	case Like:
		dst = append(dst, " ", not, "LIKE ", value.Quoted(e.Text))
		if e.Escape != 0 {
			dst = append(dst, " ESCAPE ", value.Quoted(string(e.Escape)))
		}
	case Match:
		return append(dst, sign, value.Quoted(e.Text))
	}
	return dst
}

func appendOperands(dst []string, of ...Operand) []string {
	for i := range of {
		if i > 0 {
			dst = append(dst, ", ")
		}
		dst = of[i].appendTo(dst)
	}
	return dst
}

// String returns o as the parser reads it.
func (o *Operand) String() string { return strings.Join(o.appendTo(nil), "") }

// appendTo appends the parts of o's text.
func (o *Operand) appendTo(dst []string) []string {
	if len(o.Steps) == 0 {
		return o.appendSource(dst) // conditions on items nest
	}
	text, _ := o.text()
	return append(dst, text)
}

// appendSource appends o without its steps.
func (o *Operand) appendSource(dst []string) []string {
	if o.Literal != nil {
		return append(dst, o.Literal.String())
	}
	word, end := "", ""
	switch {
	case o.Quantifier == AnyItem:
		word, end = "ANY(", ")"
	case o.Quantifier == AllItems:
		word, end = "ALL(", ")"
	case o.Items != nil:
		word, end = "COUNT(", ")"
	case o.Length:
		word, end = "length(", ")"
	}
	dst = append(dst, word, o.PathText())
	if i := o.Items; i != nil {
		dst = i.Condition.appendTo(append(dst, " AS ", QuoteName(i.Name), ": "), BindsOr)
	}
	dst = append(dst, end)
	if o.Key != nil {
		dst = append(dst, "[", o.Key.String(), "]")
		for _, l := range o.Field {
			if l.Kind == value.LitString {
				dst = append(dst, ".", QuoteName(l.Text))
			} else {
				dst = append(dst, "[", l.String(), "]")
			}
		}
	}
	return dst
}

// PathText returns the path as the parser reads it, without what is derived from it.
func (o *Operand) PathText() string {
	names := make([]string, len(o.Path))
	for i, name := range o.Path {
		names[i] = QuoteName(name)
	}
	return strings.Join(names, ".")
}

// NameLength returns the length in bytes of the name at the front of s: letters of
// any alphabet, digits, _ and $.
func NameLength(s string) int {
	for i, r := range s {
		switch {
		case r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
		case r == utf8.RuneError || r < utf8.RuneSelf && !(i > 0 && (r == '$' || r >= '0' && r <= '9')):
			return i
		case r >= utf8.RuneSelf && !unicode.IsLetter(r) && !(i > 0 && (unicode.IsDigit(r) || unicode.IsMark(r))):
			return i
		}
	}
	return len(s)
}

// Reserved reports whether a name is a keyword everywhere, so that a column with
// this name needs quotes.
func Reserved(name string) bool {
	switch strings.ToUpper(name) {
	case "AND", "OR", "NOT", "IN", "LIKE", "ESCAPE", "BETWEEN", "IS", "NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIMESTAMP":
		return true
	}
	return false
}

// QuoteName returns a name as the parser reads it, in quotes if it needs them. So does interval,
// which begins a literal in front of a minus.
func QuoteName(name string) string {
	if name != "" && NameLength(name) == len(name) && !Reserved(name) && !strings.EqualFold(name, "INTERVAL") {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
