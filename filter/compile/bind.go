package compile

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Bind compiles an expression to a program for files of a schema. An error is an
// *Error. Its Offset refers to the text that e was parsed from, if any.
func Bind(e *filter.Expr, s *schema.Schema, constants filter.Constants) (*Program, error) {
	return BindNamed(e, s, nil, constants)
}

// BindNamed is Bind for expressions that use a host's names of columns.
func BindNamed(e *filter.Expr, s *schema.Schema, names Names, constants filter.Constants) (*Program, error) {
	b := &binder{schema: s, names: names, constants: constants}
	n := b.compile(treeOf(e), isTrue)
	if b.err != nil {
		return nil, b.err
	}
	return &Program{Root: b.lower(b.simplify(n))}, nil
}

// Long reports whether Bind may take a millisecond or more: e has a thousand
// conditions and values, or texts of comparable length.
func Long(e *filter.Expr) bool { return treeOf(e).WeightLeft(1000) <= 0 }

func treeOf(e *filter.Expr) *tree.Condition { return (*tree.Expr)(e).Condition() }

type binder struct {
	schema    *schema.Schema // nil: no file is known, see Excludes
	names     Names
	constants filter.Constants
	domains   map[*schema.Node]*value.Domain
	scopes    []scope
	table     *tree.Table // nil: columns have the file's types, see InTable
	anyCase   bool        // names of the condition that is compiled may be in another case, see AnyCase
	depth     int
	err       *filter.Error // the first
}

// fail records the first error. It returns a node, so that callers can return it.
func (b *binder) fail(at int, msg string) *Node {
	if b.err == nil {
		b.err = &filter.Error{Offset: at, Msg: msg}
	}
	return &Node{}
}

// failNoColumn is fail for an error that schema.ErrNoColumn matches: a column, or a
// field of one, does not exist.
func (b *binder) failNoColumn(at int, msg string) {
	if b.err == nil {
		b.err = &filter.Error{Offset: at, Msg: msg, Err: schema.ErrNoColumn}
	}
}

// passWhen says for which values of a condition a row passes. NOT only swaps it, so
// that negation and NULL are resolved at the leaves.
type passWhen uint8

const (
	isTrue passWhen = iota
	isFalse
	notTrue  // FALSE or NULL
	notFalse // TRUE or NULL
)

// negated returns the values of e for which NOT e is one of w.
func (w passWhen) negated() passWhen { return [...]passWhen{isFalse, isTrue, notFalse, notTrue}[w] }

// complement returns the values that are not in w.
func (w passWhen) complement() passWhen { return [...]passWhen{notTrue, notFalse, isTrue, isFalse}[w] }

// passesNull reports whether rows pass where the condition is NULL.
func (w passWhen) passesNull() bool { return w == notTrue || w == notFalse }

// passesTrue reports whether rows pass where the condition is TRUE. If not, they
// pass where it is FALSE.
func (w passWhen) passesTrue() bool { return w == isTrue || w == notFalse }

// textOf returns the condition that is TRUE where e is one of w, as the parser reads it.
func (w passWhen) textOf(e *tree.Condition) string {
	text := e.String()
	return [...]string{text, "NOT (" + text + ")", "(" + text + ") IS NOT TRUE", "(" + text + ") IS NOT FALSE"}[w]
}

// compile returns the node of the rows for which e is one of w.
//
//every:condition bind
func (b *binder) compile(e *tree.Condition, w passWhen) *Node {
	if b.depth++; b.depth > 2*tree.MaxDepth {
		return b.fail(e.At, "conditions nest more than "+strconv.Itoa(tree.MaxDepth)+" deep")
	}
	defer func(anyCase bool, table *tree.Table) { b.depth, b.anyCase, b.table = b.depth-1, anyCase, table }(b.anyCase, b.table)
	b.anyCase, b.table = b.anyCase || e.AnyCase, cmp.Or(e.Table, b.table)
	if e.InnerNot && e.Op == tree.Is {
		w = w.negated()
	}
	switch e.Op {
	case tree.And, tree.Or:
		// NOT (a AND b) is NOT a OR NOT b.
		n := &Node{Op: OpOr}
		if (e.Op == tree.And) == w.passesTrue() {
			n.Op = OpAnd
		}
		for _, a := range e.Args {
			n.Args = append(n.Args, b.compile(a, w))
		}
		return n
	case tree.Not:
		return b.compile(e.Args[0], w.negated())
	case tree.Is: // TRUE or FALSE, never NULL
		inner := isTrue
		if !e.Truth {
			inner = isFalse
		}
		if !w.passesTrue() {
			inner = inner.complement()
		}
		return b.compile(e.Args[0], inner)
	case tree.Constant:
		if e.Left.Literal.Kind == value.LitNull {
			return constantNode(w.passesNull())
		}
		return constantNode(e.Left.Literal.Truth == w.passesTrue())
	}
	n := b.compileLeaf(e, w)
	if b.isOpen() {
		return &Node{Op: OpCompute}
	}
	return n
}

