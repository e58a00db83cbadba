package filter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
)

// Constants are columns that have the same value in all rows of a file:
// those that the file lacks, and those that its path tells. Each is a vector
// of one slot (or none, for NULL), by the column's path as schema.FormatPath writes it. They go
// before the file's own columns. Those that are no leaves are NULL.
type Constants map[string]*vector.Vector

// Bind makes a program of an expression for files of a schema. An error is an
// *Error; its Offset is in the text that e was parsed from, if it was.
func Bind(e *Expr, s *schema.Schema, constants Constants) (*Program, error) {
	return BindNamed(e, s, nil, constants)
}

// Names are what a host calls columns of a file, by the node that they are below: the
// schema's root, a struct, the item of a list. They go before the file's own names.
type Names map[*schema.Node]map[string]*schema.Node

// Below returns what a host calls by a name below a node, or below its items; nil if
// it calls nothing so.
func (names Names) Below(n *schema.Node, name string) *schema.Node {
	for len(names) > 0 {
		if c := names[n][name]; c != nil {
			return c
		}
		if n.Kind != schema.List || n.Item() == nil {
			break
		}
		n = n.Item()
	}
	return nil
}

// BindNamed is Bind for expressions that name columns as a host does.
func BindNamed(e *Expr, s *schema.Schema, names Names, constants Constants) (*Program, error) {
	b := &binder{schema: s, names: names, constants: constants}
	n := b.compile(e, isTrue)
	if b.err != nil {
		return nil, b.err
	}
	return &Program{Root: b.finish(n)}, nil
}

// Long reports whether Bind may take as long as a millisecond: e has a thousand
// conditions and values, or texts as long as that.
func (e *Expr) Long() bool { return e.weigh(1000) <= 0 }

// weigh returns what is left of a weight without e's, or nothing once none is left.
func (e *Expr) weigh(left int) int {
	if e == nil || left <= 0 {
		return left
	}
	left -= 1 + len(e.text)/64
	for i := range e.right {
		if left--; left <= 0 {
			return left
		}
		if l := e.right[i].lit; l != nil {
			left -= len(l.s) / 64
		}
	}
	for _, a := range e.args {
		left = a.weigh(left)
	}
	return left
}

type binder struct {
	schema    *schema.Schema
	names     Names
	constants Constants
	domains   map[*schema.Node]*domain
	partial   bool // nothing is known but constants: what asks else is left open
	depth     int
	err       *Error // the first
}

func (b *binder) fail(at int, msg string) *Node {
	if b.err == nil {
		b.err = &Error{Offset: at, Msg: msg}
	}
	return &Node{}
}

// lack is fail where a column, or a field of one, is not there.
func (b *binder) lack(at int, msg string) {
	if b.err == nil {
		b.err = &Error{Offset: at, Msg: msg, noColumn: true}
	}
}

// want is what a condition is asked for. NOT only swaps it, down to the leaves.
type want uint8

const (
	isTrue want = iota
	isFalse
	notTrue  // FALSE or NULL
	notFalse // TRUE or NULL
)

// not is what NOT e is asked for when e is asked for w.
func (w want) not() want { return [...]want{isFalse, isTrue, notFalse, notTrue}[w] }

// unless is what is left of the rows when those that are as wanted are gone.
func (w want) unless() want { return [...]want{notTrue, notFalse, isTrue, isFalse}[w] }

// null reports whether NULL is wanted.
func (w want) null() bool { return w == notTrue || w == notFalse }

// truth reports whether TRUE is wanted, else FALSE is.
func (w want) truth() bool { return w == isTrue || w == notFalse }

