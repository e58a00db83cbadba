package compile

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/variant"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
)

// Path is a column of the values that a path leads to within a VARIANT, perhaps cast. Safe for concurrent use.
type Path struct {
	Root  *schema.Node // the VARIANT
	Field vector.Field // of the column: named as conditions are printed, a VARIANT if the values are not cast

	// Places have the values, in the order in which they are read. The first one tells of the rows whose value
	// is in it; of each other row one other place may have the value, which is read of these rows alone.
	Places []Place

	metadata *schema.Node
	to       *tree.Step // the cast; nil: none
	ends     bool       // the first place ends in a typed_value, behind which a value may stand
	values   []int      // by level of the first place: the place of the group's value there; 0: there is none
}

// Place is a part of a VARIANT that may have values.
type Place struct {
	Steps    []*schema.Node // of the first of them is read what the others lead to
	Metadata *schema.Node   // is read, too, unless it is nil
	rest     []variant.Step // from the end of Steps to the values
}

// BindPath binds the text of a path into a VARIANT, as conditions have it. It is nil if the text is none.
func BindPath(text string, s *schema.Schema, constants filter.Constants) (*Path, error) {
	e, err := filter.Parse(text + " IS NULL")
	if err != nil {
		if strings.Contains(text, "::") || strings.Contains(text, "[") {
			return nil, errors.New(text + ": " + err.Error())
		}
		return nil, nil // no column, perhaps of a name that conditions have in quotes
	}
	c := treeOf(e)
	o := c.Left
	if c.Op != tree.IsNull || c.InnerNot || o.Quantifier != tree.NoQuantifier || o.Items != nil || o.Length {
		return nil, nil
	}
	b := &binder{schema: s, constants: constants}
	root, path := b.variantPath(o)
	if root == nil || len(path)+len(o.Steps) == 0 {
		return nil, nil
	}
	p := &Path{Root: root, Field: vector.Field{Name: o.String(), Type: root.Type, Layout: vector.Struct, Nullable: true, Children: []vector.Field{
		{Name: "metadata", Type: vector.Type{Physical: vector.ByteArray}}, {Name: "value", Type: vector.Type{Physical: vector.ByteArray}},
	}}}
	switch {
	case root.MaxRep > 0:
		b.fail(o.At, o.PathText()+" is within a list: a path into a VARIANT there cannot be selected")
	case len(o.Steps) > 1 || len(o.Steps) == 1 && o.Steps[0].Op != tree.Cast:
		b.fail(o.At, o.String()+" is calculated: a path into a VARIANT is selected as it is, or with one CAST")
	case len(o.Steps) == 1:
		p.to = &o.Steps[0]
		t, ok := function.CastType(p.to.To)
		if !ok {
			b.fail(o.At, "no column of "+p.to.To.String()+": its values may not fit 64 bits")
		}
		p.Field.Type, p.Field.Layout, p.Field.Children = t, vector.Leaf, nil
	}
	p.place(b, path)
	if b.err != nil {
		return nil, errors.New(text + ": " + b.err.Msg) // a filter.Error is one of a condition
	}
	return p, nil
}

// place finds the places of the values:
//
//	v.a, where a is shredded    v.typed_value.a.typed_value    if not, for the rows of these that are NULL
//	                            v.typed_value.a.value          where v.typed_value is not NULL
//	                            v.value                        where it is, from the binary
func (p *Path) place(b *binder, path []variant.Step) {
	p.metadata = p.Root.Children[childNamed(p.Root, "metadata")]
	var groups, steps []*schema.Node
	group, rest := p.Root, path
	val, typed := b.variantParts(group, p.Root, -1)
	for b.err == nil && typed != nil && typed.Kind == schema.Struct && len(rest) > 0 && !rest[0].IsItem && childNamed(typed, rest[0].Name) >= 0 {
		groups, steps = append(groups, val), append(steps, typed)
		group, rest = typed.Children[childNamed(typed, rest[0].Name)], rest[1:]
		steps = append(steps, group)
		val, typed = b.variantParts(group, p.Root, -1)
	}
	first := Place{Steps: steps, Metadata: p.metadata, rest: rest}
	switch {
	case typed != nil && typed.Kind == schema.Leaf && len(rest) == 0:
		first.Steps, first.Metadata, p.ends = append(steps, typed), nil, true
		groups = append(groups, val)
	case val == nil, typed != nil && (len(rest) == 0 || typed.Kind == schema.List && rest[0].IsItem): // values are put together
		if len(steps) == 0 {
			first.Steps, first.Metadata = []*schema.Node{group}, nil
		}
	default:
		first.Steps = append(steps, val)
	}
	p.Places = []Place{first}
	for level, val := range groups {
		if p.values = append(p.values, 0); val != nil {
			p.values[level] = len(p.Places)
			p.Places = append(p.Places, Place{Steps: []*schema.Node{val}, Metadata: p.metadata, rest: path[level:]})
		}
	}
}

