package filter

import (
	"regexp"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
)

// Expr is a condition on rows, which is TRUE, FALSE or NULL for each row. It is
// immutable and safe for concurrent use. A nil *Expr is TRUE.
type Expr struct {
	op    op
	args  []*Expr   // And, Or; Not and Is have one
	left  operand   // all others
	right []operand // Compare has one, Between two, In any number
	cmp   comparison

	text     string // Like, Match and the searches
	escape   rune   // Like; 0 is none
	regexp   *regexp.Regexp
	truth    bool // Is
	innerNot bool // Is, IsNull, Between, In, Like, Match: has an inner NOT, which applies to each item of a list
	fn       Function
	columns  []operand // Func
	keys     *Keys     // InKeys

	at int // byte offset in the text; -1 without a text
}

type op uint8

const (
	opAnd op = iota
	opOr
	opNot
	opConst   // left is TRUE, FALSE or NULL
	opValue   // left is a boolean column
	opIs      // args[0] IS TRUE, or IS FALSE
	opIsNull  // left IS NULL
	opCompare // left cmp right[0]
	opBetween
	opIn
	opLike
	opMatch
	opPrefix
	opSuffix
	opContains
	opFunc
	opKeys // left may be among keys
)

type comparison uint8

const (
	eq comparison = iota
	ne
	lt
	le
	gt
	ge
)

func (c comparison) String() string {
	return [...]string{"=", "<>", "<", "<=", ">", ">="}[c]
}

// mirrored returns the equivalent comparison for swapped sides.
func (c comparison) mirrored() comparison {
	return [...]comparison{eq, ne, gt, ge, lt, le}[c]
}

// operand is a literal, a column, or a value derived from a column.
type operand struct {
	lit    *literal // nil for columns
	path   []string
	quant  quantifier
	key    *literal // of a map
	field  []string // of the struct under key
	length bool     // length(path)
	at     int

	quoted bool // in double quotes, in which SQL has no strings
}

type quantifier uint8

const (
	noQuantifier quantifier = iota
	anyItem
	allItems
)

// And returns the conjunction of conditions, TRUE of none.
func And(all ...*Expr) *Expr { return join(opAnd, all) }

// Or returns the disjunction of conditions, FALSE of none.
func Or(some ...*Expr) *Expr { return join(opOr, some) }

// join returns the AND or OR of args. It merges the arguments of args of the same
// kind into one list.
func join(o op, args []*Expr) *Expr {
	e := &Expr{op: o, at: -1}
	for _, a := range args {
		switch {
		case a == nil:
			e.args = append(e.args, constantExpr(true, -1))
		case a.op == o:
			e.args = append(e.args, a.args...)
		default:
			e.args = append(e.args, a)
		}
	}
	switch len(e.args) {
	case 0:
		return constantExpr(o == opAnd, -1)
	case 1:
		return e.args[0]
	}
	return e
}

// Not returns the negation of e, which is NULL where e is NULL.
func Not(e *Expr) *Expr {
	if e == nil {
		e = constantExpr(true, -1)
	}
	return &Expr{op: opNot, args: []*Expr{e}, at: -1}
}

func constantExpr(b bool, at int) *Expr {
	return &Expr{op: opConst, left: operand{lit: &literal{kind: litBool, b: b}, at: at}, at: at}
}

// IsTrue is TRUE where e is, and FALSE where it is FALSE or NULL.
func (e *Expr) IsTrue() *Expr { return &Expr{op: opIs, args: []*Expr{And(e)}, truth: true, at: -1} }

// IsFalse is TRUE where e is FALSE, and FALSE where it is TRUE or NULL.
func (e *Expr) IsFalse() *Expr { return &Expr{op: opIs, args: []*Expr{And(e)}, at: -1} }

// Column is a column, or a value derived from one, to build conditions with:
//
//	filter.Col("a.b").Ge(5)
//	filter.Col("tags").Any().Prefix("x")
//	filter.Col("attrs").Key("k").Eq("v")
//	filter.Col("parts").Key("k").Field("a.b").Eq("v")
//	filter.Col("items").Length().Gt(3)
//	filter.Col("shipped").Lt(filter.Col("due"))
//	filter.Col("customer").InKeys(keys)
//
// A value is nil (NULL), a bool, an integer of any type or *big.Int, a float,
// a string, a []byte, a time.Time, one of the values that this package makes
// (Decimal, Date, TimeOfDay), or a Column. A value of another type is an error
// when the condition is bound.
type Column struct{ o operand }

// Col returns the column at a path in the syntax of schema.ParsePath: names with
// dots between them, in double quotes where needed. A malformed path is an error of
// Bind.
func Col(path string) Column {
	names, err := schema.ParsePath(path)
	if err != nil {
		return Column{operand{lit: &literal{kind: litBad, s: err.Error()}, at: -1}}
	}
	return Column{operand{path: names, at: -1}}
}

// Any makes a comparison TRUE where it is TRUE for at least one item of a list. It
// is FALSE for lists that are NULL or empty.
func (c Column) Any() Column { c.o.quant = anyItem; return c }

// All makes a comparison TRUE where it is TRUE for all items of a list. It is TRUE
// for empty lists, and NULL for lists that are NULL.
func (c Column) All() Column { c.o.quant = allItems; return c }

// Key is the value of a map under a key: the last of several, NULL if there is none.
func (c Column) Key(key any) Column { c.o.key = literalOf(key); return c }

