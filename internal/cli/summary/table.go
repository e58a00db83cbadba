package summary

import (
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Table sums up the columns of batches. Not safe for concurrent use: a table for
// each goroutine, merged in the end, is.
type Table struct {
	Rows    int64
	Columns []*Column // the leaves, in their order
	nodes   []node
}

// node is a column or a part of one.
type node struct {
	layout   vector.Layout
	leaf     *Column
	children []node
}

// New returns a table of columns like fields.
func New(fields []vector.Field) *Table {
	t := &Table{}
	for i := range fields {
		t.nodes = append(t.nodes, t.node(nil, &fields[i]))
	}
	return t
}

func (t *Table) node(path []string, f *vector.Field) node {
	path = append(slices.Clone(path), f.Name)
	n := node{layout: f.Layout}
	if f.Layout == vector.Leaf {
		n.leaf = newColumn(path, f.Type)
		n.leaf.Stored = f.Stored
		t.Columns = append(t.Columns, n.leaf)
	}
	for i := range f.Children {
		n.children = append(n.children, t.node(path, &f.Children[i]))
	}
	return n
}

// Add adds the rows of a batch. If it returns true, the batch must not be
// released: its dictionaries are needed until the next ones come.
func (t *Table) Add(b *vector.Batch) (holds bool) {
	t.Rows += int64(b.Len)
	for i, v := range b.Columns {
		if t.nodes[i].add(v, nil) {
			holds = true
		}
	}
	return holds
}

// add adds the slots of a vector that outside has bits of, nil for all.
func (n *node) add(v *vector.Vector, outside []uint64) (holds bool) {
	switch {
	case n.leaf != nil:
		return n.leaf.add(v, outside)
	case n.layout != vector.Struct:
		outside = nil // NULL lists have no items
	case len(v.Validity) > 0 && outside != nil:
		both := slices.Clone(v.Validity[:bits.Words(v.Len)])
		bits.And(both, outside)
		outside = both
	case len(v.Validity) > 0:
		outside = v.Validity
	}
	for i := range n.children {
		if i < len(v.Children) && n.children[i].add(v.Children[i], outside) {
			holds = true
		}
	}
	return holds
}

// Finish is called after the last batch.
func (t *Table) Finish() {
	for _, c := range t.Columns {
		c.flush()
	}
}

// Merge adds what another finished table of the same columns has.
func (t *Table) Merge(o *Table) {
	t.Rows += o.Rows
	for i, c := range t.Columns {
		c.merge(o.Columns[i])
	}
}

func (c *Column) merge(o *Column) {
	c.Slots += o.Slots
	c.Nulls += o.Nulls
	c.NaNs += o.NaNs
	switch {
	case !o.any:
	case !c.any:
		c.extremes = o.extremes
	case c.kind.hasKeys():
		c.low, c.high = min(c.low, o.low), max(c.high, o.high)
	default:
		if c.kind.compare(o.least, c.least) < 0 {
			c.least = o.least
		}
		if c.kind.compare(o.most, c.most) > 0 {
			c.most = o.most
		}
	}
	c.mean.merge(&o.mean)
	if c.distinct != nil || o.distinct != nil || len(c.keys.counts)+len(o.keys.counts)+len(c.texts.counts)+len(o.texts.counts) > maxCounted {
		c.estimate()
		o.estimate()
		c.distinct.merge(o.distinct)
	}
	c.keys.merge(&o.keys)
	c.texts.merge(&o.texts)
	switch {
	case c.values == nil:
		c.values = o.values
	case o.values != nil:
		c.values.merge(o.values)
	}
}
