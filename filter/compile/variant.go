package compile

import (
	"math"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/variant"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// variantCondition is a condition on a value within a VARIANT, which is of another type in each row: for each type there
// is a test. It passes no row whose value is missing, a variant null, or of a type that has no test. Safe for concurrent use.
type variantCondition struct {
	condition tree.Condition
	when      passWhen // isTrue or isFalse
	anything  bool     // all values pass: it is IS NOT NULL
	tests     sync.Map // by vector.Type: a *slotTest, which is nil if no value of the type passes
	spare     sync.Pool
}

// variantPath returns the VARIANT that the path of a column enters, and how it goes on there; nil if it enters none.
func (b *binder) variantPath(o tree.Operand) (root *schema.Node, path []variant.Step) {
	if o.Literal != nil || b.schema == nil || len(o.Path) == 0 || b.isNullConstant(o.Path) {
		return nil, nil
	}
	b.namesInCase(&o)
	n, names := b.schema.Root(), o.Path
	if len(b.scopes) > 0 {
		s := b.scopes[len(b.scopes)-1]
		if names[0] != s.name {
			return nil, nil
		}
		n, names = s.item, names[1:]
	}
	keys := o.Field
	if o.Key != nil {
		keys = append([]*value.Literal{o.Key}, keys...)
	}
	for n.Type.Logical != vector.Variant {
		name := ""
		switch {
		case len(names) > 0:
			name, names = names[0], names[1:]
		case len(keys) > 0 && keys[0].Kind == value.LitString && n.Kind == schema.Struct:
			name, keys = keys[0].Text, keys[1:]
		default:
			return nil, nil
		}
		if _, n = b.below(n, name); n == nil {
			return nil, nil
		}
	}
	for _, name := range names {
		path = append(path, variant.Step{Name: name})
	}
	for _, l := range keys {
		step := variant.Step{Name: l.Text, IsItem: l.Kind == value.LitNumber}
		if step.IsItem {
			step.Item = positionOf(l)
		}
		path = append(path, step)
	}
	return n, path
}

// positionOf returns the position that a literal has in an array whose first item is 0, or is below 0 if it counts from the
// back; one that no array has where the literal is 0 or no integer.
func positionOf(l *value.Literal) int {
	const none = math.MaxInt32
	switch r := l.Number.Rat(); {
	case !r.IsInt() || r.Sign() == 0 || r.Num().BitLen() > 31:
		return none
	case r.Sign() > 0:
		return int(r.Num().Int64() - 1)
	default:
		return int(r.Num().Int64())
	}
}

// compileVariant compiles a condition on a value within a VARIANT, of which each place that may have it is tested:
//
//	v.a = 3, where a is shredded         v.typed_value.a.typed_value = 3
//	                                     OR v.typed_value.a.typed_value IS NULL AND v.typed_value.a.value IS NOT NULL AND (the binary there) = 3
//	                                     OR v.typed_value IS NULL AND v.value IS NOT NULL AND (a in the binary there) = 3
//
// So the shredded field prunes as any column, and what bounds prove of it counts only where the values are NULL.
func (b *binder) compileVariant(e *tree.Condition, w passWhen, root *schema.Node, path []variant.Step) *Node {
	o := &e.Left
	switch literals := !slices.ContainsFunc(e.Right, func(o tree.Operand) bool { return o.Literal == nil }); {
	case root.MaxRep > 0:
		return b.fail(o.At, o.PathText()+" is within a list: a path into a VARIANT there cannot be tested")
	case o.Quantifier != tree.NoQuantifier || o.Items != nil:
		return b.fail(o.At, o.PathText()+" is in a VARIANT: ANY, ALL and COUNT are for lists, of arrays name an item, as in v.a[1]")
	case e.Op == tree.Keys || e.Op == tree.Func || !literals || o.IsForwards():
		return b.fail(o.At, o.String()+" is in a VARIANT: it is compared with constants, as what functions and arithmetic with one constant return for it")
	case e.Op == tree.In && len(e.Right) == 0:
		return constantNode(e.InnerNot == w.passesTrue())
	case w.passesNull() && e.Op != tree.IsNull:
		return &Node{Op: OpComplement, Args: []*Node{b.compileVariant(e, w.complement(), root, path)}}
	}
	c := &variantCondition{condition: *e, when: w}
	if e.Op == tree.IsNull { // which is never NULL
		c.condition.InnerNot, c.when, c.anything = false, isFalse, len(o.Steps) == 0 && !o.Length
	}
	if err := c.check(); err != nil {
		return b.fail(err.Offset, err.Msg)
	}
	n := &Node{Op: OpOr}
	for _, p := range b.variantPlaces(root, root, path, o.At) {
		if arm := c.arm(p); arm != nil {
			n.Args = append(n.Args, arm)
		}
	}
	if e.Op == tree.IsNull && e.InnerNot != w.passesTrue() {
		return &Node{Op: OpComplement, Args: []*Node{n}}
	}
	return n
}

// arm returns the node of the rows that have a value that passes in a place; nil if none does.
func (c *variantCondition) arm(p *Place) *Node {
	tests := p.Tests
	switch isValue, compares := p.Node.Kind == schema.Leaf, !c.anything; {
	case p.isTyped:
		t := c.test(p.Node.Type)
		if t == nil {
			return nil
		}
		return &Node{Op: OpTest, Test: &Test{Leaf: p.Node, slot: *t}}
	case isValue || len(p.rest) > 0:
		tests = append(slices.Clip(tests), c.computed(p))
	case compares: // objects and arrays have no order, and no text
		return nil
	}
	return &Node{Op: OpAnd, InOrder: true, Args: tests}
}

// Place is a part of a VARIANT that may have the value at a path, of the rows that pass all tests.
type Place struct {
	Tests    []*Node        // of NULL
	Node     *schema.Node   // what is read: a typed_value, a field value, or all of a group
	Metadata *schema.Node   // is read, too, unless it is nil
	isTyped  bool           // Node is a typed_value that is a leaf
	root     *schema.Node   // the VARIANT
	rest     []variant.Step // from Node to the value
}

// variantPlaces returns the places below a group, the VARIANT or a shredded field, that may have the value at a path. Of
// each row one at most has it. The first place is the innermost one.
func (b *binder) variantPlaces(root, group *schema.Node, path []variant.Step, at int) (places []*Place) {
	val, typed := b.variantParts(group, root, at)
	if b.err != nil {
		return nil
	}
	metadata := root.Children[childNamed(root, "metadata")]
	var leaf *schema.Node // whose levels say where typed_value is NULL; nil: it has no such part
	if typed != nil {
		leaf = typed.Shallowest()
	}
	switch field := shreddedField(typed, path); {
	case leaf == nil:
	case field != nil:
		if places = b.variantPlaces(root, field, path[1:], at); len(places) > 0 { // this one is read in any case
			leaf = places[0].Node.Shallowest()
		}
	case len(path) > 0 && (typed.Kind != schema.List || !path[0].IsItem):
		leaf = nil
	default:
		p := &Place{Node: group, root: root, rest: path}
		if typed.Kind == schema.Leaf {
			p.Node, p.isTyped = typed, true
		} else if group != root {
			p.Metadata = metadata
		}
		if typed.MaxDef > 0 {
			p.Tests = []*Node{b.nullAbove(leaf, typed.MaxDef, false)}
		}
		places = []*Place{p}
	}
	if val != nil && (leaf == nil || typed.MaxDef > 0) {
		p := &Place{Node: val, Metadata: metadata, root: root, rest: path}
		if leaf != nil { // what typed_value has is not in value
			p.Tests = append(p.Tests, b.nullAbove(leaf, typed.MaxDef, true))
		}
		if val.MaxDef > 0 {
			p.Tests = append(p.Tests, b.nullAbove(val, val.MaxDef, false))
		}
		places = append(places, p)
	}
	return places
}

// shreddedField returns the field of a typed_value, an object, that a path goes on to; nil if there is none.
func shreddedField(typed *schema.Node, path []variant.Step) *schema.Node {
	if typed != nil && typed.Kind == schema.Struct && len(path) > 0 && !path[0].IsItem {
		if i := childNamed(typed, path[0].Name); i >= 0 {
			return typed.Children[i]
		}
	}
	return nil
}

// variantParts returns value and typed_value of a group, nil where there is none.
func (b *binder) variantParts(group, root *schema.Node, at int) (val, typed *schema.Node) {
	for _, child := range group.Children {
		switch binary := child.Kind == schema.Leaf && child.Type.Physical == vector.ByteArray; {
		case child.Repetition != schema.Repeated && child.Name == "value" && binary:
			val = child
		case child.Repetition != schema.Repeated && child.Name == "typed_value":
			typed = child
		case group != root || child.Name != "metadata":
			b.fail(at, group.String()+" has a field "+child.Name+" that a VARIANT does not have")
		}
	}
	return val, typed
}

// check returns an error if values of no type can be tested.
func (c *variantCondition) check() (fault *filter.Error) {
	for kind := variant.True; kind < variant.Array; kind++ {
		if c.anything || c.test(variantTypes[kind]) != nil {
			return nil
		}
	}
	_, fault = c.compile(variantTypes[variant.String])
	return fault
}

// test returns the test of the values of a type, made once; nil if none of them passes.
func (c *variantCondition) test(t vector.Type) *slotTest {
	known, ok := c.tests.Load(t)
	if !ok {
		test, _ := c.compile(t)
		known, _ = c.tests.LoadOrStore(t, test)
	}
	return known.(*slotTest)
}

// compile compiles the condition for values of a type.
func (c *variantCondition) compile(t vector.Type) (*slotTest, *filter.Error) {
	b, e := &binder{}, c.condition
	s := source{Operand: e.Left, domain: value.DomainOf(t)}
	if s.Length {
		s.lengthOfText()
	}
	if !b.bindValue(&s) {
		return nil, b.err
	}
	if len(s.Steps) == 0 {
		e.Right = b.literalsFor(&s, e.Right)
	}
	of, opposite, ok := b.compileTest(&e, &s)
	if !ok {
		return nil, b.err
	}
	if e.InnerNot == (c.when == isTrue) {
		of = opposite
	}
	of = s.before(of)
	return &of, nil
}

// literalsFor returns the literals in right, which give a value that is not cast its type: those of other types are NULL. It
// fails where there are no others.
func (b *binder) literalsFor(s *source, right []tree.Operand) []tree.Operand {
	out, fits := slices.Clone(right), len(right) == 0
	fault := ""
	for i := range out {
		l := out[i].Literal
		why := ""
		switch family, plain := value.FamilyOf(s.domain), s.domain.Type.Logical == vector.None; {
		case l.Kind == value.LitNull:
		case l.Kind == value.LitString && (plain || family != value.ByteStrings && family != value.UUIDs),
			l.Kind == value.LitBinary && !plain, l.Kind == value.LitNumber && family == value.Booleans: // which columns take for values of theirs
			why = "is no " + l.Kind.String()[2:] + ": it is " + s.domain.Type.String()
		default:
			_, why = s.compareWith(value.Eq, l)
		}
		if why != "" && l.Kind != value.LitBad {
			fault, out[i].Literal = why, &value.Literal{}
			continue
		}
		fits = true
	}
	if !fits {
		b.fail(s.At, s.fault(fault))
	}
	return out
}