// Field is a field of the struct that is under a key of a map, given as a path
// within it.
func (c Column) Field(path string) Column {
	names, err := schema.ParsePath(path)
	switch {
	case c.o.lit != nil:
	case err != nil:
		return Column{operand{lit: &literal{kind: litBad, s: err.Error()}, at: -1}}
	case c.o.key == nil:
		return Column{operand{lit: &literal{kind: litBad, s: "Field is for values of maps: name other fields in the column's path"}, at: -1}}
	default:
		c.o.field = append(c.o.field[:len(c.o.field):len(c.o.field)], names...)
	}
	return c
}

// Length is the number of items of a list or map, NULL for one that is NULL.
func (c Column) Length() Column { c.o.length = true; return c }

// Eq is the condition c = value.
func (c Column) Eq(value any) *Expr { return c.compare(eq, value) }

// Ne is the condition c <> value.
func (c Column) Ne(value any) *Expr { return c.compare(ne, value) }

// Lt is the condition c < value.
func (c Column) Lt(value any) *Expr { return c.compare(lt, value) }

// Le is the condition c <= value.
func (c Column) Le(value any) *Expr { return c.compare(le, value) }

// Gt is the condition c > value.
func (c Column) Gt(value any) *Expr { return c.compare(gt, value) }

// Ge is the condition c >= value.
func (c Column) Ge(value any) *Expr { return c.compare(ge, value) }

func (c Column) compare(cmp comparison, value any) *Expr {
	return &Expr{op: opCompare, cmp: cmp, left: c.o, right: []operand{operandOf(value)}, at: -1}
}

// Between is the condition low <= c AND c <= high.
func (c Column) Between(low, high any) *Expr {
	return &Expr{op: opBetween, left: c.o, right: []operand{operandOf(low), operandOf(high)}, at: -1}
}

// In is the condition that c equals one of the values.
func (c Column) In(values ...any) *Expr {
	e := &Expr{op: opIn, left: c.o, at: -1}
	for _, v := range values {
		e.right = append(e.right, operandOf(v))
	}
	return e
}

// NotIn is the condition that c equals none of the values.
func (c Column) NotIn(values ...any) *Expr {
	e := c.In(values...)
	e.innerNot = true
	return e
}

// In is the condition that a column equals one of the values, given as a slice.
func In[T any](c Column, values []T) *Expr {
	e := &Expr{op: opIn, left: c.o, at: -1}
	for _, v := range values {
		e.right = append(e.right, operandOf(v))
	}
	return e
}

// InKeys is the condition that c may be one of the keys. It can be combined by And
// and Or, but not negated: NOT would drop false positives, which are not keys. Keys
// must not be added to any more.
func (c Column) InKeys(keys *Keys) *Expr {
	keys.makeWords()
	return &Expr{op: opKeys, left: c.o, keys: keys, at: -1}
}

// IsNull is the condition c IS NULL, for leaves, structs, lists and maps.
func (c Column) IsNull() *Expr { return &Expr{op: opIsNull, left: c.o, at: -1} }

// IsNotNull is the condition c IS NOT NULL.
func (c Column) IsNotNull() *Expr { return &Expr{op: opIsNull, innerNot: true, left: c.o, at: -1} }

// True is the boolean column itself as a condition.
func (c Column) True() *Expr { return &Expr{op: opValue, left: c.o, at: -1} }

// Like is SQL's LIKE: % stands for any string, _ for one code point.
func (c Column) Like(pattern string) *Expr { return c.search(opLike, pattern) }

// LikeEscape is Like in which the character behind escape stands for itself.
func (c Column) LikeEscape(pattern string, escape rune) *Expr {
	e := c.search(opLike, pattern)
	e.escape = escape
	return e
}

// NotLike is the condition that c is not like the pattern.
func (c Column) NotLike(pattern string) *Expr {
	e := c.search(opLike, pattern)
	e.innerNot = true
	return e
}

// Prefix is the condition that a string starts with s.
func (c Column) Prefix(s string) *Expr { return c.search(opPrefix, s) }

// Suffix is the condition that a string ends with s.
func (c Column) Suffix(s string) *Expr { return c.search(opSuffix, s) }

// Contains is the condition that s is in a string.
func (c Column) Contains(s string) *Expr { return c.search(opContains, s) }

// Match is the condition that a regular expression, in the syntax of package
// regexp, matches somewhere in a string.
func (c Column) Match(re *regexp.Regexp) *Expr {
	e := c.search(opMatch, re.String())
	e.regexp = re
	return e
}

func (c Column) search(o op, text string) *Expr {
	return &Expr{op: o, left: c.o, text: text, at: -1}
}

// Function is a condition implemented by the caller. It gets a vector for each
// column, with one slot for each row, and clears the bits of sel for rows that do
// not pass. Rows whose bits are already clear do not matter. Vectors may have any
// form and are valid until the function returns. It must be safe for concurrent
// use. A cancelled scan waits for it to return, so a slow function is called with
// fewer rows at a time.
type Function func(columns []*vector.Vector, sel []uint64)

// Func is the condition that f keeps a row: TRUE or FALSE, never NULL. name stands
// for it in String.
func Func(name string, f Function, columns ...Column) *Expr {
	e := &Expr{op: opFunc, text: name, fn: f, at: -1}
	for _, c := range columns {
		e.columns = append(e.columns, c.o)
	}
	return e
}

func operandOf(value any) operand {
	if c, ok := value.(Column); ok {
		return c.o
	}
	return operand{lit: literalOf(value), at: -1}
}
