package compile

import (
	"slices"

	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/variant"
)

// variantTypes are the types of primitives: of integers, INT64. Decimals lack their scale, and have no precision.
var variantTypes = [variant.Array]vector.Type{
	variant.True: {Physical: vector.Boolean}, variant.False: {Physical: vector.Boolean},
	variant.Int8: {Physical: vector.Int64}, variant.Int16: {Physical: vector.Int64}, variant.Int32: {Physical: vector.Int64}, variant.Int64: {Physical: vector.Int64},
	// As they are shredded: functions may take no larger ones.
	variant.Decimal4:  {Physical: vector.Int64, Logical: vector.Decimal},
	variant.Decimal8:  {Physical: vector.Int64, Logical: vector.Decimal},
	variant.Decimal16: {Physical: vector.ByteArray, Logical: vector.Decimal},
	variant.Float:     {Physical: vector.Float}, variant.Double: {Physical: vector.Double},
	variant.Binary: {Physical: vector.ByteArray}, variant.String: {Physical: vector.ByteArray, Logical: vector.String},
	variant.UUID:                {Physical: vector.FixedLenByteArray, Length: 16, Logical: vector.UUID},
	variant.Date:                {Physical: vector.Int32, Logical: vector.Date},
	variant.TimeLocal:           {Physical: vector.Int64, Logical: vector.Time, Unit: vector.Micros},
	variant.Timestamp:           {Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Micros, UTC: true},
	variant.TimestampLocal:      {Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Micros},
	variant.TimestampNanos:      {Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Nanos, UTC: true},
	variant.TimestampNanosLocal: {Physical: vector.Int64, Logical: vector.Timestamp, Unit: vector.Nanos},
}

// typeOfVariant returns the type of a primitive.
func typeOfVariant(v *variant.Value) vector.Type {
	t := variantTypes[v.Kind()]
	if t.Logical == vector.Decimal {
		t.Scale = int32(v.Bytes()[0])
	}
	return t
}

// variantValues are the values found in some rows, by their types.
type variantValues struct {
	last   *typedValues
	all    map[vector.Type]*typedValues
	copies *copies // of values that are returned; nil: values are tested
}

// typedValues are values of one type.
type typedValues struct {
	test *slotTest // nil: none of them passes
	rows []int     // that have them
	v    vector.Vector
	sel  []uint64
}

// computed returns the node of the rows that have, in a place, a value that passes.
func (c *variantCondition) computed(p *Place) *Node {
	compute := &Compute{Needs: []Need{{Node: p.Metadata}, {Node: p.Node}}, text: func() string { return c.when.textOf(&c.condition) + " in " + p.Node.String() }}
	if p.Metadata == nil {
		compute.Needs = compute.Needs[1:]
	}
	compute.filter = func(columns []*vector.Vector, n int, sel []uint64) error {
		find, err := p.finder(columns)
		if err != nil {
			return err
		}
		values, ok := c.spare.Get().(*variantValues)
		if !ok {
			values = &variantValues{all: map[vector.Type]*typedValues{}}
		}
		for i := bits.Next(sel, 0, n); i < n; i = bits.Next(sel, i+1, n) {
			switch _, v, ok, err := find(i); {
			case err != nil:
				return err
			case !ok || v.Kind() == variant.Null:
				bits.Clear(sel, i)
			case v.Kind() < variant.Array && !c.anything: // others have no order, and no text
				values.add(&v, i, c.test)
			}
		}
		if !c.anything {
			values.filter(sel[:bits.Words(n)])
		}
		c.spare.Put(values)
		return nil
	}
	return &Node{Op: OpCompute, Compute: compute}
}

