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

	// Places may have the values: most rows have theirs in the first one.
	Places []*Place

	to *tree.Step // the cast; nil: none
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
	p.Places = b.variantPlaces(root, root, path, -1)
	if b.err != nil {
		return nil, errors.New(text + ": " + b.err.Msg) // a filter.Error is one of a condition
	}
	if p.Places == nil { // there is no value, unless the file is not as it should be
		p.Places = []*Place{{Node: root, root: root, rest: path}}
	}
	return p, nil
}

// Found are the values of a path in the rows of a window.
type Found struct {
	path   *Path
	all    *vector.Vector // of the path's Field
	slots  []int32        // by row: which of all it has, from 1 on; 0: none, it is NULL
	values variantValues  // to be cast
}

// Find returns the values of n rows, none of which is found yet.
func (p *Path) Find(n int) *Found {
	values := variantValues{all: map[vector.Type]*typedValues{}, copies: &copies{slots: map[copied]int{}}}
	return &Found{path: p, all: build.New(&p.Field), slots: make([]int32, n), values: values}
}

// Add adds the values of the rows whose bits are set in sel, given the vectors of a place's Metadata, unless that is nil, and
// Node: they have a slot for each of these rows, which pass the place's tests.
func (f *Found) Add(of *Place, columns []*vector.Vector, sel []uint64) error {
	rows, n := []int{}, len(f.slots)
	for row := bits.Next(sel, 0, n); row < n; row = bits.Next(sel, row+1, n) {
		rows = append(rows, row)
	}
	if of.isTyped && f.path.to != nil {
		columns[0].Flatten()
		f.addCast(columns[0], rows)
		return nil
	}
	find, err := of.finder(columns)
	if err != nil {
		return err
	}
	for slot, row := range rows {
		switch metadata, v, ok, err := find(slot); {
		case err != nil:
			return err
		case ok && f.path.to == nil:
			if v.Kind() < variant.Array { // in which no name is
				metadata = []byte{1, 0, 0}
			}
			f.slots[row] = int32(build.Extend(f.all, 1) + 1)
			for i, b := range [][]byte{metadata, v.Encoded()} {
				f.values.copies.set(f.all.Children[i], build.Extend(f.all.Children[i], 1), b)
			}
		case ok && v.Kind() < variant.Array && v.Kind() != variant.Null:
			f.values.add(&v, row, nil)
		}
		if f.values.copies.bytes > maxCopies {
			return corrupt.NotSupported("values of more than ", maxCopies, " bytes in one window; a smaller BatchRows helps")
		}
	}
	return nil
}

// addCast adds what the cast makes of the values in the slots of v, of some rows.
func (f *Found) addCast(v *vector.Vector, rows []int) {
	for slot, row := range rows {
		f.slots[row] = int32(f.all.Len + slot + 1)
	}
	build.AppendSlots(f.all, function.CastTo(v, f.path.to.To), 0, v.Len)
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
	offset := 0
	if len(b) > bits.MaxInline {
		if len(v.Buffers) == 0 {
			build.AddBuffer(v, nil)
		}
		offset = len(v.Buffers[0])
		v.Buffers[0] = append(v.Buffers[0], b...)
		c.bytes += len(b)
	}
	v.Views[slot] = bits.Make(b, 0, int32(offset))
}

// AppendTo appends the values of the rows whose bits are set in sel to out, a vector of the path's Field.
func (f *Found) AppendTo(out *vector.Vector, sel []uint64) {
	for _, of := range f.values.all {
		f.addCast(&of.v, of.rows)
	}
	for row, n := bits.Next(sel, 0, len(f.slots)), len(f.slots); row < n; {
		first, count := f.slots[row], int32(1)
		for row = bits.Next(sel, row+1, n); row < n && f.slots[row] == first+count*min(first, 1); row = bits.Next(sel, row+1, n) {
			count++
		}
		if first == 0 {
			build.AppendNulls(out, int(count))
		} else {
			build.AppendSlots(out, f.all, int(first-1), int(first-1+count))
		}
	}
}
