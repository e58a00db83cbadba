package compile

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// A record is a row of a world. A condition on it becomes one on its values, as
// literals, for internal/test/naive to evaluate.
type record struct {
	w   *world
	row int
}

// gap is a list within a list that is NULL: of its items, nothing is known.
var gap = new(datum)

// eval returns what a condition is of the row.
func (x record) eval(e *tree.Condition) naive.Truth { return x.cond(e).Eval(nil) }

//every:condition twin but Func (has a test of its own)
func (x record) cond(e *tree.Condition) *naive.Cond {
	args := func() (all []*naive.Cond) {
		for _, a := range e.Args {
			all = append(all, x.cond(a))
		}
		return all
	}
	switch e.Op {
	case tree.And:
		return &naive.Cond{Op: naive.And, Args: args()}
	case tree.Or:
		return &naive.Cond{Op: naive.Or, Args: args()}
	case tree.Not:
		return &naive.Cond{Op: naive.Not, Args: args()}
	case tree.Is:
		is := &naive.Cond{Op: naive.IsFalse, Args: args()}
		if e.Truth {
			is.Op = naive.IsTrue
		}
		if e.InnerNot {
			return &naive.Cond{Op: naive.Not, Args: []*naive.Cond{is}}
		}
		return is
	case tree.Constant:
		if e.Left.Literal.Kind == value.LitNull {
			return constantCond(nil)
		}
		return constantCond(e.Left.Literal.Truth)
	}
	switch o := e.Left; {
	case e.Op == tree.Keys && len(e.Right) > 0:
		return x.tuple(e)
	case e.Op == tree.In && len(e.Right) == 0:
		return constantCond(e.InnerNot)
	case o.Quantifier == tree.NoQuantifier:
		return x.item(e, x.operand(o)) // with its steps
	default:
		all := &naive.Cond{Op: naive.Or}
		none, items := x.items(o)
		if o.Quantifier == tree.AllItems {
			all.Op = naive.And
		}
		if none {
			return constantCond(o.Quantifier == tree.AllItems)
		}
		for _, i := range items {
			if i == gap {
				all.Args = append(all.Args, constantCond(nil))
			} else {
				all.Args = append(all.Args, x.item(e, i.stepped(o.Steps, x.leafOf(o).Type)))
			}
		}
		return all
	}
}

func constantCond(v any) *naive.Cond {
	return &naive.Cond{Op: naive.Constant, Left: naive.Operand{IsLiteral: true, Literal: v}}
}

// item is a condition on one value, which may be an item of a list.
//
//every:condition twin
func (x record) item(e *tree.Condition, v *datum) *naive.Cond {
	var column bool // whether columns are compared
	for _, o := range e.Right {
		column = column || o.Literal == nil
	}
	if column {
		v = x.beside(e.Left)
	}
	c := &naive.Cond{Left: v.literal(), Text: e.Text, Escape: e.Escape, Not: e.InnerNot}
	for _, o := range e.Right {
		d := x.operand(o)
		if column {
			d = x.beside(o)
		}
		c.Right = append(c.Right, d.beside(v).literal())
	}
	switch e.Op {
	case tree.IsNull:
		c.Op = naive.IsNull
	case tree.BooleanColumn:
		c.Op = naive.Bool
	case tree.Compare:
		c.Op = [...]naive.Op{naive.Eq, naive.Ne, naive.Lt, naive.Le, naive.Gt, naive.Ge}[e.Comparison]
	case tree.Between:
		c.Op = naive.Between
	case tree.In:
		c.Op = naive.In
	case tree.Keys:
		return x.inKeys(v, 0)
	case tree.Prefix:
		c.Op = naive.Prefix
	case tree.Suffix:
		c.Op = naive.Suffix
	case tree.Contains:
		c.Op = naive.Contains
	case tree.Like:
		c.Op = naive.Like
	case tree.Match:
		c.Op, c.Regexp = naive.Match, regexp.MustCompile(e.Text)
	}
	return c
}

// beside returns what an operand is beside a column.
func (x record) beside(o tree.Operand) *datum {
	v, _ := x.forwards(o)
	return datumOf(v)
}