// finder returns what finds the value in a slot of the vectors of Metadata, if that is read, and Node, and the metadata
// that it is read with. They are valid until the next call.
func (p *Place) finder(columns []*vector.Vector) (func(i int) (metadata []byte, v variant.Value, ok bool, err error), error) {
	node, names := columns[len(columns)-1], columns[0]
	node.Flatten()
	names.Flatten()
	binary := func(i int) ([]byte, []byte, error) { return names.Bytes(i), node.Bytes(i), nil }
	if p.isTyped || p.Node.Kind != schema.Leaf {
		plan, err := assemble.New(assemble.Whole(p.Node))
		if err != nil {
			return nil, err
		}
		f := plan.Field()
		fields, values := f.Children, node.Children
		if p.isTyped { // a primitive, in which no name is
			one, _ := vector.BytesOf(vector.Type{Physical: vector.ByteArray}, []byte{1, 0, 0})
			fields, values, names = []vector.Field{f}, []*vector.Vector{node}, one.Vector(node.Len)
		}
		if p.Node != p.root {
			fields, values = append(slices.Clone(fields), vector.Field{Name: "metadata", Type: names.Type}), append(slices.Clone(values), names)
		}
		f = vector.Field{Name: p.root.Name, Type: p.root.Type, Layout: vector.Struct, Children: fields}
		whole, err := f.Variants()
		if err != nil {
			return nil, err
		}
		whole.Use(&vector.Vector{Type: f.Type, Layout: vector.Struct, Len: node.Len, Children: values})
		binary = func(i int) ([]byte, []byte, error) {
			metadata, value, err := whole.Binary(i)
			return metadata, slices.Clone(value), err // the next slot has the same memory
		}
	}
	var all variant.Metadata // of the last slot: a value refers to it
	return func(i int) (metadata []byte, v variant.Value, ok bool, err error) {
		if node.IsNull(i) { // of an AND of conditions, the tests of a place may run later
			return nil, v, false, nil
		}
		metadata, value, err := binary(i)
		if err == nil {
			all, _, err = variant.OpenMetadata(metadata)
		}
		if err == nil {
			v, err = all.Value(value)
		}
		if err == nil {
			v, ok, err = v.Find(p.rest...)
		}
		return metadata, v, ok, err
	}, nil
}

// add adds the value of row i, which is primitive. test returns that of a type; nil: values are returned.
func (a *variantValues) add(v *variant.Value, i int, test func(vector.Type) *slotTest) {
	if t := typeOfVariant(v); a.last == nil || a.last.v.Type != t {
		if a.last = a.all[t]; a.last == nil {
			a.last = &typedValues{}
			build.Reset(&a.last.v, t)
			if test != nil {
				a.last.test = test(t).lowered()
			}
			a.all[t] = a.last
		}
	}
	if test == nil || a.last.test != nil {
		a.last.append(v, i, a.copies)
	}
}

// lowered returns t of values alone, lowered once and not in each window; nil of nil.
func (t *slotTest) lowered() *slotTest {
	if t == nil {
		return nil
	}
	of := *t
	if of.set.Null = false; of.valueTest == nil && !of.allValues() {
		of.valueTest = of.domain.Lower(&of.set)
	}
	return &of
}

// append adds the value of row i, copied if there are copies.
func (a *typedValues) append(v *variant.Value, i int, copies *copies) {
	a.rows = append(a.rows, i)
	at := build.Extend(&a.v, 1)
	b := v.Bytes()
	switch a.v.Type.Store() {
	case vector.InBools:
		if bits.Clear(a.v.Bools, at); v.Kind() == variant.True {
			bits.Set(a.v.Bools, at)
		}
	case vector.InInt64s: // of any width
		a.v.Int64s[at] = v.Int()
	case vector.InViews:
		if a.v.Type.Logical == vector.Decimal {
			b, _ = v.Decimal()
		}
		if copies != nil {
			copies.set(&a.v, at, b)
			return
		}
		buffer := int32(0)
		if len(b) > bits.MaxInline {
			buffer = build.AddBuffer(&a.v, b)
		}
		a.v.Views[at] = bits.Make(b, buffer, 0)
	default:
		memory, _ := build.Memory(&a.v, at, at+1)
		copy(memory, b)
	}
}

// filter sets the bits of sel for the rows that pass, and forgets all rows.
func (a *variantValues) filter(sel []uint64) {
	clear(sel)
	for _, of := range a.all {
		n := len(of.rows)
		if n == 0 {
			continue
		}
		of.sel = append(of.sel[:0], make([]uint64, bits.Words(n))...)
		bits.SetRange(of.sel, 0, n)
		of.test.filter(of.sel, &of.v)
		for j := bits.Next(of.sel, 0, n); j < n; j = bits.Next(of.sel, j+1, n) {
			bits.Set(sel, of.rows[j])
		}
		of.rows = of.rows[:0]
		build.Reset(&of.v, of.v.Type)
	}
	a.last = nil
}