// placeOf returns the place of the value of slot i of the first place's vector, -1 if there is none.
func (p *Path) placeOf(v *vector.Vector, i int) int {
	last := len(p.Places[0].Steps) - 1
	for step := 0; ; step++ {
		switch isTyped := step%2 == 0 && (step < last || p.ends); {
		case v.IsNull(i) && isTyped && p.values[step/2] > 0:
			return p.values[step/2]
		case v.IsNull(i):
			return -1
		case step == last:
			return 0
		}
		v = v.Children[0]
	}
}

// Read appends the values of the rows whose bits are set in sel, of the n rows of a window, to out, a vector of Field. read
// returns what a place has of some rows: a vector of Steps, and one of Metadata unless that is nil.
func (p *Path) Read(out *vector.Vector, sel []uint64, n int, read func(place int, sel []uint64) ([]*vector.Vector, error)) error {
	found := &foundValues{path: p, at: make([]foundAt, n), all: map[vector.Type]*typedValues{}}
	left := make([][]uint64, len(p.Places))
	left[0] = sel
	for place := range left {
		if left[place] == nil || bits.Next(left[place], 0, n) == n {
			continue
		}
		columns, err := read(place, left[place])
		if err != nil {
			return err
		}
		slots, rows := []int{}, []int{}
		for row, slot := bits.Next(left[place], 0, n), 0; row < n; row, slot = bits.Next(left[place], row+1, n), slot+1 {
			at := 0
			if place == 0 {
				at = p.placeOf(columns[0], slot)
			}
			if at == 0 {
				slots, rows = append(slots, slot), append(rows, row)
			} else if at > 0 {
				if left[at] == nil {
					left[at] = make([]uint64, len(sel))
				}
				bits.Set(left[at], row)
			}
		}
		if err := found.add(&p.Places[place], columns, slots, rows); err != nil {
			return err
		}
	}
	found.appendTo(out, sel, n)
	return nil
}

// foundValues are the values of the rows of a window.
type foundValues struct {
	path  *Path
	parts []*vector.Vector // of the column's type
	at    []foundAt        // by row
	all   map[vector.Type]*typedValues
}

// foundAt is where the value of a row is: a slot of a part, whose number counts from 1; 0: nowhere, it is NULL.
type foundAt struct{ part, slot int32 }

