package vector

import (
	"strconv"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Slots writes the slots of one column, nested or not, as JSON or text. Not safe
// for concurrent use.
//
//	column              JSON                       text
//	NULL                null                       nothing
//	leaf                as Type.JSON has it        as Type.Text has it
//	struct              {"a":1,"b":null}           the same
//	list                [1,null]                   the same
//	map                 [{"key":1,"value":2}]      the same
//	VARIANT             its value, see Variants    the same
type Slots struct {
	node slotNode
	err  error
}

// slotNode writes the slots of one vector.
type slotNode struct {
	layout   Layout
	text     bool // the top of a column that is written as text
	format   Formatter
	keys     []string // the text before each field of a struct, or of a map's pairs, as {"a":
	children []slotNode
	variants *Variants // of a VARIANT
	fault    error     // why values of a VARIANT cannot be written
	v        *Vector
}

// JSON returns Slots that write columns like f as JSON, without white space. All
// fields of the same name are written.
func (f *Field) JSON() *Slots { return &Slots{node: newSlotNode(f)} }

// Text returns Slots that write columns like f as text.
func (f *Field) Text() *Slots {
	s := f.JSON()
	s.node.text = true
	if f.Layout == Leaf {
		s.node.format = f.Type.Text()
	}
	return s
}

func newSlotNode(f *Field) slotNode {
	n := slotNode{layout: f.Layout}
	if f.Layout == Leaf {
		n.format = f.Type.JSON()
	}
	if f.isVariant() {
		n.variants, n.fault = f.Variants()
		return n
	}
	for i := range f.Children {
		n.children = append(n.children, newSlotNode(&f.Children[i]))
	}
	switch f.Layout {
	case Struct:
		n.keys = jsonKeys(f.Children)
	case Map:
		n.keys = jsonKeys([]Field{{Name: "key"}, {Name: "value"}})
	}
	return n
}

// jsonKeys returns the text before the value of each field of an object: {"a": then ,"b":
func jsonKeys(fields []Field) []string {
	all := make([]string, 0, len(fields))
	open := byte('{')
	for i := range fields {
		key := appendQuoted([]byte{open}, []byte(fields[i].Name))
		all = append(all, string(append(key, ':')))
		open = ','
	}
	return all
}

// Use makes v the vector whose slots Append writes.
func (s *Slots) Use(v *Vector) { s.node.use(v) }

func (n *slotNode) use(v *Vector) {
	n.v = v
	if n.variants != nil {
		n.variants.Use(v)
	}
	for i := range n.children {
		if i < len(v.Children) {
			n.children[i].use(v.Children[i])
		}
	}
}

// Append appends slot i. If its value cannot be written, it returns dst as it was, with an error.
func (s *Slots) Append(dst []byte, i int) ([]byte, error) {
	s.err = nil
	start := len(dst)
	if dst = s.append(&s.node, dst, i); s.err != nil {
		return dst[:start], s.err
	}
	return dst, nil
}

func (s *Slots) append(n *slotNode, dst []byte, i int) []byte {
	v := n.v
	if v.Form == Constant {
		i = 0
	}
	if len(v.Validity) > 0 && !bits.Get(v.Validity, i) {
		if n.text {
			return dst
		}
		return append(dst, "null"...)
	}
	switch n.layout {
	case Leaf:
		return s.appendLeaf(n, dst, i)
	case Struct:
		if n.variants != nil || n.fault != nil {
			return s.appendVariant(n, dst, i)
		}
		return s.appendObject(n, dst, i)
	}
	dst = append(dst, '[')
	from, to := int(v.Offsets[i]), int(v.Offsets[i+1])
	for j := from; j < to; j++ {
		if j > from {
			dst = append(dst, ',')
		}
		if n.layout == List {
			dst = s.append(&n.children[0], dst, j)
		} else {
			dst = s.appendObject(n, dst, j)
		}
	}
	return append(dst, ']')
}

// appendObject appends slot i of each child as a field. A map may have keys only.
func (s *Slots) appendObject(n *slotNode, dst []byte, i int) []byte {
	if len(n.keys) == 0 {
		return append(dst, '{', '}')
	}
	for c, key := range n.keys {
		dst = append(dst, key...)
		if c < len(n.children) {
			dst = s.append(&n.children[c], dst, i)
		} else {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, '}')
}

func (s *Slots) appendVariant(n *slotNode, dst []byte, i int) []byte {
	err := n.fault
	if err == nil {
		dst, err = n.variants.AppendJSON(dst, i)
	}
	if err != nil && s.err == nil {
		s.err = err
	}
	return dst
}

func (s *Slots) appendLeaf(n *slotNode, dst []byte, i int) []byte {
	v := n.v
	if v.Form == Dictionary {
		v, i = v.Dict, int(v.Codes[i])
	}
	f := &n.format
	if f.logical == Null {
		if n.text {
			return dst
		}
		return append(dst, "null"...)
	}
	switch f.physical {
	case Boolean:
		return strconv.AppendBool(dst, bits.Get(v.Bools, i))
	case Int32:
		return f.int32(dst, v.Int32s[i])
	case Int64:
		return f.int64(dst, v.Int64s[i])
	case Float:
		return f.float(dst, float64(v.Floats[i]), 32)
	case Double:
		return f.float(dst, v.Doubles[i], 64)
	}
	var b []byte
	if f.physical == ByteArray {
		b = v.Views[i].Bytes(v.Buffers)
	} else {
		b = v.Bytes(i)
	}
	dst, err := f.bytes(dst, b)
	if err != nil && s.err == nil {
		s.err = err
	}
	return dst
}

// Rows writes the rows of batches as JSON objects. Not safe for concurrent use.
type Rows struct {
	slots *Slots
	v     Vector // a struct of the batch's columns
}

// JSONRows returns Rows that write rows with these columns, one object each:
//
//	{"a":1,"b":[]}
//
// All columns of the same name are written.
func JSONRows(fields []Field) *Rows {
	row := Field{Layout: Struct, Children: fields}
	return &Rows{slots: row.JSON()}
}

// Use makes b the batch whose rows Append writes.
func (r *Rows) Use(b *Batch) {
	r.v = Vector{Layout: Struct, Len: b.Len, Children: b.Columns}
	r.slots.Use(&r.v)
}

// Append appends row i. If a value cannot be written, it returns dst as it was, with an error.
func (r *Rows) Append(dst []byte, i int) ([]byte, error) { return r.slots.Append(dst, i) }