// constantNode returns the node that all rows pass, or none.
func constantNode(pass bool) *Node {
	if pass {
		return &Node{Op: OpTrue}
	}
	return &Node{}
}

// source is an operand bound to a column of the file, or to a constant.
type source struct {
	tree.Operand
	node          *schema.Node   // nil for constants
	constant      *vector.Scalar // of one slot
	leaf          *schema.Node   // the leaf whose values are compared; nil for lengths
	fieldIndexes  []int          // path to a field of a map's value: the index of a child in each struct
	domain        *value.Domain
	functions     []function.Call // run on the values before all else; the first one may make them those of a wider type
	runs          []tree.Step     // what the text has for them
	growth        int             // how many times as long as a value their results may be; 0 without functions
	items         *Items          // of a COUNT, which is the value
	computed      *comparison     // the value is its input of a number
	input         int
	base          *value.Domain // of the values before functions; nil without any
	chain         *value.Chain  // arithmetic on the values; nil: none
	nullListLevel int           // for ANY and ALL: the definition level below which the list is NULL; 0: never
}

// find binds an operand. ok is false after an error.
func (b *binder) find(o tree.Operand) (source, bool) {
	b.namesInCase(&o)
	s, fault := source{Operand: o}, ""
	variant, steps := b.variantPath(o)
	switch beside := o.Quantifier != tree.NoQuantifier || o.Key != nil; {
	case o.Literal != nil && o.Literal.Kind == value.LitBad:
		fault = o.Literal.Text
	case o.Literal != nil:
		fault = "a column is expected, not " + o.Literal.Kind.String()
	case o.IsForwards():
		fault = "a column is expected, not the calculation " + o.String()
	case o.Length && beside: // a text cannot say it
		fault = "Length of " + o.PathText() + " stands in front of Any, All or Key: it comes behind them"
	case variant != nil && len(steps) > 0:
		fault = o.PathText() + " is in a VARIANT: it is compared with constants alone"
	case o.Items != nil && beside:
		fault = "Any, All and Key are for columns, not for conditions on items"
	}
	switch {
	case fault != "":
		b.fail(o.At, fault)
		return s, false
	case o.Items != nil:
		s.items, s.domain = b.bindItemsOf(&o, isTrue), value.DomainOf(vector.Type{Physical: vector.Int64})
		return s, b.err == nil
	}
	if len(b.constants) > 0 && len(b.scopes) == 0 {
		c, ok := b.constants[schema.FormatPath(o.Path)]
		if ok = ok && o.Quantifier == tree.NoQuantifier && o.Key == nil && c.Layout() == vector.Leaf; !ok && b.isNullConstant(o.Path) {
			c, ok = vector.NullOf(vector.Type{Physical: vector.Int32, Logical: vector.Null}), true
		}
		if ok {
			if s.constant, s.domain = &c, value.DomainOf(c.Type()); o.Length {
				s.lengthOfText()
			}
			return s, true
		}
	}
	if s.node = b.lookup(o); s.node == nil {
		return s, false
	}
	if name := o.Key; name != nil && name.Kind == value.LitString && s.node.Kind == schema.Struct { // st['a'].b is st.a.b
		return b.find(named(o))
	}
	switch {
	case o.Length && s.node.Kind == schema.Leaf && !b.isBareList(s.node) && function.Texts.Has(b.domain(s.node)):
		s.lengthOfText()
	case o.Length:
		fault = s.bindLength()
	case o.Key != nil:
		if fault = s.bindKey(); fault == "" && !b.bindField(&s) {
			return s, false
		}
	case o.Quantifier != tree.NoQuantifier:
		fault = s.bindItems()
	}
	if fault != "" {
		b.fail(o.At, fault)
		return s, false
	}
	return s, true
}

