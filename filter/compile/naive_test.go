package compile

import (
	"bytes"
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
)

// The naive evaluator: row by row, exact numbers, three values, straight from
// the words of SQL.

type truth int8

const (
	no truth = iota
	unknown
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// gap is a list within a list that is NULL: of its items, nothing is known.
var gap = new(datum)

type naive struct {
	w   *world
	row int
}

//every:condition twin but Like Func (what is left; has a test of its own)
func (x naive) eval(e *tree.Condition) truth {
	switch e.Op {
	case tree.And:
		out := yes
		for _, a := range e.Args {
			out = min(out, x.eval(a))
		}
		return out
	case tree.Or:
		out := no
		for _, a := range e.Args {
			out = max(out, x.eval(a))
		}
		return out
	case tree.Not:
		return yes - x.eval(e.Args[0])
	case tree.Is:
		want := no
		if e.Truth {
			want = yes
		}
		return truthOf((x.eval(e.Args[0]) == want) != e.InnerNot)
	case tree.Constant:
		if e.Left.Literal.Kind == value.LitNull {
			return unknown
		}
		return truthOf(e.Left.Literal.Truth)
	}
	o := e.Left
	if e.Op == tree.Keys && len(e.Right) > 0 {
		return x.tuple(e)
	}
	if e.Op == tree.In && len(e.Right) == 0 {
		return truthOf(e.InnerNot)
	}
	if o.Quantifier == tree.NoQuantifier {
		return x.item(e, x.operand(o))
	}
	none, items := x.items(o)
	if none {
		if o.Quantifier == tree.AnyItem {
			return no
		}
		return unknown
	}
	out := no
	if o.Quantifier == tree.AllItems {
		out = yes
	}
	for _, i := range items {
		t := unknown
		if i != gap {
			t = x.item(e, i)
		}
		if o.Quantifier == tree.AnyItem {
			out = max(out, t)
		} else {
			out = min(out, t)
		}
	}
	return out
}

func (x naive) node(path []string) *schema.Node {
	if len(path) == 2 && (path[0] == "items" || path[0] == "nest") {
		path = []string{path[0], "element", path[1]}
	}
	n := x.w.schema.Find(path...)
	if n == nil {
		panic("no " + strings.Join(path, "."))
	}
	return n
}

// operand returns a value: nil is NULL.
func (x naive) operand(o tree.Operand) *datum {
	if o.Literal != nil {
		return literalDatum(o.Literal)
	}
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
func fieldOf(f raw, n *schema.Node, path []string) *datum {
	for _, name := range path {
		if f.null {
			return nil
		}
		for i, c := range n.Children {
			if c.Name == name {
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
func (x naive) items(o tree.Operand) (none bool, items []*datum) {
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

// item evaluates a condition on one value.
func (x naive) item(e *tree.Condition, v *datum) truth {
	out := x.positive(e, v)
	if e.InnerNot {
		return yes - out
	}
	return out
}

//every:condition twin
func (x naive) positive(e *tree.Condition, v *datum) truth {
	switch e.Op {
	case tree.IsNull:
		return truthOf(v == nil)
	case tree.BooleanColumn:
		if v == nil {
			return unknown
		}
		return truthOf(*v.truth)
	case tree.Compare:
		return compareNaive(e.Comparison, v, x.operand(e.Right[0]))
	case tree.Between:
		return min(compareNaive(value.Ge, v, x.operand(e.Right[0])), compareNaive(value.Le, v, x.operand(e.Right[1])))
	case tree.In:
		out := no
		for _, o := range e.Right {
			out = max(out, compareNaive(value.Eq, v, x.operand(o)))
		}
		return out
	case tree.Keys:
		out := no
		for _, k := range x.w.keys {
			out = max(out, compareNaive(value.Eq, v, k[0]), truthOf(alike(v, k[0])))
		}
		return out
	}
	if v == nil {
		return unknown
	}
	s := *v.text
	switch e.Op {
	case tree.Prefix:
		return truthOf(strings.HasPrefix(s, e.Text))
	case tree.Suffix:
		return truthOf(strings.HasSuffix(s, e.Text))
	case tree.Contains:
		return truthOf(strings.Contains(s, e.Text))
	case tree.Match:
		return truthOf(regexp.MustCompile(e.Text).MatchString(s))
	}
	return truthOf(likeNaive(decode(e.Text), decode(s), e.Escape))
}

// tuple evaluates InKeys of several columns.
func (x naive) tuple(e *tree.Condition) truth {
	row := []*datum{x.operand(e.Left)}
	for _, o := range e.Right {
		row = append(row, x.operand(o))
	}
	if slices.Contains(row, nil) {
		return unknown
	}
	for _, key := range x.w.keys {
		same := 0
		for i, v := range row {
			if compareNaive(value.Eq, v, key[i]) == yes || alike(v, key[i]) {
				same++
			}
		}
		if same == len(row) {
			return yes
		}
	}
	return no
}

// alike reports whether two numbers are 2^64 apart: InKeys takes the one from
// 2^63 on for the negative one.
func alike(v, k *datum) bool {
	if v == nil {
		return false
	}
	var whole [2]*big.Rat
	for i, d := range []*datum{v, k} {
		switch {
		case d.rat != nil:
			whole[i] = d.rat
		case d.float != nil && !math.IsInf(*d.float, 0) && !math.IsNaN(*d.float):
			whole[i] = new(big.Rat).SetFloat64(*d.float)
		default:
			return false
		}
	}
	apart := new(big.Rat).Sub(whole[0], whole[1])
	return apart.Abs(apart).Cmp(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 64))) == 0
}

// rune2 is a code point, or a byte that belongs to none.
type rune2 string

func decode(s string) (out []rune2) {
	for i, r := range s {
		n := len(string(r))
		if r == '\uFFFD' && !strings.HasPrefix(s[i:], "\uFFFD") {
			n = 1
		}
		out = append(out, rune2(s[i:i+n]))
	}
	return out
}

func likeNaive(p, s []rune2, escape rune) bool {
	if len(p) == 0 {
		return len(s) == 0
	}
	if escape != 0 && p[0] == rune2(string(escape)) && len(p) > 1 {
		return len(s) > 0 && s[0] == p[1] && likeNaive(p[2:], s[1:], escape)
	}
	switch p[0] {
	case "%":
		return likeNaive(p[1:], s, escape) || len(s) > 0 && likeNaive(p, s[1:], escape)
	case "_":
		return len(s) > 0 && likeNaive(p[1:], s[1:], escape)
	}
	return len(s) > 0 && s[0] == p[0] && likeNaive(p[1:], s[1:], escape)
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
		text := string(l.Number.AppendTo(nil))
		d := &datum{}
		d.rat, _ = new(big.Rat).SetString(text)
		if l.Number.Approx {
			if f, err := strconv.ParseFloat(text, 64); err == nil {
				d.float = &f
			}
		}
		return d
	}
	n := new(big.Rat).Mul(ratOf(l.Days), ratOf(value.NanosPerDay))
	return &datum{rat: n.Add(n, ratOf(l.Nanos))}
}

func compareNaive(c value.Comparison, a, b *datum) truth {
	if a == nil || b == nil {
		return unknown
	}
	o, comparable := orderNaive(a, b)
	if !comparable {
		return truthOf(c == value.Ne)
	}
	switch c {
	case value.Eq:
		return truthOf(o == 0)
	case value.Ne:
		return truthOf(o != 0)
	case value.Lt:
		return truthOf(o < 0)
	case value.Le:
		return truthOf(o <= 0)
	case value.Gt:
		return truthOf(o > 0)
	}
	return truthOf(o >= 0)
}

func orderNaive(a, b *datum) (int, bool) {
	switch {
	case a.text != nil:
		return bytes.Compare([]byte(*a.text), []byte(*b.text)), true
	case a.truth != nil:
		switch {
		case *a.truth == *b.truth:
			return 0, true
		case *a.truth:
			return 1, true
		}
		return -1, true
	case a.float != nil && a.rat == nil && b.float != nil: // a column of floats and what is a double
		return floats(*a.float, *b.float)
	case b.float != nil && b.rat == nil && a.float != nil:
		return floats(*a.float, *b.float)
	case a.rat != nil && b.rat != nil:
		return a.rat.Cmp(b.rat), true
	case a.rat != nil:
		o, ok := orderNaive(b, a)
		return -o, ok
	}
	// a is a float, b exact.
	f := *a.float
	switch {
	case math.IsNaN(f):
		return 0, false
	case math.IsInf(f, 1):
		return 1, true
	case math.IsInf(f, -1):
		return -1, true
	}
	return new(big.Rat).SetFloat64(f).Cmp(b.rat), true
}

func floats(a, b float64) (int, bool) {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return 0, false
	case a < b:
		return -1, true
	case a > b:
		return 1, true
	}
	return 0, true
}
