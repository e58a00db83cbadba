package compile

import (
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/filter/internal/value"
)

// Compute is a test of rows that needs vectors, where no Test of one leaf will do:
// a comparison of columns, values of maps, lengths of lists, a caller's function.
// It is safe for concurrent use.
type Compute struct {
	// Needs are the nodes of the schema whose vectors Filter takes, each once. None
	// lies within a list, so that each vector has one slot for each row.
	Needs []Need

	filter func(columns []*vector.Vector, n int, sel []uint64) error
	text   func() string
	judge  func(bounds func(leaf *schema.Node) *Bounds) Verdict // nil if bounds decide nothing
}

// Need is a node whose vector a Compute takes.
type Need struct {
	Node    *schema.Node
	Lengths bool // of a list or map only validity and lengths are read, not the items
}

// Filter clears the bits of sel for those of the n rows that do not pass. columns
// has a vector for each of Needs, complete: structs with all fields, maps with keys
// and values. Filter may change their form, such as flatten them, but keeps neither
// slice. An error is a Function's; sel is undefined then.
func (c *Compute) Filter(sel []uint64, n int, columns []*vector.Vector) error {
	return c.filter(columns, n, sel)
}

// node returns the node of the rows that pass a filter on Needs: a constant one if there are
// none, because all operands are constants.
func (c *Compute) node(filter func(columns []*vector.Vector, n int, sel []uint64)) *Node {
	if len(c.Needs) == 0 {
		sel := []uint64{1}
		filter(nil, 1, sel)
		return constantNode(sel[0] != 0)
	}
	c.filter = func(columns []*vector.Vector, n int, sel []uint64) error {
		filter(columns, n, sel)
		return nil
	}
	return &Node{Op: OpCompute, Compute: c}
}

// need adds a node to Needs, unless it is there, and returns its index.
func (c *Compute) need(node *schema.Node, lengths bool) int {
	if i := slices.IndexFunc(c.Needs, func(n Need) bool { return n.Node == node }); i >= 0 {
		c.Needs[i].Lengths = c.Needs[i].Lengths && lengths
		return i
	}
	c.Needs = append(c.Needs, Need{node, lengths})
	return len(c.Needs) - 1
}

// scalarFunc computes a vector with one slot for each row from the vectors of
// Needs. Only slots whose bits are set in sel matter.
type scalarFunc func(columns []*vector.Vector, n int, sel []uint64) *vector.Vector

// bindScalar returns the function that computes the values of a source, and adds
// the node that it reads to Needs. ok is false after an error.
func (b *binder) bindScalar(c *Compute, s *source) (scalarFunc, bool) {
	if s.constant != nil {
		return func(_ []*vector.Vector, n int, _ []uint64) *vector.Vector {
			v := s.constant.Vector(n)
			v.Flatten()
			return v
		}, true
	}
	if s.items != nil {
		b.fail(s.At, "COUNT is compared with constants only")
		return nil, false
	}
	at := c.need(s.node, s.Length)
	var key *slotTest
	index := int64(0) // there is none, nor any at numbers without end
	switch {
	case s.Length:
		return func(columns []*vector.Vector, _ int, _ []uint64) *vector.Vector {
			return lengths(columns[at])
		}, true
	case s.Key == nil:
		return func(columns []*vector.Vector, _ int, _ []uint64) *vector.Vector {
			columns[at].Flatten()
			return columns[at]
		}, true
	case s.node.Kind == schema.Map:
		key = &slotTest{domain: b.domain(s.node.Key())}
	default:
		if n := s.Key.Number.Rat().Num(); n.IsInt64() {
			index = n.Int64()
		}
	}
	if key != nil && s.Key.Kind != value.LitNull {
		keys := source{Operand: tree.Operand{Path: s.Path}, leaf: s.node.Key()}
		b.bindValue(&keys)
		p, fault := keys.domain.Place(s.Key)
		if fault != "" {
			b.fail(s.At, "the keys of "+keys.fault(fault))
			return nil, false
		}
		*key = keys.before(slotTest{domain: keys.domain, set: p.Compare(value.Eq)})
	}
	return func(columns []*vector.Vector, _ int, sel []uint64) *vector.Vector {
		return entries(columns[at], key, index, s.fieldIndexes, sel)
	}, true
}

// lengths returns the number of items of each slot of a list or map.
func lengths(list *vector.Vector) *vector.Vector {
	list.Flatten()
	v := &vector.Vector{}
	build.Reset(v, vector.Type{Physical: vector.Int64})
	build.Extend(v, list.Len)
	for i := range v.Int64s {
		v.Int64s[i] = int64(list.Offsets[i+1] - list.Offsets[i])
	}
	v.Validity = list.Validity
	return v
}