//every:condition bind
func (b *binder) compile(e *Expr, w want) *Node {
	if e == nil {
		return settled(w.truth())
	}
	if b.depth++; b.depth > 2*MaxDepth {
		return b.fail(e.at, "conditions nest more than "+strconv.Itoa(MaxDepth)+" deep")
	}
	defer func() { b.depth-- }()
	if e.not && e.op == opIs {
		w = w.not()
	}
	switch e.op {
	case opAnd, opOr:
		// NOT (a AND b) is NOT a OR NOT b.
		n := &Node{Op: OpOr}
		if (e.op == opAnd) == w.truth() {
			n.Op = OpAnd
		}
		for _, a := range e.args {
			n.Args = append(n.Args, b.compile(a, w))
		}
		return n
	case opNot:
		return b.compile(e.args[0], w.not())
	case opIs: // TRUE or FALSE, never NULL
		inner := isTrue
		if !e.is {
			inner = isFalse
		}
		if !w.truth() {
			inner = inner.unless()
		}
		return b.compile(e.args[0], inner)
	case opConst:
		if e.left.lit.kind == litNull {
			return settled(w.null())
		}
		return settled(e.left.lit.b == w.truth())
	}
	if b.partial && !b.isConstant(e) {
		return &Node{Op: OpCompute}
	}
	if e.op == opFunc {
		return b.function(e, w)
	}
	return b.leaf(e, w)
}

func settled(pass bool) *Node {
	if pass {
		return &Node{Op: OpTrue}
	}
	return &Node{}
}

// source is an operand that has been found.
type source struct {
	operand
	node     *schema.Node   // nil for constants
	constant *vector.Vector // of one slot
	leaf     *schema.Node   // whose values are compared; nil for lengths
	steps    []int          // of the field of a map's value: the child of each struct
	of       *domain
	list     int // quantified: the level below which the list is NULL; 0: it never is
}

// find looks an operand up.
func (b *binder) find(o operand) (source, bool) {
	s := source{operand: o}
	if o.lit != nil {
		msg := "a column is expected, not " + o.lit.kind.String()
		if o.lit.kind == litBad {
			msg = o.lit.s
		}
		b.fail(o.at, msg)
		return s, false
	}
	if len(b.constants) > 0 {
		if c, ok := b.constants[schema.FormatPath(o.path)]; ok && o.quant == one && o.key == nil && !o.size && c.Layout == vector.Leaf {
			s.constant, s.of = c, domainOf(c.Type)
			return s, true
		}
		if b.lacks(o.path) {
			null := vector.Type{Physical: vector.Int32, Logical: vector.Null}
			s.constant, s.of = &vector.Vector{Type: null}, domainOf(null)
			return s, true
		}
	}
	if s.node = b.lookup(o); s.node == nil {
		return s, false
	}
	fault := ""
	switch {
	case o.size:
		fault = s.bindLength()
	case o.key != nil:
		if fault = s.bindValue(); fault == "" && !b.bindField(&s) {
			return s, false
		}
	case o.quant != one:
		fault = s.bindItems()
	}
	if fault != "" {
		b.fail(o.at, fault)
		return s, false
	}
	return s, true
}

// lacks reports whether a path is that of a struct, list or map that is NULL in all
// rows, or leads into such a list or map.
func (b *binder) lacks(path []string) bool {
	for i := range path {
		c := b.constants[schema.FormatPath(path[:i+1])]
		if c != nil && c.Layout != vector.Leaf && (i == len(path)-1 || c.Layout != vector.Struct) {
			return true
		}
	}
	return false
}

// scalar finds an operand that is one value for each row, or for each item of
// a list.
func (b *binder) scalar(o operand) (source, bool) {
	s, ok := b.find(o)
	if !ok || s.of != nil {
		return s, ok
	}
	n := s.node
	if s.leaf == nil {
		switch {
		case s.key != nil:
			b.fail(o.at, s.describe()+" is no single value: name one of its fields")
			return s, false
		case n.IsBare() || n.Kind == schema.List:
			b.fail(o.at, o.pathText()+" is a list: say ANY("+o.pathText()+") or ALL("+o.pathText()+")")
			return s, false
		case n.Kind == schema.Map:
			b.fail(o.at, o.pathText()+" is a map: say "+o.pathText()+"['key']")
			return s, false
		case n.Kind == schema.Struct:
			b.fail(o.at, o.pathText()+" is a struct: name one of its fields")
			return s, false
		case n.MaxRep > 0:
			b.fail(o.at, o.pathText()+" is within a list: say ANY("+o.pathText()+") or ALL("+o.pathText()+")")
			return s, false
		}
		s.leaf = n
	}
	s.of = b.domain(s.leaf)
	return s, true
}

func (b *binder) domain(leaf *schema.Node) *domain {
	d := b.domains[leaf]
	if d == nil {
		if b.domains == nil {
			b.domains = map[*schema.Node]*domain{}
		}
		d = domainOf(leaf.Type)
		b.domains[leaf] = d
	}
	return d
}