// beside returns what a literal means beside a value: a string beside a number is the number
// that it spells.
func (d *datum) beside(v *datum) *datum {
	if d == nil || d.text == nil || v == nil || v.rat == nil && v.float == nil {
		return d
	}
	spelled := &datum{}
	var ok bool
	if spelled.rat, ok = new(big.Rat).SetString(*d.text); !ok {
		return d // of a moment
	}
	if strings.ContainsAny(*d.text, ".eE") {
		spelled.float = new(float64)
	}
	return spelled
}

// inKeys is the condition that a value is at place i of some key.
func (x record) inKeys(v *datum, i int) *naive.Cond {
	c := &naive.Cond{Op: naive.In, Left: v.literal()}
	for _, key := range x.w.keys {
		c.Right = append(c.Right, key[i].keyLiterals()...)
	}
	return c
}

// tuple is InKeys of several columns.
func (x record) tuple(e *tree.Condition) *naive.Cond {
	var row []*datum
	for _, o := range append([]tree.Operand{e.Left}, e.Right...) {
		row = append(row, x.operand(o))
	}
	if slices.Contains(row, nil) {
		return constantCond(nil)
	}
	some := &naive.Cond{Op: naive.Or}
	for _, key := range x.w.keys {
		all := &naive.Cond{Op: naive.And}
		for i, v := range row {
			all.Args = append(all.Args, &naive.Cond{Op: naive.In, Left: v.literal(), Right: key[i].keyLiterals()})
		}
		some.Args = append(some.Args, all)
	}
	return some
}

// literal returns a datum, nil for NULL, as internal/test/naive has it.
func (d *datum) literal() naive.Operand {
	o := naive.Operand{IsLiteral: true}
	switch {
	case d == nil:
	case d.truth != nil:
		o.Literal = *d.truth
	case d.text != nil:
		o.Literal = *d.text
	case d.rat != nil && d.float != nil:
		o.Literal = naive.Decimal{Exact: d.rat}
	case d.rat != nil:
		o.Literal = d.rat
	case d.float != nil:
		o.Literal = [...]any{*d.float, naive.Single(*d.float), naive.Half(*d.float)}[d.narrow]
	default:
		o.Literal = naive.Struct{} // there
	}
	return o
}

// keyLiterals returns what passes for a key: it, and of a number those 2^64 away, because
// InKeys takes the one from 2^63 on for the negative one.
func (d *datum) keyLiterals() []naive.Operand {
	all := []naive.Operand{d.literal()}
	whole := d.rat
	if whole == nil && d.float != nil && !math.IsInf(*d.float, 0) && !math.IsNaN(*d.float) {
		whole = new(big.Rat).SetFloat64(*d.float)
	}
	if whole != nil {
		apart := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 64))
		for _, n := range []*big.Rat{new(big.Rat).Add(whole, apart), new(big.Rat).Sub(whole, apart)} {
			all = append(all, naive.Operand{IsLiteral: true, Literal: n})
		}
	}
	return all
}

func (x record) node(path []string) *schema.Node {
	if len(path) == 2 && (path[0] == "items" || path[0] == "nest") {
		path = []string{path[0], "element", path[1]}
	}
	n := x.w.schema.Find(path...)
	if n == nil {
		panic("no " + strings.Join(path, "."))
	}
	return n
}

// leafOf returns the leaf that the values of an operand are of; for lengths, the list or map.
func (x record) leafOf(o tree.Operand) *schema.Node {
	n := x.node(o.Path)
	for n.Kind == schema.List && !o.Length {
		n = n.Item()
	}
	if o.Key != nil && n.Kind == schema.Map {
		n = n.Value()
	}
	for _, name := range o.Field {
		n = n.Children[slices.IndexFunc(n.Children, func(c *schema.Node) bool { return c.Name == name.Text })]
	}
	return n
}

// operand returns a value, with what is done with it: nil is NULL.
func (x record) operand(o tree.Operand) *datum {
	if o.Literal != nil {
		return literalDatum(o.Literal)
	}
	if o.IsForwards() {
		return x.beside(o)
	}
	v := x.valueOf(o)
	if len(o.Steps) == 0 {
		return v
	}
	of := vector.Type{}
	if !o.Length {
		of = x.leafOf(o).Type
	}
	return v.stepped(o.Steps, of)
}