// named returns an operand whose key, and the names below it, are part of its path.
func named(o tree.Operand) tree.Operand {
	o.Path = slices.Clone(o.Path)
	for o.Key != nil && o.Key.Kind == value.LitString {
		o.Path = append(o.Path, o.Key.Text)
		if o.Key = nil; len(o.Field) > 0 {
			o.Key, o.Field = o.Field[0], o.Field[1:]
		}
	}
	return o
}

// isNullConstant reports whether a path names a struct, list or map that is a
// constant, hence NULL, or leads into such a list or map.
func (b *binder) isNullConstant(path []string) bool {
	for i := range path {
		c := b.constants[schema.FormatPath(path[:i+1])]
		if c.Layout() != vector.Leaf && (i == len(path)-1 || c.Layout() != vector.Struct || c.Type().Logical == vector.Variant) {
			return true
		}
	}
	return false
}

// findScalar binds an operand that has one value for each row, or for each item of
// a list, with what is done with the values.
func (b *binder) findScalar(o tree.Operand) (source, bool) {
	s, ok := b.find(o)
	ok = ok && b.bindValue(&s)
	return s, ok
}

// bindValue binds the value of an operand that is found, and what is done with it.
func (b *binder) bindValue(s *source) bool {
	if s.domain != nil {
		return len(s.Steps) == 0 || b.bindSteps(s)
	}
	n := s.node
	if s.leaf == nil {
		fault, path := "", s.PathText()
		switch {
		case s.Key != nil:
			fault = s.String() + " is no single value: name one of its fields"
		case b.isBareList(n) || n.Kind == schema.List:
			fault = path + " is a list: say ANY(" + path + ") or ALL(" + path + ")"
		case n.Kind == schema.Map:
			fault = path + " is a map: say " + path + "['key']"
		case n.Kind == schema.Struct:
			fault = path + " is a struct: name one of its fields"
		case n.MaxRep > b.rep():
			fault = path + " is within a list: say ANY(" + path + ") or ALL(" + path + ")"
		}
		if fault != "" {
			b.fail(s.At, fault)
			return false
		}
		s.leaf = n
	}
	s.domain = b.domain(s.leaf)
	b.widen(s)
	return len(s.Steps) == 0 || b.bindSteps(s)
}

// widen makes the values of a leaf those of the table's type, where that is wider. Texts need no other domain.
func (b *binder) widen(s *source) bool {
	if b.table == nil || s.domain.Kind == value.OfUnknown || function.Texts.Has(s.domain) {
		return false
	}
	t, ok := b.table.Types[s.leaf.String()]
	if ok {
		s.base, s.domain = s.domain, value.DomainOf(t)
		s.functions = append(s.functions, function.Widening(s.base, s.domain, b.table.Widen))
	}
	return ok
}

// domain returns the domain of a leaf, made once.
func (b *binder) domain(leaf *schema.Node) *value.Domain {
	d := b.domains[leaf]
	if d == nil {
		if b.domains == nil {
			b.domains = map[*schema.Node]*value.Domain{}
		}
		d = value.DomainOf(leaf.Type)
		b.domains[leaf] = d
	}
	return d
}

// lengthOfText makes length(path), of a string, a function of the string.
func (s *source) lengthOfText() {
	s.Length = false
	s.Steps = append([]tree.Step{{Op: tree.Call, Function: function.Named("length"), At: s.At}}, s.Steps...)
}

// bindLength binds length(path), of a list or map. It returns an error's text, else "".
func (s *source) bindLength() string {
	n := s.node
	if n.MaxRep > 1 || n.MaxRep == 1 && !n.IsBare() {
		return s.PathText() + " is within a list"
	}
	if !n.IsBare() && n.Kind != schema.List && n.Kind != schema.Map {
		return s.PathText() + " is no string, list or map and has no length"
	}
	s.domain = value.DomainOf(vector.Type{Physical: vector.Int64})
	return ""
}