// add adds what a place has in some slots, of some rows.
func (f *foundValues) add(of *Place, columns []*vector.Vector, slots, rows []int) error {
	v := columns[0]
	for range of.Steps[1:] {
		v = v.Children[0]
	}
	v.Flatten()
	end := of.Steps[len(of.Steps)-1]
	if end.Kind == schema.Leaf && of.Metadata == nil && f.path.to != nil {
		f.parts = append(f.parts, function.CastTo(v, f.path.to.To))
		for i, row := range rows {
			f.at[row] = foundAt{int32(len(f.parts)), int32(slots[i])}
		}
		return nil
	}
	values, fields := v.Children, variantField(end).Children
	if end.Kind == schema.Leaf {
		values, fields = []*vector.Vector{v}, []vector.Field{variantField(end)}
	}
	if end != f.path.Root {
		metadata := noNames(v.Len)
		if of.Metadata != nil {
			metadata = columns[1]
		}
		values, fields = append(slices.Clone(values), metadata), append(slices.Clone(fields), variantField(f.path.metadata))
	}
	field := vector.Field{Name: f.path.Root.Name, Type: f.path.Root.Type, Layout: vector.Struct, Children: fields}
	all, err := field.Variants()
	if err != nil {
		return err
	}
	all.Use(&vector.Vector{Type: field.Type, Layout: vector.Struct, Len: v.Len, Children: values})
	for i, slot := range slots {
		isThere := false
		for k := range fields {
			isThere = isThere || fields[k].Name != "metadata" && !values[k].IsNull(slot)
		}
		if !isThere {
			continue
		}
		metadata, value, err := all.Binary(slot)
		if err == nil {
			err = f.find(metadata, value, of.rest, rows[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noNames returns the metadata of n variants in which no name is.
func noNames(n int) *vector.Vector {
	one, _ := vector.BytesOf(vector.Type{Physical: vector.ByteArray}, []byte{1, 0, 0})
	v := one.Vector(n)
	v.Flatten()
	return v
}

// find adds what a path leads to in a value, that of a row.
func (f *foundValues) find(metadata, value []byte, path []variant.Step, row int) error {
	names, _, err := variant.OpenMetadata(metadata)
	if err != nil {
		return err
	}
	v, err := names.Value(value)
	if err != nil {
		return err
	}
	v, ok, err := v.Find(path...)
	switch isPrimitive := v.Kind() < variant.Array; {
	case err != nil || !ok:
		return err
	case f.path.to == nil:
		if isPrimitive {
			metadata = []byte{1, 0, 0}
		}
		f.at[row] = f.keep(metadata, v.Encoded())
	case isPrimitive && v.Kind() != variant.Null:
		t := typeOfVariant(&v)
		if f.all[t] == nil {
			f.all[t] = newTypedValues(nil, t)
		}
		f.all[t].append(&v, row)
	}
	return nil
}

// keep adds a variant to the last part.
func (f *foundValues) keep(metadata, value []byte) foundAt {
	if f.parts == nil {
		f.parts = []*vector.Vector{build.New(&f.path.Field)}
	}
	all := f.parts[0]
	slot := build.Extend(all, 1)
	for i, b := range [][]byte{metadata, value} {
		build.Extend(all.Children[i], 1)
		setCopy(all.Children[i], slot, b)
	}
	return foundAt{1, int32(slot)}
}

// setCopy sets a slot to a copy of b, and to the same view as the slot before if that has the same bytes.
func setCopy(v *vector.Vector, slot int, b []byte) {
	const fullBuffer = 1 << 30 // offsets are int32
	if slot > 0 && bytes.Equal(v.Bytes(slot-1), b) {
		v.Views[slot] = v.Views[slot-1]
		return
	}
	last, offset := len(v.Buffers)-1, 0
	if len(b) > bits.MaxInline {
		if last < 0 || len(v.Buffers[last]) > fullBuffer {
			last = int(build.AddBuffer(v, nil))
		}
		offset = len(v.Buffers[last])
		v.Buffers[last] = append(v.Buffers[last], b...)
	}
	v.Views[slot] = bits.Make(b, int32(last), int32(offset))
}

// appendTo appends the values of the rows of sel.
func (f *foundValues) appendTo(out *vector.Vector, sel []uint64, n int) {
	for _, of := range f.all {
		f.parts = append(f.parts, function.CastTo(&of.v, f.path.to.To))
		for slot, row := range of.rows {
			f.at[row] = foundAt{int32(len(f.parts)), int32(slot)}
		}
	}
	for row := bits.Next(sel, 0, n); row < n; {
		first, count := f.at[row], int32(1)
		for row = bits.Next(sel, row+1, n); row < n && f.at[row].part == first.part && (first.part == 0 || f.at[row].slot == first.slot+count); row = bits.Next(sel, row+1, n) {
			count++
		}
		if first.part == 0 {
			build.AppendNulls(out, int(count))
		} else {
			build.AppendSlots(out, f.parts[first.part-1], int(first.slot), int(first.slot+count))
		}
	}
}
