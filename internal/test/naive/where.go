package naive

import (
	"regexp"
	"strings"
)

// Where conditions are judged row by row, straight from the words of SQL.
//
// A value is nil (NULL), a bool, a string (of bytes), a number, a Struct or a
// List. A number is an int64 or *big.Rat, which are exact, a Decimal, or a
// float64, Single or Half. Moments and times are numbers of nanoseconds. A map is a List of
// Structs of key and value.
type (
	Struct []any
	List   []any
)

// Truth is what a condition is of a row.
type Truth int8

const (
	False Truth = iota
	Unknown
	True
)

func truth(b bool) Truth {
	if b {
		return True
	}
	return False
}

// Cond is a condition.
type Cond struct {
	Op     Op
	Args   []*Cond // And, Or; Not, IsTrue and IsFalse have one
	Left   Operand
	Right  []Operand // a comparison has one, Between two, In any number
	Text   string    // what is searched
	Escape rune      // Like; 0 is none
	Fold   bool      // Like: whatever the case, as ILIKE
	Regexp *regexp.Regexp
	Not    bool // IsNull, Between, In, Like, Match: said of each item of a list
	Func   func(row Struct) bool
}

// Op is the kind of a condition.
type Op uint8

const (
	And Op = iota
	Or
	Not
	IsTrue
	IsFalse
	Constant // Left is TRUE, FALSE or NULL
	Bool     // Left is a boolean column
	IsNull
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Between
	In
	Like
	Match
	Prefix
	Suffix
	Contains
	Func
)

// Operand is a literal or what is taken from a column.
type Operand struct {
	IsLiteral bool
	Literal   any

	Path   []int // of fields, through Structs and the items of Lists
	Lists  int   // on the way, the column itself included
	Quant  Quantifier
	HasKey bool // of a map
	Key    any
	Length bool
	Steps  []Step   // done with the value, or with each item
	With   *Operand // a number that Op calculates with, after them; nil: none
	Op     StepOp
	Items  *Cond // on a Struct of one item: Quant says of how many it is true, and is One for the number of these
}

// Quantifier says of how many items of a list a condition has to be true.
type Quantifier uint8

const (
	One Quantifier = iota
	Any
	All
)

// Eval returns what c is of a row.
//
//every:condition naive but Keys (no SQL)
func (c *Cond) Eval(row Struct) Truth {
	switch c.Op {
	case And:
		out := True
		for _, a := range c.Args {
			out = min(out, a.Eval(row))
		}
		return out
	case Or:
		out := False
		for _, a := range c.Args {
			out = max(out, a.Eval(row))
		}
		return out
	case Not:
		return True - c.Args[0].Eval(row)
	case IsTrue:
		return truth(c.Args[0].Eval(row) == True)
	case IsFalse:
		return truth(c.Args[0].Eval(row) == False)
	case Constant:
		if c.Left.Literal == nil {
			return Unknown
		}
		return truth(c.Left.Literal.(bool))
	case Func:
		return truth(c.Func(row))
	case In:
		if len(c.Right) == 0 {
			return truth(c.Not)
		}
	}
	switch {
	case c.Left.Quant == One:
		return c.item(c.Left.value(row), row)
	case c.Left.Items != nil:
		t, _ := c.Left.ofItems(row)
		return t
	}
	return c.quantified(row)
}

// ofItems returns what Quant says of a list by a condition on its items, and of how many it is true.
func (o *Operand) ofItems(row Struct) (t Truth, n int64) {
	t = truth(o.Quant == All)
	all, _ := (&Operand{Path: o.Path}).plain(row).(List)
	for _, i := range all {
		one := o.Items.Eval(Struct{i})
		if one == True {
			n++
		}
		if o.Quant == Any {
			t = max(t, one)
		} else {
			t = min(t, one)
		}
	}
	return t, n
}

// gap is a list within a list that is NULL: of its items, nothing is known.
type gap struct{}