// bindKey binds path['key'], and path[1] of a list. It returns an error's text, else "".
func (s *source) bindKey() string {
	n := s.node
	index := n.Kind == schema.List && s.Key.Kind == value.LitNumber && s.Key.Number.Rat().IsInt()
	switch {
	case n.Kind == schema.Struct:
		return s.PathText() + " is no map and has no keys; its fields are behind a dot"
	case n.Kind != schema.Map && !index:
		return s.PathText() + " is no map and has no keys"
	case n.MaxRep > 0:
		return s.PathText() + " is within a list"
	case index:
	case n.Key().Kind != schema.Leaf || n.Key().MaxRep != n.Children[0].MaxRep:
		return s.PathText() + " has keys that are no single values"
	case n.Value() == nil:
		return s.PathText() + " has no values"
	}
	return ""
}

// bindField binds the path of a field within a map's value.
func (b *binder) bindField(s *source) bool {
	v := s.node.Value()
	if s.node.Kind == schema.List {
		v = s.node.Item()
	}
	var path []string
	for _, l := range s.Field {
		name, at := l.Text, -1
		if path = append(path, name); l.Kind != value.LitString {
			b.fail(s.At, s.PathText()+" has items behind one position only")
			return false
		}
		if v.Kind == schema.Struct && !v.IsBare() {
			at = childNamed(v, name)
		}
		if at < 0 {
			b.failNoColumn(s.At, s.PathText()+" has values without "+schema.FormatPath(path)+ThereIs(v, name, path[:len(path)-1]))
			return false
		}
		s.fieldIndexes = append(s.fieldIndexes, at)
		v = v.Children[at]
	}
	if v.Kind == schema.Leaf && !v.IsBare() {
		s.leaf = v
	}
	return true
}

// bindItems binds ANY(path) and ALL(path). It returns an error's text, else "".
func (s *source) bindItems() string {
	n := s.node
	for n.Kind == schema.List {
		n = n.Item()
	}
	switch {
	case n.Kind != schema.Leaf:
		return "the items of " + s.PathText() + " are no single values: name one of their fields"
	case n.MaxRep == 0:
		return s.PathText() + " is not in a list: ANY, ALL and list_contains are for the items of lists"
	}
	s.leaf = n
	for ; n.MaxRep > 0; n = n.Parent {
		if n.Repetition == schema.Repeated {
			s.nullListLevel = n.MaxDef - 1
		}
	}
	return ""
}

// lookup returns the node at a path, nil after an error. A path may leave out the
// item of a list.
func (b *binder) lookup(o tree.Operand) *schema.Node {
	if b.schema == nil {
		b.failNoColumn(o.At, "no file")
		return nil
	}
	n, path := b.schema.Root(), o.Path
	if len(b.scopes) > 0 {
		if fault := b.checkScope(&o); fault != "" {
			b.fail(o.At, fault)
			return nil
		}
		n, path = b.scopes[len(b.scopes)-1].item, path[1:]
	}
	for i, name := range path {
		i += len(o.Path) - len(path)
		var next *schema.Node
		if n, next = b.below(n, name); next == nil {
			msg := "no column " + schema.FormatPath(o.Path[:i+1])
			if dotted := b.dottedName(n, o.Path[i:]); dotted != "" {
				msg += "; there is " + schema.FormatPath(append(slices.Clone(o.Path[:i]), dotted)) + ", in double quotes"
			} else if like := ThereIs(n, name, o.Path[:i]); like != "" {
				msg += like
			} else if o.Quoted && len(o.Path) == 1 {
				msg += "; a string stands in single quotes"
			} else if n.Kind == schema.Map && n.MaxRep == 0 {
				msg += "; a value is " + n.String() + "['key']"
			}
			b.failNoColumn(o.At, msg)
			return nil
		}
		n = next
	}
	return n
}

// Excludes reports whether constants alone prove that no row of a file passes e.
// Conditions on other columns are taken as undecided, so that the file need not be
// opened. An error is one that Bind would return too.
func Excludes(e *filter.Expr, constants filter.Constants) (bool, error) {
	b := &binder{constants: constants}
	n := b.compile(treeOf(e), isTrue)
	if b.err != nil {
		return false, b.err
	}
	return b.simplify(n).Op == OpFalse, nil
}

// isOpen reports whether a condition failed because it is on a column whose file is not known. It
// drops the error: the condition may be TRUE or not.
func (b *binder) isOpen() bool {
	if b.schema != nil || b.err == nil || b.err.Err == nil {
		return false
	}
	b.err = nil
	return true
}
