package tree

import (
	"strings"

	"github.com/winnow-scan/winnow/filter/internal/value"
)

// String returns e as the parser reads it.
func (e *Condition) String() string { return string(e.appendTo(nil, BindsOr)) }

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

//every:condition print
//every:condition parentheses but Is IsNull Compare Between In Like Match (bind as tests)
func (e *Condition) appendTo(dst []byte, within int) []byte {
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
		return append(e.appendTo(append(dst, '('), BindsOr), ')')
	case binds > BindsNot:
		return e.appendTest(dst)
	case binds == BindsNot:
		dst = append(dst, "NOT "...)
	}
	for i, a := range e.Args {
		if i > 0 {
			dst = append(dst, word...)
		}
		dst = a.appendTo(dst, inner)
	}
	return dst
}

// appendTest appends a condition that contains no others, or an Is.
//
//every:condition print
func (e *Condition) appendTest(dst []byte) []byte {
	not := ""
	if e.InnerNot {
		not = "NOT "
	}
	switch e.Op {
	case Prefix, Suffix, Contains:
		dst = e.Left.AppendTo(append(append(dst, searchNames[e.Op]...), '('))
		return append(value.AppendString(append(dst, ", "...), e.Text), ')')
	case Func:
		dst = append(append(dst, QuoteName(e.Text)...), '(')
		return append(appendOperands(dst, e.Columns), ')')
	case Keys:
		dst = e.Left.AppendTo(append(dst, "in_keys("...))
		for i := range e.Right {
			dst = e.Right[i].AppendTo(append(dst, ", "...))
		}
		return append(dst, ')')
	case Is:
		dst = e.Args[0].appendTo(dst, BindsMost)
		dst = append(append(dst, " IS "...), not...)
		return (&value.Literal{Kind: value.LitBool, Truth: e.Truth}).AppendTo(dst)
	}
	dst = e.Left.AppendTo(dst)
	switch e.Op {
	case IsNull:
		return append(append(append(dst, " IS "...), not...), "NULL"...)
	case Compare:
		dst = append(append(append(dst, ' '), e.Comparison.String()...), ' ')
		return e.Right[0].AppendTo(dst)
	case Between:
		dst = e.Right[0].AppendTo(append(append(append(dst, ' '), not...), "BETWEEN "...))
		return e.Right[1].AppendTo(append(dst, " AND "...))
	case In:
		dst = append(append(append(dst, ' '), not...), "IN ("...)
		return append(appendOperands(dst, e.Right), ')')
	case Like:
		dst = value.AppendString(append(append(append(dst, ' '), not...), "LIKE "...), e.Text)
		if e.Escape != 0 {
			dst = value.AppendString(append(dst, " ESCAPE "...), string(e.Escape))
		}
	case Match:
		sign := " ~ "
		if e.InnerNot {
			sign = " !~ "
		}
		dst = value.AppendString(append(dst, sign...), e.Text)
	}
	return dst
}

// searchNames are the functions that search in strings.
var searchNames = [...]string{Prefix: "prefix", Suffix: "suffix", Contains: "contains"}

func appendOperands(dst []byte, of []Operand) []byte {
	for i := range of {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = of[i].AppendTo(dst)
	}
	return dst
}

// AppendTo appends o as the parser reads it.
func (o *Operand) AppendTo(dst []byte) []byte {
	if len(o.Steps) == 0 {
		return o.appendSource(dst) // conditions on items nest
	}
	text, _ := o.text()
	return append(dst, text...)
}

// appendSource appends o without its steps.
func (o *Operand) appendSource(dst []byte) []byte {
	if o.Literal != nil {
		return o.Literal.AppendTo(dst)
	}
	word := ""
	switch {
	case o.Quantifier == AnyItem:
		word = "ANY("
	case o.Quantifier == AllItems:
		word = "ALL("
	case o.Items != nil:
		word = "COUNT("
	case o.Length:
		word = "length("
	}
	dst = append(append(dst, word...), o.PathText()...)
	if i := o.Items; i != nil {
		dst = i.Condition.appendTo(append(dst, " AS "+QuoteName(i.Name)+": "...), BindsOr)
	}
	if word != "" {
		dst = append(dst, ')')
	}
	if o.Key != nil {
		dst = append(o.Key.AppendTo(append(dst, '[')), ']')
		for _, name := range o.Field {
			dst = append(append(dst, '.'), QuoteName(name)...)
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