func (s *source) bindLength() string {
	n := s.node
	if n.MaxRep > 1 || n.MaxRep == 1 && !n.IsBare() {
		return s.pathText() + " is within a list"
	}
	if !n.IsBare() && n.Kind != schema.List && n.Kind != schema.Map {
		return s.pathText() + " is no list and has no length"
	}
	s.of = domainOf(vector.Type{Physical: vector.Int64})
	return ""
}

func (s *source) bindValue() string {
	n := s.node
	switch {
	case n.Kind != schema.Map:
		return s.pathText() + " is no map and has no keys"
	case n.MaxRep > 0:
		return s.pathText() + " is within a list"
	case n.Key().Kind != schema.Leaf || n.Key().MaxRep != n.Children[0].MaxRep:
		return s.pathText() + " has keys that are no single values"
	case n.Value() == nil:
		return s.pathText() + " has no values"
	}
	return ""
}

// bindField finds the field of a map's value.
func (b *binder) bindField(s *source) bool {
	v := s.node.Value()
	for i, name := range s.field {
		at := -1
		if v.Kind == schema.Struct && !v.IsBare() {
			at = slices.IndexFunc(v.Children, func(c *schema.Node) bool { return c.Name == name })
		}
		if at < 0 {
			text := s.pathText() + " has values without " + schema.FormatPath(s.field[:i+1])
			if near := closest(v, name); near != "" {
				text += "; there is " + schema.FormatPath(append(append([]string{}, s.field[:i]...), near))
			}
			b.lack(s.at, text)
			return false
		}
		s.steps = append(s.steps, at)
		v = v.Children[at]
	}
	if v.Kind == schema.Leaf && !v.IsBare() {
		s.leaf = v
	}
	return true
}

func (s *source) bindItems() string {
	n := s.node
	for n.Kind == schema.List {
		n = n.Item()
	}
	switch {
	case n.Kind != schema.Leaf:
		return "the items of " + s.pathText() + " are no single values: name one of their fields"
	case n.MaxRep == 0:
		return s.pathText() + " is not in a list: leave ANY and ALL out"
	}
	s.leaf = n
	for ; n.MaxRep > 0; n = n.Parent {
		if n.Repetition == schema.Repeated {
			s.list = n.MaxDef - 1
		}
	}
	return ""
}

// lookup returns the node at a path. The item of a list need not be named.
func (b *binder) lookup(o operand) *schema.Node {
	n := b.schema.Root()
	for i, name := range o.path {
		next := b.below(n, name)
		for next == nil && n.Kind == schema.List && n.Item() != nil && len(n.Item().Children) > 0 {
			n = n.Item()
			next = b.below(n, name)
		}
		if next == nil {
			msg := "no column " + schema.FormatPath(o.path[:i+1])
			if s := closest(n, name); s != "" {
				msg += "; there is " + schema.FormatPath(append(append([]string{}, o.path[:i]...), s))
			} else if o.quoted && len(o.path) == 1 {
				msg += "; a string stands in single quotes"
			}
			b.lack(o.at, msg)
			return nil
		}
		n = next
	}
	return n
}

func (b *binder) below(n *schema.Node, name string) *schema.Node {
	if c := b.names.Below(n, name); c != nil {
		return c
	}
	return b.schema.Find(append(n.Path(), name)...)
}

// closest returns the child whose name is most like a name, "" if none is.
func closest(n *schema.Node, name string) string {
	if n.Kind == schema.Map || n.Kind == schema.List && n.Rule == 5 {
		n = n.Children[0]
	}
	const most, many = 64, 10_000 // names are as long, and as many, as a hostile file likes
	if len(name) > most || len(n.Children) > many {
		return ""
	}
	best, found := 1+len(name)/3, ""
	lower := strings.ToLower(name)
	for _, c := range n.Children {
		if len(c.Name) > most {
			continue
		}
		if d := distance(lower, strings.ToLower(c.Name)); d <= best && (found == "" || d < best) {
			best, found = d, c.Name
		}
	}
	return found
}

// distance returns how many bytes have to be changed, added or left out.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := last
			if a[i] != b[j] {
				change++
			}
			last = row[j+1]
			row[j+1] = min(change, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
