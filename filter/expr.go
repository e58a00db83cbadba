package filter

import (
	"cmp"
	"regexp"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Expr is a condition on rows, which is TRUE, FALSE or NULL for each row. It is
// immutable and safe for concurrent use. A nil *Expr is TRUE, and so is a zero Expr.
type Expr tree.Expr

func exprOf(c *tree.Condition) *Expr { return (*Expr)(tree.NewExpr(c)) }

func (e *Expr) condition() *tree.Condition { return (*tree.Expr)(e).Condition() }

// And returns the conjunction of conditions, TRUE of none.
func And(all ...*Expr) *Expr { return exprOf(tree.Join(tree.And, treesOf(all)...)) }

// Conjuncts returns the conditions that And or the text's AND joins in e: e itself if there
// is only one. And of them is e.
func (e *Expr) Conjuncts() (all []*Expr) {
	t := e.condition()
	if t.Op != tree.And {
		return []*Expr{e}
	}
	for _, a := range t.Args {
		part := *a
		part.AnyCase, part.Table = part.AnyCase || t.AnyCase, cmp.Or(part.Table, t.Table)
		all = append(all, exprOf(&part).Conjuncts()...)
	}
	return all
}

func treesOf(all []*Expr) []*tree.Condition {
	trees := make([]*tree.Condition, len(all))
	for i, e := range all {
		trees[i] = e.condition()
	}
	return trees
}

// Or returns the disjunction of conditions, FALSE of none.
func Or(some ...*Expr) *Expr { return exprOf(tree.Join(tree.Or, treesOf(some)...)) }

// Not returns the negation of e, which is NULL where e is NULL.
func Not(e *Expr) *Expr { return exprOf(tree.Negation(e.condition())) }

// IsTrue is TRUE where e is, and FALSE where it is FALSE or NULL.
func (e *Expr) IsTrue() *Expr { return exprOf(hasTruth(e.condition(), true, -1)) }

// IsFalse is TRUE where e is FALSE, and FALSE where it is TRUE or NULL.
func (e *Expr) IsFalse() *Expr { return exprOf(hasTruth(e.condition(), false, -1)) }

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
// (Decimal, Date, TimeOfDay), a vector.Scalar, or a Column. A value of another type
// is an error when the condition is bound. A Go float is the decimal that it is printed
// as, so that Eq(0.1) finds the FLOAT 0.1 too; a Scalar of a float is that number exactly.
type Column struct{ o tree.Operand }

// Col returns the column at a path in the syntax of schema.ParsePath: names with
// dots between them, in double quotes where needed. A malformed path is an error
// when the condition is bound.
func Col(path string) Column {
	names, err := schema.ParsePath(path)
	if err != nil {
		return faulty(err.Error())
	}
	return Column{tree.Operand{Path: names, At: -1}}
}

// faulty returns a column with which conditions fail when they are bound.
func faulty(why string) Column {
	return Column{tree.Operand{Literal: &value.Literal{Kind: value.LitBad, Text: why}, At: -1}}
}

// Any makes a comparison TRUE where it is TRUE for at least one item of a list. It
// is FALSE for lists that are NULL or empty.
func (c Column) Any() Column { c.o.Quantifier = tree.AnyItem; return c }

// All makes a comparison TRUE where it is TRUE for all items of a list. It is TRUE
// for lists that are NULL or empty.
func (c Column) All() Column { c.o.Quantifier = tree.AllItems; return c }

// Key is the value of a map under a key: the last of several, NULL if there is none. Within a VARIANT, each Key is a
// step further, by the name of a field or from 1 on by the position of an item.
func (c Column) Key(key any) Column {
	if l := valueOnly(key); c.o.Key == nil {
		c.o.Key = l
	} else {
		c.o.Field = append(c.o.Field[:len(c.o.Field):len(c.o.Field)], l)
	}
	return c
}

// Field is a field of the struct that is under a key of a map, given as a path
// within it.
func (c Column) Field(path string) Column {
	names, err := schema.ParsePath(path)
	switch {
	case c.o.Literal != nil:
	case err != nil:
		return faulty(err.Error())
	case c.o.Key == nil:
		return faulty("Field is for values of maps: name other fields in the column's path")
	default:
		for _, name := range names {
			c = c.Key(name)
		}
	}
	return c
}

// Length is the number of items of a list or map, or of code points of a string; NULL
// of one that is NULL.
func (c Column) Length() Column { return c.Call("length") }

// Lower is a string in lower case, by Unicode's simple mapping of each code point. So
// c.Lower().Like("%x%") is an ILIKE.
func (c Column) Lower() Column { return c.Call("lower") }

// Upper is a string in upper case, by Unicode's simple mapping of each code point.
func (c Column) Upper() Column { return c.Call("upper") }

// Call is what a function of the text returns for the column's values, with constants in the
// order of the text: Col("placed").Call("date_trunc", "month"). It is NULL if one of them is.
func (c Column) Call(name string, constants ...any) Column {
	f := function.Named(name)
	if f == nil {
		return faulty(noFunction(name))
	}
	var literals []*value.Literal
	for _, v := range constants {
		literals = append(literals, valueOnly(v))
	}
	return made(func(p *parser) item { return p.function(f, literals, item{o: c.o, at: -1}, -1) })
}

// Calculate is what an operation of the text, one of + - * / ^ & and |, returns for two values, one of
// which is a Column at least: Calculate("-", Col("arrived"), Col("left")).
func Calculate(operation string, left, right any) Column {
	op, ok := operator(token{kind: tokSign, text: operation})
	if !ok {
		return faulty("no operation " + tree.QuoteName(operation))
	}
	return made(func(p *parser) item { return p.calculated(op, item{o: operandOf(left)}, item{o: operandOf(right)}, -1) })
}

// made returns the column that a parser makes of columns and values.
func made(by func(p *parser) item) Column {
	var p parser
	i := by(&p)
	if p.err != nil {
		return faulty(p.err.Msg)
	}
	return Column{i.o}
}

// Eq is the condition c = value.
func (c Column) Eq(v any) *Expr { return c.compare(value.Eq, v) }

// Ne is the condition c <> value.
func (c Column) Ne(v any) *Expr { return c.compare(value.Ne, v) }

// Lt is the condition c < value.
func (c Column) Lt(v any) *Expr { return c.compare(value.Lt, v) }

// Le is the condition c <= value.
func (c Column) Le(v any) *Expr { return c.compare(value.Le, v) }

// Gt is the condition c > value.
func (c Column) Gt(v any) *Expr { return c.compare(value.Gt, v) }

// Ge is the condition c >= value.
func (c Column) Ge(v any) *Expr { return c.compare(value.Ge, v) }

func (c Column) compare(cmp value.Comparison, v any) *Expr {
	return c.says(tree.Condition{Op: tree.Compare, Comparison: cmp, Right: operandsOf([]any{v})})
}

// says returns the condition that is e of c.
func (c Column) says(e tree.Condition) *Expr {
	e.Left, e.At = c.o, -1
	return exprOf(&e)
}

// Between is the condition low <= c AND c <= high.
func (c Column) Between(low, high any) *Expr {
	return c.says(tree.Condition{Op: tree.Between, Right: operandsOf([]any{low, high})})
}

// In is the condition that c equals one of the values.
func (c Column) In(values ...any) *Expr { return In(c, values) }

// NotIn is the condition that c equals none of the values.
func (c Column) NotIn(values ...any) *Expr {
	return c.says(tree.Condition{Op: tree.In, InnerNot: true, Right: operandsOf(values)})
}

// In is the condition that a column equals one of the values, given as a slice.
func In[T any](c Column, values []T) *Expr {
	return c.says(tree.Condition{Op: tree.In, Right: operandsOf(values)})
}

// IsNull is the condition c IS NULL, for leaves, structs, lists and maps.
func (c Column) IsNull() *Expr { return c.says(tree.Condition{Op: tree.IsNull}) }

// IsNotNull is the condition c IS NOT NULL.
func (c Column) IsNotNull() *Expr { return c.says(tree.Condition{Op: tree.IsNull, InnerNot: true}) }

// True is the boolean column itself as a condition.
func (c Column) True() *Expr { return c.says(tree.Condition{Op: tree.BooleanColumn}) }

// Like is SQL's LIKE: % stands for any string, _ for one code point.
func (c Column) Like(pattern string) *Expr { return c.LikeEscape(pattern, 0) }

// LikeEscape is Like in which the character after escape stands for itself.
func (c Column) LikeEscape(pattern string, escape rune) *Expr {
	return c.says(tree.Condition{Op: tree.Like, Text: pattern, Escape: escape})
}

// NotLike is the condition that c is not like the pattern.
func (c Column) NotLike(pattern string) *Expr {
	return c.says(tree.Condition{Op: tree.Like, Text: pattern, InnerNot: true})
}

// Prefix is the condition that a string starts with s.
func (c Column) Prefix(s string) *Expr { return c.says(tree.Condition{Op: tree.Prefix, Text: s}) }

// Suffix is the condition that a string ends with s.
func (c Column) Suffix(s string) *Expr { return c.says(tree.Condition{Op: tree.Suffix, Text: s}) }

// Contains is the condition that s is in a string.
func (c Column) Contains(s string) *Expr { return c.says(tree.Condition{Op: tree.Contains, Text: s}) }

// Match is the condition that a regular expression, in the syntax of package
// regexp, matches somewhere in a string.
func (c Column) Match(re *regexp.Regexp) *Expr {
	return c.says(tree.Condition{Op: tree.Match, Text: re.String(), Regexp: re})
}

// Function is a condition implemented by the caller. It gets a vector for each
// column, with one slot for each row, and clears the bits of sel for rows that do
// not pass. Rows whose bits are already clear do not matter. Vectors may have any
// form and are valid until the function returns. It must be safe for concurrent
// use. A cancelled scan waits for it to return, so a slow function is called with
// fewer rows at a time.
//
// An error ends the scan, which returns it with the file and the row group added:
// errors.Is and errors.As find it. What the function panics with, the goroutine that
// called the scan panics with.
type Function func(columns []*vector.Vector, sel []uint64) error

// Func is the condition that f keeps a row: TRUE or FALSE, never NULL. name stands
// for it in String and in errors.
func Func(name string, f Function, columns ...Column) *Expr {
	e := &tree.Condition{Op: tree.Func, Text: name, Function: f, At: -1}
	for _, c := range columns {
		e.Columns = append(e.Columns, c.o)
	}
	return exprOf(e)
}

func operandsOf[T any](values []T) []tree.Operand {
	all := make([]tree.Operand, 0, len(values))
	for _, v := range values {
		all = append(all, operandOf(v))
	}
	return all
}

func operandOf(v any) tree.Operand {
	if c, ok := v.(Column); ok {
		return c.o
	}
	return tree.Operand{Literal: value.Of(v), At: -1}
}

// valueOnly returns the literal of a value, which must not be a Column.
func valueOnly(v any) *value.Literal {
	if _, ok := v.(Column); ok {
		return &value.Literal{Kind: value.LitBad, Text: "a column stands where a value is wanted"}
	}
	return value.Of(v)
}

// Any is the condition that e is TRUE of at least one item of a list or map, which has a name in e:
//
//	filter.Any("attrs", "a", filter.And(filter.Col("a.key").Eq("k"), filter.Col("a.value").Eq("v")))
//
// It is NULL where e is TRUE of no item and NULL of some, and FALSE of a list that is NULL or empty.
func Any(list, name string, e *Expr) *Expr { return exprOf(ofItems(Count(list, name, e).Any().o)) }

// All is the condition that e is TRUE of all items: NOT Any of NOT e.
func All(list, name string, e *Expr) *Expr { return exprOf(ofItems(Count(list, name, e).All().o)) }

// Count is the number of items of which e is TRUE, as Any has it: 0 of a list that is NULL.
func Count(list, name string, e *Expr) Column {
	c := Col(list)
	c.o.Items = &tree.Items{Name: name, Condition: e.condition()}
	return c
}

// String returns e as a text that Parse parses to the same expression, unless e
// contains a Func or InKeys.
func (e *Expr) String() string { return e.condition().String() }
