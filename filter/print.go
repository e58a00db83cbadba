package filter

import "strings"

// String returns e as a text that Parse parses to the same expression, unless e
// contains a Func or InKeys.
func (e *Expr) String() string { return string(e.appendTo(nil, bindsOr)) }

// Precedences of operators, loosest first. An expression that binds less tightly than
// its context is put in parentheses.
const (
	bindsOr = iota
	bindsAnd
	bindsNot
	bindsTest // comparisons, IS, IN, …
	bindsMost
)

//every:condition print
func (e *Expr) appendTo(dst []byte, within int) []byte {
	if e == nil {
		return append(dst, "TRUE"...)
	}
	binds := bindsTest
	switch e.op {
	case opOr:
		binds = bindsOr
	case opAnd:
		binds = bindsAnd
	case opNot:
		binds = bindsNot
	case opConst, opValue, opPrefix, opSuffix, opContains, opFunc, opKeys:
		binds = bindsMost
	}
	if binds < within {
		return append(e.appendBare(append(dst, '(')), ')')
	}
	return e.appendBare(dst)
}

// appendBare appends e without parentheses around it.
func (e *Expr) appendBare(dst []byte) []byte {
	switch e.op {
	case opOr:
		return e.appendJoined(dst, " OR ", bindsAnd)
	case opAnd:
		return e.appendJoined(dst, " AND ", bindsNot)
	case opNot:
		return e.args[0].appendTo(append(dst, "NOT "...), bindsNot)
	}
	return e.appendTest(dst)
}

func (e *Expr) appendJoined(dst []byte, word string, within int) []byte {
	for i, a := range e.args {
		if i > 0 {
			dst = append(dst, word...)
		}
		dst = a.appendTo(dst, within)
	}
	return dst
}

//every:condition print
func (e *Expr) appendTest(dst []byte) []byte {
	not := ""
	if e.innerNot {
		not = "NOT "
	}
	switch e.op {
	case opPrefix, opSuffix, opContains:
		dst = e.left.appendTo(append(append(dst, searchName(e.op)...), '('))
		return append(appendString(append(dst, ", "...), e.text), ')')
	case opFunc:
		dst = append(append(dst, quoteName(e.text)...), '(')
		return append(appendOperands(dst, e.columns), ')')
	case opKeys:
		return append(e.left.appendTo(append(dst, "in_keys("...)), ')')
	case opIs:
		dst = e.args[0].appendTo(dst, bindsMost)
		dst = append(append(dst, " IS "...), not...)
		return (&literal{kind: litBool, b: e.truth}).appendTo(dst)
	}
	dst = e.left.appendTo(dst)
	switch e.op {
	case opIsNull:
		return append(append(append(dst, " IS "...), not...), "NULL"...)
	case opCompare:
		dst = append(append(append(dst, ' '), e.cmp.String()...), ' ')
		return e.right[0].appendTo(dst)
	case opBetween:
		dst = e.right[0].appendTo(append(append(append(dst, ' '), not...), "BETWEEN "...))
		return e.right[1].appendTo(append(dst, " AND "...))
	case opIn:
		dst = append(append(append(dst, ' '), not...), "IN ("...)
		return append(appendOperands(dst, e.right), ')')
	case opLike:
		dst = appendString(append(append(append(dst, ' '), not...), "LIKE "...), e.text)
		if e.escape != 0 {
			dst = appendString(append(dst, " ESCAPE "...), string(e.escape))
		}
	case opMatch:
		sign := " ~ "
		if e.innerNot {
			sign = " !~ "
		}
		dst = appendString(append(dst, sign...), e.text)
	}
	return dst
}

func searchName(o op) string {
	switch o {
	case opPrefix:
		return "prefix"
	case opSuffix:
		return "suffix"
	}
	return "contains"
}

func appendOperands(dst []byte, of []operand) []byte {
	for i := range of {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = of[i].appendTo(dst)
	}
	return dst
}

func (o *operand) appendTo(dst []byte) []byte {
	if o.lit != nil {
		return o.lit.appendTo(dst)
	}
	path := o.pathText()
	switch {
	case o.quant == anyItem:
		path = "ANY(" + path + ")"
	case o.quant == allItems:
		path = "ALL(" + path + ")"
	case o.length:
		path = "length(" + path + ")"
	}
	dst = append(dst, path...)
	if o.key != nil {
		dst = append(o.key.appendTo(append(dst, '[')), ']')
		for _, name := range o.field {
			dst = append(append(dst, '.'), quoteName(name)...)
		}
	}
	return dst
}

// pathText returns the path as the parser reads it, without what is derived from it.
func (o *operand) pathText() string {
	names := make([]string, len(o.path))
	for i, name := range o.path {
		names[i] = quoteName(name)
	}
	return strings.Join(names, ".")
}