func (c *Cond) quantified(row Struct) Truth {
	var items []any
	if !c.Left.items(row, c.Left.Path, 0, &items) { // there is no list
		return truth(c.Left.Quant == All)
	}
	out := truth(c.Left.Quant == All)
	for _, i := range items {
		t := Unknown
		if i != (gap{}) {
			t = c.item(c.Left.stepped(i), row)
		}
		if c.Left.Quant == Any {
			out = max(out, t)
		} else {
			out = min(out, t)
		}
	}
	return out
}

// items gathers the items of all lists on the way, and says whether there is a
// list at all.
func (o *Operand) items(v any, path []int, lists int, items *[]any) bool {
	switch l, isList := v.(List); {
	case v == nil && lists == 0:
		return false
	case v == nil && lists < o.Lists:
		*items = append(*items, gap{})
	case isList:
		for _, i := range l {
			o.items(i, path, lists+1, items)
		}
	case v == nil || len(path) == 0:
		*items = append(*items, v)
	default:
		return o.items(v.(Struct)[path[0]], path[1:], lists, items)
	}
	return true
}

// stepped returns what the steps make of a value.
func (o *Operand) stepped(v any) any {
	for i := range o.Steps {
		v = o.Steps[i].Apply(v)
	}
	return v
}

// value returns the one value of an operand.
func (o *Operand) value(row Struct) any {
	v := o.stepped(o.plain(row))
	if o.With == nil || v == nil {
		return v
	}
	by := o.With.value(row)
	if by == nil {
		return nil
	}
	f, _, isFloat := floatOf(v)
	g, _, byFloat := floatOf(by)
	switch { // of floats, both are doubles
	case isFloat && byFloat:
		v, by = f, g
	case isFloat:
		g, _ = exact(by).Float64()
		v, by = f, g
	case byFloat:
		f, _ = exact(v).Float64()
		v, by = f, g
	}
	return (&Step{Op: o.Op, By: by}).Apply(v)
}

// plain is value without the steps.
func (o *Operand) plain(row Struct) any {
	if o.IsLiteral {
		return o.Literal
	}
	if o.Items != nil {
		_, n := o.ofItems(row)
		return n
	}
	var v any = row
	for _, i := range o.Path {
		if v == nil {
			return nil
		}
		v = v.(Struct)[i]
	}
	switch {
	case v == nil:
	case o.Length:
		return int64(len(v.(List)))
	case o.HasKey:
		entries := v.(List)
		for i := len(entries) - 1; i >= 0; i-- {
			e := entries[i].(Struct)
			if compare(Eq, e[0], o.Key) == True {
				return e[1]
			}
		}
		return nil
	}
	return v
}

func (c *Cond) item(v any, row Struct) Truth {
	out := c.positive(v, row)
	if c.Not {
		return True - out
	}
	return out
}

//every:condition naive
func (c *Cond) positive(v any, row Struct) Truth {
	switch c.Op {
	case IsNull:
		return truth(v == nil)
	case Eq, Ne, Lt, Le, Gt, Ge:
		return compare(c.Op, v, c.Right[0].value(row))
	case Between:
		return min(compare(Ge, v, c.Right[0].value(row)), compare(Le, v, c.Right[1].value(row)))
	case In:
		out := False
		for _, o := range c.Right {
			out = max(out, compare(Eq, v, o.value(row)))
		}
		return out
	}
	if v == nil {
		return Unknown
	}
	switch c.Op {
	case Bool:
		return truth(v.(bool))
	case Prefix:
		return truth(strings.HasPrefix(v.(string), c.Text))
	case Suffix:
		return truth(strings.HasSuffix(v.(string), c.Text))
	case Contains:
		return truth(strings.Contains(v.(string), c.Text))
	case Match:
		return truth(c.Regexp.MatchString(v.(string)))
	}
	return truth(like(c.Text, v.(string), c.Escape, c.Fold))
}
