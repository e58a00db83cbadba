package icebergscan

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/apache/iceberg-go"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// binding is how a table's columns are found in one file. Columns are wanted by the names that
// the file has for their ids, and others by names that the file does not have.
type binding struct {
	reader    *Reader
	file      *scanner.File
	ids       map[*schema.Node]int  // of the file's columns
	nodes     map[int]*schema.Node  // the reverse, of columns outside of lists and maps
	partition map[int]vector.Scalar // identity partition values, by field id
	known     map[int]string        // paths of constants for filters, by field id
	constants filter.Constants
}

// bindFile returns how columns are found in a file. partition may be nil.
func (r *Reader) bindFile(f *scanner.File, partition map[int]vector.Scalar) (*binding, error) {
	b := &binding{reader: r, file: f, ids: map[*schema.Node]int{}, nodes: map[int]*schema.Node{},
		partition: partition, known: map[int]string{}, constants: filter.Constants{}}
	root := f.Schema().Root()
	if b.readIDs(root); len(b.ids) == 0 {
		if r.mapping == nil {
			return nil, fmt.Errorf("%s: the file has no field ids, and the table no name mapping", f.Name())
		}
		b.mapNames(root, r.mapping)
	}
	b.index(root)
	return b, nil
}

// readIDs notes the field ids of the nodes below n.
func (b *binding) readIDs(n *schema.Node) {
	for _, c := range n.Children {
		if c.HasFieldID {
			b.ids[c] = int(c.FieldID)
		}
		b.readIDs(c)
	}
}

// mapNames gives the fields of a struct the ids that a name mapping has for their names.
func (b *binding) mapNames(of *schema.Node, mapping []iceberg.MappedField) {
	parent := iceberg.MappedField{Fields: mapping}
	for _, n := range of.Children {
		b.mapName(n, parent.GetField(n.Name))
	}
}

func (b *binding) mapName(n *schema.Node, m *iceberg.MappedField) {
	if m == nil {
		return
	}
	if m.FieldID != nil {
		b.ids[n] = *m.FieldID
	}
	switch n.Kind {
	case schema.Struct:
		b.mapNames(n, m.Fields)
	case schema.List:
		b.mapName(n.Item(), m.GetField("element"))
	case schema.Map:
		b.mapName(n.Key(), m.GetField("key"))
		if n.Value() != nil {
			b.mapName(n.Value(), m.GetField("value"))
		}
	}
}

// index notes the nodes of columns, through structs.
func (b *binding) index(of *schema.Node) {
	for _, n := range of.Children {
		if id, ok := b.ids[n]; ok && b.nodes[id] == nil && !n.IsBare() {
			b.nodes[id] = n
		}
		if n.Kind == schema.Struct && !n.IsBare() {
			b.index(n)
		}
	}
}

// find returns the node of a column among the fields of a struct, nil if there is none.
func (b *binding) find(fields []*schema.Node, id int) (*schema.Node, error) {
	for i, n := range fields {
		if have, ok := b.ids[n]; !ok || have != id {
			continue
		}
		return n, b.isFirst(n, fields[:i])
	}
	return nil, nil
}

// isFirst returns an error if a field before n has its name, by which the scan would find that one.
func (b *binding) isFirst(n *schema.Node, before []*schema.Node) error {
	if slices.ContainsFunc(before, func(f *schema.Node) bool { return f.Name == n.Name }) {
		return fmt.Errorf("%s: two columns have the name %q: %w", b.file.Name(), n.Name, ErrUnsupported)
	}
	return nil
}

// want returns how a column is wanted of the file, given the fields of the struct that it is
// in, and how its vectors become the table's.
func (b *binding) want(c *column, fields []*schema.Node) (scanner.Want, *repair, error) {
	n, err := b.find(fields, c.id)
	if err != nil {
		return scanner.Want{}, nil, err
	}
	if v, ok := b.partition[c.id]; ok && c.layout == vector.Leaf || n == nil {
		w := c.missing(freeName(c.name, c.id, fields))
		if ok {
			w.Default = v
		}
		if c.required && w.Default.IsNull() {
			return w, nil, fmt.Errorf("%s: column %s is required, and the file lacks it", b.file.Name(), c.name)
		}
		return w, nil, nil
	}
	return b.wantNode(c, n)
}

