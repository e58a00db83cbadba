package forms

import (
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
)

// DictionaryConverter brings the columns of one batch after the other to the forms of their fields. The
// zero DictionaryConverter is ready.
type DictionaryConverter struct{ columns []node }

// node has what a field needs from batch to batch.
type node struct {
	encoder  *Encoder // of a leaf that always is a dictionary
	children []node
}

// Convert brings the columns of b to the forms of b's fields. It changes the vectors, which
// nobody else may use, but not the dictionaries that they refer to.
func (d *DictionaryConverter) Convert(b *vector.Batch) {
	if len(d.columns) != len(b.Fields) {
		d.columns = make([]node, len(b.Fields))
	}
	for i := range b.Columns {
		d.columns[i].apply(&b.Fields[i], b.Columns[i])
	}
}

func (n *node) apply(f *vector.Field, v *vector.Vector) {
	if v.Layout == vector.Leaf {
		n.applyLeaf(f, v)
		return
	}
	if v.Form == vector.Constant {
		if !hasAlways(f) {
			return
		}
		v.Flatten() // the leaves below need a slot for each of v's
	}
	if n.children == nil {
		n.children = make([]node, len(f.Children))
	}
	for i, c := range v.Children {
		n.children[i].apply(&f.Children[i], c)
	}
}

func (n *node) applyLeaf(f *vector.Field, v *vector.Vector) {
	switch f.Dictionary {
	case vector.DictionaryNever:
		if v.Form == vector.Dictionary {
			v.Flatten()
		}
	case vector.DictionaryAlways:
		if n.encoder == nil {
			n.encoder = new(Encoder)
		}
		n.encoder.Encode(v, f.Stored != nil && f.Stored.Ordered)
	}
}

// hasAlways reports whether a leaf at or below f always is a dictionary.
func hasAlways(f *vector.Field) bool {
	return f.Layout == vector.Leaf && f.Dictionary == vector.DictionaryAlways ||
		slices.ContainsFunc(f.Children, func(c vector.Field) bool { return hasAlways(&c) })
}
