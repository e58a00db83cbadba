package tree

import (
	"regexp"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/keys"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// MaxDepth bounds how deep conditions nest, in a text as in an expression that is
// bound.
const MaxDepth = 500

// Condition is a node of an expression's tree. It is immutable once made.
type Condition struct {
	Op         Op
	Args       []*Condition // And, Or; Not and Is have one
	Left       Operand      // all others
	Right      []Operand    // Compare has one, Between two, In and Keys any number
	Comparison value.Comparison

	Text     string // Like, Match and the searches
	Escape   rune   // Like; 0 is none
	Regexp   *regexp.Regexp
	Truth    bool // Is
	InnerNot bool // Is, IsNull, Between, In, Like, Match: has an inner NOT, which applies to each item of a list
	Function func(columns []*vector.Vector, sel []uint64) error
	Columns  []Operand // Func
	Keys     *keys.Set // Keys

	AnyCase bool   // names in it may be in another case than the file has them
	Table   *Table // whose types its columns have; nil: those of the file
	At      int    // byte offset in the text; -1 without a text
}

// Table says which columns of a file have a wider type in the table that the file is a part of.
type Table struct {
	Types map[string]vector.Type // by the path of the file's leaf

	// Widen returns the values of a flat vector as those of a type: NULL of one that this type lacks.
	Widen func(v *vector.Vector, to vector.Type) *vector.Vector
}

// Op is what a Condition says about its operands or arguments.
type Op uint8

const (
	And Op = iota
	Or
	Not
	Constant      // Left is TRUE, FALSE or NULL
	BooleanColumn // Left is a boolean column, or says of how many items a condition is TRUE
	Is            // Args[0] IS TRUE, or IS FALSE
	IsNull        // Left IS NULL
	Compare       // Left compared with Right[0]
	Between
	In
	Like
	Match
	Prefix
	Suffix
	Contains
	Func
	Keys // Left, or the tuple of Left and Right, may be among Keys
)

// Operand is a literal, a column, or a value derived from a column.
type Operand struct {
	Literal    *value.Literal // nil for columns
	Path       []string
	Quantifier quantifier
	Key        *value.Literal   // of a map
	Field      []*value.Literal // what is below key: names, and positions in arrays of a VARIANT
	Length     bool             // length(path)
	Items      *Items           // ANY or ALL, or COUNT without a quantifier, of the items for which a condition is TRUE
	Steps      []Step           // done with the value, the first one first
	At         int

	Quoted bool     // in double quotes, in which SQL has no strings
	Beside *Operand // of a string that is one of several values, as in coalesce(x, 'a'): a column among them
}

// IsPlain reports whether o is a column as it is, with nothing derived from it.
func (o *Operand) IsPlain() bool {
	return o.Literal == nil && o.Quantifier == NoQuantifier && o.Items == nil && o.Key == nil && !o.Length && len(o.Steps) == 0
}

// Items is a condition on the items of a list, which have a name in it.
type Items struct {
	Name      string
	Condition *Condition
}

type quantifier uint8

const (
	NoQuantifier quantifier = iota
	AnyItem
	AllItems
)

// Join returns the AND or OR of args. It merges the arguments of args of the same
// kind into one list.
func Join(o Op, args ...*Condition) *Condition {
	e := &Condition{Op: o, At: -1}
	for _, a := range args {
		switch {
		case a == nil: // after an error of the parser
		case a.Op == o && !a.AnyCase && a.Table == nil:
			e.Args = append(e.Args, a.Args...)
		default:
			e.Args = append(e.Args, a)
		}
	}
	switch len(e.Args) {
	case 0:
		return NewConstant(o == And, -1)
	case 1:
		return e.Args[0]
	}
	return e
}

// Negation returns NOT c.
func Negation(c *Condition) *Condition {
	return &Condition{Op: Not, Args: []*Condition{c}, At: -1}
}

// NewConstant returns TRUE or FALSE.
func NewConstant(b bool, at int) *Condition {
	return &Condition{Op: Constant, Left: Operand{Literal: &value.Literal{Kind: value.LitBool, Truth: b}, At: at}, At: at}
}

// Expr is what a filter.Expr is made of. Pointers to the two convert into each other: so package
// compile reads a condition that hosts cannot see.
type Expr struct{ condition *Condition }

// NewExpr returns the expression of a condition.
func NewExpr(c *Condition) *Expr { return &Expr{c} }

// Condition returns the condition, which is TRUE for a nil and for a zero Expr.
func (e *Expr) Condition() *Condition {
	if e == nil || e.condition == nil {
		return NewConstant(true, -1)
	}
	return e.condition
}

// WeightLeft subtracts from left what it takes to bind c, about a microsecond each: one for each
// condition and value, one for each 64 bytes of text or bits of a number, and 16 for each
// function. A regular expression takes much more. It stops once the result is not positive.
func (c *Condition) WeightLeft(left int) int {
	if left <= 0 || c == nil {
		return left
	}
	left -= 1 + len(c.Text)/64 + c.Left.weight()
	if c.Op == Match {
		left -= 16 + len(c.Text)/2
	}
	for i := range c.Right {
		if left -= 1 + c.Right[i].weight(); left <= 0 {
			return left
		}
	}
	if c.Left.Items != nil {
		left = c.Left.Items.Condition.WeightLeft(left)
	}
	for _, a := range c.Args {
		left = a.WeightLeft(left)
	}
	return left
}

// weight is what an operand weighs beside the 1 of its condition.
func (o *Operand) weight() int {
	n := weightOf(o.Literal) + weightOf(o.Key)
	for _, name := range o.Path {
		n += len(name) / 64
	}
	for _, l := range o.Field {
		n += weightOf(l)
	}
	for i := range o.Steps {
		step := &o.Steps[i]
		n++
		switch {
		case step.Op == Calculate:
			n += 3 + step.By.weight()
		case step.Op == Call || step.To.Name == value.ToText:
			n += 15
		}
		for _, l := range step.Constants {
			n += weightOf(l)
		}
	}
	return n
}

// weightOf returns what a literal weighs, of which there may be none.
func weightOf(l *value.Literal) int {
	switch {
	case l == nil:
		return 0
	case l.Kind == value.LitNumber:
		return (l.Number.Coef.BitLen() + 4*max(l.Number.Exp, -l.Number.Exp)) / 64 // 10^n has less than 4n bits
	}
	return len(l.Text) / 64
}