// entries returns for each map the value under a key, the last of several, for each list the item with
// an index, from 1 on or from the back below 0, or a field of these. For values that are structs, lists or maps, only the validity of the
// result is meaningful.
func entries(m *vector.Vector, key *slotTest, index int64, steps []int, sel []uint64) *vector.Vector {
	m.Flatten()
	keys, vals := m.Children[0], m.Children[len(m.Children)-1]
	var found []uint64
	if key != nil {
		found = make([]uint64, bits.Words(keys.Len))
		bits.SetRange(found, 0, keys.Len)
		key.filter(found, keys)
	}
	var structs []*vector.Vector
	for _, step := range steps {
		structs = append(structs, vals)
		vals = vals.Children[step]
	}
	v := &vector.Vector{}
	if build.Reset(v, vals.Type); vals.Layout != vector.Leaf {
		build.Reset(v, vector.Type{Physical: vector.Boolean})
	}
	for i := range m.Len {
		at := -1
		switch from, to := int64(m.Offsets[i]), int64(m.Offsets[i+1]); {
		case !bits.Get(sel, i) || m.IsNull(i):
		case index > 0 && index <= to-from:
			at = int(from + index - 1)
		case index < 0 && index >= from-to:
			at = int(to + index)
		case key != nil:
			for j := int(m.Offsets[i+1]) - 1; j >= int(m.Offsets[i]) && at < 0; j-- {
				if bits.Get(found, j) {
					at = j
				}
			}
		}
		for _, above := range structs {
			if at >= 0 && above.IsNull(at) {
				at = -1 // fields of a NULL struct are NULL, whatever they store
			}
		}
		switch {
		case at < 0 || vals.IsNull(at):
			build.AppendNulls(v, 1)
		case vals.Layout != vector.Leaf:
			bits.Clear(v.Bools, build.Extend(v, 1))
		default:
			build.AppendSlots(v, vals, at, at+1)
		}
	}
	return v
}

// computeNode returns a node that tests values computed from a nested column.
func (b *binder) computeNode(s *source, t slotTest) *Node {
	column := s.Operand
	column.Steps = nil // t is about the values before them
	c := &Compute{text: func() string { return t.describe(column.String()) }}
	of, ok := b.bindScalar(c, s)
	if !ok {
		return &Node{}
	}
	return c.node(func(columns []*vector.Vector, n int, sel []uint64) {
		t.filter(sel, of(columns, n, sel))
	})
}

// compileFunction compiles a caller's Function.
func (b *binder) compileFunction(e *tree.Condition, w passWhen) *Node {
	c := &Compute{text: func() string { return w.textOf(e) }}
	var inputs []scalarFunc
	for _, o := range e.Columns {
		s, ok := b.find(o)
		switch {
		case !ok:
			return &Node{}
		case b.isNullConstant(o.Path):
			return b.fail(o.At, "no column "+o.PathText()+" for the function")
		case s.Quantifier != tree.NoQuantifier || s.Key != nil || s.Length || s.items != nil || len(s.Steps) > 0:
			return b.fail(o.At, "a function takes columns as they are")
		case s.constant != nil:
			inputs = append(inputs, func(_ []*vector.Vector, n int, _ []uint64) *vector.Vector { return s.constant.Vector(n) })
		case s.node.MaxRep > 1 || s.node.MaxRep == 1 && !s.node.IsBare():
			return b.fail(o.At, s.PathText()+" is within a list")
		default:
			at := c.need(s.node, false)
			of := func(columns []*vector.Vector, _ int, _ []uint64) *vector.Vector { return columns[at] }
			if s.leaf = s.node; s.node.Kind == schema.Leaf && s.node.MaxRep == 0 {
				if s.domain = b.domain(s.leaf); b.widen(&s) {
					of, _ = b.bindResult(c, &s)
				}
			}
			inputs = append(inputs, of)
		}
	}
	c.filter = func(columns []*vector.Vector, n int, sel []uint64) error {
		args := make([]*vector.Vector, len(inputs))
		for i, of := range inputs {
			args[i] = of(columns, n, sel)
		}
		before := append([]uint64(nil), sel[:bits.Words(n)]...)
		if err := e.Function(args, sel); err != nil {
			return &functionError{e.Text, err}
		}
		if w.passesTrue() {
			bits.And(sel[:len(before)], before) // the function must not add rows
			return nil
		}
		bits.AndNot(before, sel[:len(before)])
		copy(sel, before)
		return nil
	}
	return &Node{Op: OpCompute, Compute: c}
}

// functionError is an error of a caller's Function.
type functionError struct {
	name string
	err  error
}

func (e *functionError) Error() string { return "function " + e.name + ": " + e.err.Error() }
func (e *functionError) Unwrap() error { return e.err }
