package compile

import (
	"bytes"
	"errors"
	"hash/maphash"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/variant"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/internal/function"
	"github.com/winnow-scan/winnow/filter/internal/tree"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Path is a column of the values that a path leads to within a VARIANT, perhaps cast. Safe for concurrent use.
type Path struct {
	Root  *schema.Node // the VARIANT
	Field vector.Field // of the column: named as conditions are printed, a VARIANT if the values are not cast

	// Places have the values, in the order in which they are read. The first one tells of the rows whose value
	// is in it; of each other row one other place may have the value, which is read of these rows alone.
	Places []Place

	to     *tree.Step // the cast; nil: none
	ends   bool       // the first place ends in a typed_value, behind which a value may stand
	values []int      // by level of the first place: the place of the group's value there; 0: there is none
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
	groups := b.variantGroups(p.Root, path, -1)
	if b.err != nil {
		return
	}
	metadata, last := p.Root.Children[childNamed(p.Root, "metadata")], groups[len(groups)-1]
	var steps []*schema.Node
	for _, g := range groups[1:] {
		steps = append(steps, g.node.Parent, g.node)
	}
	first := Place{Metadata: metadata, rest: last.path}
	switch typed := last.typed; {
	case typed != nil && typed.Kind == schema.Leaf && len(last.path) == 0:
		steps, first.Metadata, p.ends = append(steps, typed), nil, true
	case last.val != nil && (typed == nil || len(last.path) > 0 && (typed.Kind != schema.List || !last.path[0].IsItem)):
		steps = append(steps, last.val)
	case len(steps) == 0: // values are put together
		steps, first.Metadata = []*schema.Node{p.Root}, nil
	}
	if !p.ends {
		groups = groups[:len(groups)-1]
	}
	first.Steps = steps
	p.Places = []Place{first}
	for level, g := range groups {
		if p.values = append(p.values, 0); g.val != nil {
			p.values[level] = len(p.Places)
			p.Places = append(p.Places, Place{Steps: []*schema.Node{g.val}, Metadata: metadata, rest: g.path})
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
	found := &foundValues{path: p, at: make([]foundAt, n), values: variantValues{all: map[vector.Type]*typedValues{}, copies: &copies{slots: map[copied]int{}}}}
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
	path   *Path
	parts  []*vector.Vector // of the column's type
	at     []foundAt        // by row
	values variantValues    // to be cast
}

// foundAt is where the value of a row is: a slot of a part, whose number counts from 1; 0: nowhere, it is NULL.
type foundAt struct{ part, slot int32 }

// add adds what a place has in some slots, of some rows.
func (f *foundValues) add(of *Place, columns []*vector.Vector, slots, rows []int) error {
	v := columns[0]
	for range of.Steps[1:] {
		v = v.Children[0]
	}
	if of.Metadata == nil && f.path.ends && f.path.to != nil {
		v.Flatten()
		f.addPart(v, slots, rows)
		return nil
	}
	read, err := binariesOf(f.path.Root, of.Steps[len(of.Steps)-1], v, append(columns, nil)[1])
	if err != nil {
		return err
	}
	for i, slot := range slots {
		metadata, value, err := read(slot)
		if err != nil {
			return err
		}
		switch v, ok, err := f.values.lookUp(metadata, value, of.rest); {
		case err != nil:
			return err
		case ok && f.path.to == nil:
			if v.Kind() < variant.Array { // in which no name is
				metadata = []byte{1, 0, 0}
			}
			f.at[rows[i]] = f.keep(metadata, v.Encoded())
		case ok && v.Kind() < variant.Array && v.Kind() != variant.Null:
			f.values.add(&v, rows[i], nil)
		}
		if f.values.copies.bytes > maxCopies {
			return corrupt.NotSupported("values of more than ", maxCopies, " bytes in one window; a smaller BatchRows helps")
		}
	}
	return nil
}

// addPart adds what the cast makes of values in some slots, of some rows.
func (f *foundValues) addPart(v *vector.Vector, slots, rows []int) {
	f.parts = append(f.parts, function.CastTo(v, f.path.to.To))
	for i, row := range rows {
		f.at[row] = foundAt{int32(len(f.parts)), int32(slots[i])}
	}
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
		f.values.copies.set(all.Children[i], slot, b)
	}
	return foundAt{1, int32(slot)}
}

// copies makes copies of values, of equal long ones one: a dictionary has a value once that each row of a window may have.
type copies struct {
	slots map[copied]int
	bytes int
}

type copied struct {
	of   *vector.Vector
	hash uint64
}

var copySeed = maphash.MakeSeed()

// maxCopies bounds the copies of a window: values may be put together of many entries of dictionaries.
const maxCopies = 1 << 30

// set sets a slot to a copy of b.
func (c *copies) set(v *vector.Vector, slot int, b []byte) {
	const long = 64 // for shorter ones, the map takes more memory
	key := copied{v, 0}
	if len(b) > long {
		key.hash = maphash.Bytes(copySeed, b)
		if known, ok := c.slots[key]; ok && bytes.Equal(v.Bytes(known), b) {
			v.Views[slot] = v.Views[known]
			return
		}
		c.slots[key] = slot
	}
	if len(b) > bits.MaxInline && len(v.Buffers) == 0 {
		build.AddBuffer(v, nil)
	}
	offset := 0
	if len(b) > bits.MaxInline {
		offset = len(v.Buffers[0])
		v.Buffers[0] = append(v.Buffers[0], b...)
		c.bytes += len(b)
	}
	v.Views[slot] = bits.Make(b, 0, int32(offset))
}

// appendTo appends the values of the rows of sel.
func (f *foundValues) appendTo(out *vector.Vector, sel []uint64, n int) {
	for _, of := range f.values.all {
		slots := make([]int, len(of.rows))
		for i := range slots {
			slots[i] = i
		}
		f.addPart(&of.v, slots, of.rows)
	}
	all, bases := build.New(&f.path.Field), []int32{0}
	for _, part := range f.parts { // one after the other: out has their buffers once
		bases = append(bases, int32(all.Len))
		build.AppendSlots(all, part, 0, part.Len)
	}
	for row := bits.Next(sel, 0, n); row < n; {
		at, count := f.at[row], int32(1)
		for row = bits.Next(sel, row+1, n); row < n && f.at[row].part == at.part && (at.part == 0 || f.at[row].slot == at.slot+count); row = bits.Next(sel, row+1, n) {
			count++
		}
		if at.part == 0 {
			build.AppendNulls(out, int(count))
		} else {
			first := int(bases[at.part] + at.slot)
			build.AppendSlots(out, all, first, first+int(count))
		}
	}
}