// wantNode is want for the node of the column, or of a list's item or a map's key or value.
func (b *binding) wantNode(c *column, n *schema.Node) (scanner.Want, *repair, error) {
	w := scanner.Want{Name: n.Name, Layout: c.layout, Type: c.typ}
	var nodes []*schema.Node
	switch {
	case c.layout == vector.Leaf:
		if n.Kind != schema.Leaf {
			return w, nil, nil // the scan says what is wrong
		}
		var fix func(*vector.Vector) error
		w.Type, fix = storedAs(n.Type, c.typ)
		if fix == nil {
			return w, nil, nil
		}
		return w, &repair{values: fix}, nil
	case c.layout == vector.List && n.IsBare():
		nodes = []*schema.Node{n}
	case c.layout == vector.List && n.Kind == schema.List:
		nodes = []*schema.Node{n.Item()}
	case c.layout == vector.Map && n.Kind == schema.Map && n.Value() != nil:
		nodes = []*schema.Node{n.Key(), n.Value()}
	}
	rep, needed := &repair{}, false
	for i := range c.children {
		child := &c.children[i]
		var w1 scanner.Want
		var below *repair
		var err error
		switch {
		case c.layout == vector.Struct:
			w1, below, err = b.want(child, n.Children)
		case nodes == nil:
			w1 = child.missing(child.name)
		default:
			w1, below, err = b.wantNode(child, nodes[i])
		}
		if err != nil {
			return w, nil, err
		}
		w.Children = append(w.Children, w1)
		rep.children = append(rep.children, below)
		needed = needed || below != nil
	}
	if !needed {
		rep = nil
	}
	return w, rep, nil
}

// missing returns a want that no file has, with the column's default.
func (c *column) missing(name string) scanner.Want {
	w := scanner.Want{Name: name, Layout: c.layout, Type: c.typ, Default: c.initial}
	for i := range c.children {
		w.Children = append(w.Children, c.children[i].missing(c.children[i].name))
	}
	return w
}

// freeName returns a name for a column that is none of fields' names.
func freeName(name string, id int, fields []*schema.Node) string {
	for slices.ContainsFunc(fields, func(n *schema.Node) bool { return n.Name == name }) {
		name += "#" + strconv.Itoa(id)
	}
	return name
}

// filterPath returns the path by which a condition names a column: that of the file, or of a
// constant if the file lacks the column or its value is known.
func (b *binding) filterPath(id int) (string, error) {
	if path, ok := b.known[id]; ok {
		return path, nil
	}
	value, constant := b.partition[id]
	n := b.nodes[id]
	if !constant && n != nil {
		for in := n; in.Parent != nil; in = in.Parent {
			fields := in.Parent.Children
			if err := b.isFirst(in, fields[:slices.Index(fields, in)]); err != nil {
				return "", err
			}
		}
		return schema.FormatPath(n.Path()), nil
	}
	f, ok := b.reader.fieldByID(id)
	if !ok {
		return "", fmt.Errorf("a condition on field %d, which no schema of the table has: %w", id, ErrUnsupported)
	}
	c, err := columnOf(f, f.Name)
	if err != nil {
		return "", err
	}
	if !constant {
		if value = c.initial; value.IsNull() {
			value = vector.NullOf(c.typ)
		} else if full, _ := b.reader.schema.FindColumnName(id); full != f.Name {
			return "", fmt.Errorf("%s: a condition on %s, a field of a struct that the file lacks and that has a default: %w", b.file.Name(), full, ErrUnsupported)
		}
	}
	path := schema.FormatPath([]string{freeName(f.Name, id, b.file.Schema().Root().Children)})
	b.known[id], b.constants[path] = path, value
	return path, nil
}

// fieldByID returns a field of the scan's schema, or else of the newest schema that has it.
func (r *Reader) fieldByID(id int) (iceberg.NestedField, bool) {
	if f, ok := r.schema.FindFieldByID(id); ok {
		return f, true
	}
	for _, s := range slices.Backward(r.metadata.Schemas()) {
		if f, ok := s.FindFieldByID(id); ok {
			return f, true
		}
	}
	return iceberg.NestedField{}, false
}

// partitionOf returns the identity partition values of a data file, by the ids of the columns.
func (r *Reader) partitionOf(file iceberg.DataFile) (map[int]vector.Scalar, error) {
	spec := r.metadata.PartitionSpecByID(int(file.SpecID()))
	if spec == nil || spec.IsUnpartitioned() {
		return nil, nil
	}
	var values map[int]vector.Scalar
	data := file.Partition()
	for _, p := range spec.Fields() {
		v, ok := data[p.FieldID]
		if _, identity := p.Transform.(iceberg.IdentityTransform); !identity || !ok || len(p.SourceIDs) != 1 {
			continue
		}
		f, ok := r.fieldByID(p.SourceID())
		if !ok {
			continue
		}
		switch f.Type.(type) {
		case iceberg.Float32Type, iceberg.Float64Type: // one partition has -0 and +0
			continue
		}
		t, err := leafType(f.Type)
		if err != nil {
			continue // an error if the column is wanted
		}
		s, err := scalarOf(t, f.Type, v)
		if err != nil {
			return nil, fmt.Errorf("%s: partition value of %s: %w", file.FilePath(), f.Name, err)
		}
		if values == nil {
			values = map[int]vector.Scalar{}
		}
		values[f.ID] = s
	}
	return values, nil
}