func (x record) valueOf(o tree.Operand) *datum {
	n := x.node(o.Path)
	f := x.w.at(x.row, n)
	if f.null {
		return nil
	}
	switch {
	case o.Length:
		many := f.many
		if !n.IsBare() {
			many = f.fields[0].many
		}
		return &datum{rat: ratOf(int64(len(many)))}
	case o.Key != nil && n.Kind == schema.List:
		many := f.fields[0].many
		index := o.Key.Number.Rat().Num()
		if index.Sign() < 0 {
			index.Add(index, big.NewInt(int64(len(many))+1))
		}
		if index.Sign() <= 0 || index.Cmp(big.NewInt(int64(len(many)))) > 0 {
			return nil
		}
		return fieldOf(many[index.Int64()-1].fields[0], n.Item(), o.Field)
	case o.Key != nil:
		many := f.fields[0].many
		for i := len(many) - 1; i >= 0; i-- {
			if string(many[i].fields[0].leaf.plain) == o.Key.Text {
				return fieldOf(many[i].fields[1], n.Value(), o.Field)
			}
		}
		return nil
	case n.Kind != schema.Leaf || n.IsBare():
		return &datum{} // there
	}
	return valueOf(f, n)
}

// fieldOf returns a value, or what stands at a path below; a struct that is
// there is a datum without anything.
func fieldOf(f raw, n *schema.Node, path []*value.Literal) *datum {
	for _, name := range path {
		if f.null {
			return nil
		}
		for i, c := range n.Children {
			if c.Name == name.Text {
				f, n = f.fields[i], c
				break
			}
		}
	}
	if n.Kind == schema.Leaf || f.null {
		return valueOf(f, n)
	}
	return &datum{}
}

func valueOf(f raw, n *schema.Node) *datum {
	if f.null || n.Type.Logical == vector.Null {
		return nil
	}
	return f.leaf
}

// items returns the items of all lists on the way to a leaf.
func (x record) items(o tree.Operand) (none bool, items []*datum) {
	n := x.node(o.Path)
	for n.Kind == schema.List {
		n = n.Item()
	}
	var path []*schema.Node
	for m := n; m.Parent != nil; m = m.Parent {
		path = append([]*schema.Node{m}, path...)
	}
	var down func(v raw, at []*schema.Node, within bool)
	down = func(v raw, at []*schema.Node, within bool) {
		if len(at) == 0 {
			items = append(items, valueOf(v, n))
			return
		}
		f := v.fields[childIndex(at[0])]
		switch {
		case f.null && within && slices.ContainsFunc(at[1:], func(n *schema.Node) bool { return n.Repetition == schema.Repeated }):
			items = append(items, gap)
		case f.null && within:
			items = append(items, nil)
		case f.null:
			none = true
		case at[0].Repetition == schema.Repeated:
			for _, v := range f.many {
				down(v, at[1:], true)
			}
		default:
			down(f, at[1:], within)
		}
	}
	down(x.w.rows[x.row], path, false)
	return none, items
}

// literalDatum says what a literal is; of approximate numbers, the double too.
func literalDatum(l *value.Literal) *datum {
	switch l.Kind {
	case value.LitNull:
		return nil
	case value.LitBool:
		return &datum{truth: &l.Truth}
	case value.LitString, value.LitBinary:
		return &datum{text: &l.Text}
	case value.LitFloat:
		return &datum{float: &l.Double}
	case value.LitNumber:
		text := l.Number.String()
		d := &datum{}
		d.rat, _ = new(big.Rat).SetString(text)
		if l.Number.Approx {
			f, _ := strconv.ParseFloat(text, 64)
			d.float = &f
		}
		return d
	}
	n := new(big.Rat).Mul(ratOf(l.Days+30*l.Months), ratOf(value.NanosPerDay))
	return &datum{rat: n.Add(n, ratOf(l.Nanos))}
}
