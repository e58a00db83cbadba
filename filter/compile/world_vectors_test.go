package compile

import (
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// appendPlain adds a slot to a flat vector; nil is NULL unless the value is there.
func appendPlain(v *vector.Vector, plain []byte, null bool) {
	if null {
		build.AppendNulls(v, 1)
		return
	}
	i := build.Extend(v, 1)
	switch v.Type.Store() {
	case vector.InBools:
		bits.Clear(v.Bools, i)
		if plain[0] != 0 {
			bits.Set(v.Bools, i)
		}
	case vector.InInt32s:
		v.Int32s[i] = int32(binary.LittleEndian.Uint32(plain))
	case vector.InInt64s:
		v.Int64s[i] = int64(binary.LittleEndian.Uint64(plain))
	case vector.InFloats:
		v.Floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(plain))
	case vector.InDoubles:
		v.Doubles[i] = math.Float64frombits(binary.LittleEndian.Uint64(plain))
	case vector.InFixed:
		copy(v.Fixed[i*len(plain):], plain)
	case vector.InViews:
		if len(plain) <= bits.MaxInline {
			v.Views[i] = bits.MakeInline(plain)
		} else {
			v.Views[i] = bits.MakeRef(plain, build.AddBuffer(v, plain), 0)
		}
	}
}

// vectorOf returns the vector of a node that is in no list.
func (w *world) vectorOf(n *schema.Node) *vector.Vector {
	v := &vector.Vector{}
	if n.Kind == schema.Leaf && !n.IsBare() {
		build.Reset(v, n.Type)
		for i := range w.rows {
			f := w.at(i, n)
			if n.Type.Logical == vector.Null {
				f.null = true
			}
			var plain []byte
			if !f.null {
				plain = f.leaf.plain
			}
			appendPlain(v, plain, f.null)
		}
		return v
	}
	v.Type, v.Layout, v.Offsets = vector.Type{Physical: vector.Group}, vector.List, []int32{0}
	var leaves []*schema.Node
	if n.Kind == schema.Map {
		v.Layout = vector.Map
		leaves = []*schema.Node{n.Key(), n.Value()}
	} else if item := n.Item(); n.Name == "tags" || n.Name == "items" { // whose items are asked by number
		leaves = []*schema.Node{item}
	} else {
		leaves = []*schema.Node{nil}
	}
	for _, l := range leaves {
		c := &vector.Vector{}
		build.Reset(c, vector.Type{Physical: vector.Boolean})
		if l != nil {
			c = emptyVector(l)
		}
		v.Children = append(v.Children, c)
	}
	for i := range w.rows {
		f := w.at(i, n)
		if f.null {
			build.NeedValidity(v)
			v.Len++
			v.Validity = append(v.Validity, 0)
			bits.Clear(v.Validity, i)
			v.Offsets = append(v.Offsets, v.Offsets[i])
			continue
		}
		v.Len++
		if len(v.Validity) > 0 {
			v.Validity = append(v.Validity, 0)
			bits.Set(v.Validity, i)
		}
		many := f.many
		if !n.IsBare() {
			many = f.fields[0].many
		}
		for _, o := range many {
			for k, l := range leaves {
				if l == nil {
					appendPlain(v.Children[k], []byte{0}, false)
					continue
				}
				appendNode(v.Children[k], l, o.fields[k])
			}
		}
		v.Offsets = append(v.Offsets, v.Offsets[i]+int32(len(many)))
	}
	return v
}

// emptyVector returns a vector without slots for a leaf or a struct.
func emptyVector(n *schema.Node) *vector.Vector {
	v := &vector.Vector{}
	build.Reset(v, n.Type)
	if n.Kind == schema.Struct {
		v.Layout = vector.Struct
		for _, c := range n.Children {
			v.Children = append(v.Children, emptyVector(c))
		}
	}
	return v
}

// appendNode adds a slot for a leaf or a struct. What stands in the fields of a
// struct that is NULL is a value wherever it need not be NULL.
func appendNode(v *vector.Vector, n *schema.Node, f raw) {
	if n.Kind == schema.Leaf {
		null := f.null || n.Type.Logical == vector.Null
		var plain []byte
		if !null {
			plain = f.leaf.plain
		}
		appendPlain(v, plain, null)
		return
	}
	if f.null {
		build.NeedValidity(v)
	}
	if v.Len++; len(v.Validity) > 0 {
		v.Validity = append(v.Validity, 0)[:bits.Words(v.Len)]
		bits.Clear(v.Validity, v.Len-1)
		if !f.null {
			bits.Set(v.Validity, v.Len-1)
		}
	}
	for i, c := range n.Children {
		switch {
		case !f.null:
			appendNode(v.Children[i], c, f.fields[i])
		case c.Kind == schema.Struct:
			appendNode(v.Children[i], c, raw{null: true})
		default:
			zero := make([]byte, max(c.Type.Width(), 1))
			if c.Type.Physical == vector.ByteArray {
				zero = nil
			}
			appendPlain(v.Children[i], zero, false)
		}
	}
}
