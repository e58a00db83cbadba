package gen

import "fmt"

// The values of rows: a Record for the row and for each group, []any for
// lists and repeated fields, []KV for maps, nil for NULL. A leaf takes bool,
// any integer type, float32, float64, string, []byte, or [12]byte for INT96.
type (
	Record map[string]any
	KV     struct{ Key, Value any }
)

// Data is a stretch of a column in levels and values. Rep is nil where the
// maximum repetition level is 0, Def where the maximum definition level is 0.
// Values is one of []bool, []int32, []int64, [][12]byte, []float32, []float64
// and, for both kinds of byte array, []string; it holds no nulls.
type Data struct {
	Rep, Def []uint32
	Values   any
}

// Shred turns rows into the columns of schema.
func Shred(schema []*Node, rows []any) ([]Data, error) {
	leaves := Leaves(schema)
	s := shredder{cols: make([]Data, len(leaves)), depth: map[*Node]Leaf{}, index: map[*Node]int{}}
	for i, l := range leaves {
		s.cols[i].Values = noValues(l.Type)
		s.index[l.Node] = i
		s.depth[l.Node] = l
	}
	for i, row := range rows {
		if err := s.group(schema, row, 0, 0, 0); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	return s.cols, nil
}

type shredder struct {
	cols  []Data
	depth map[*Node]Leaf
	index map[*Node]int
}

func (s *shredder) group(fields []*Node, v any, rep, def, maxRep uint32) error {
	rec, ok := v.(Record)
	if !ok {
		return fmt.Errorf("a group wants a Record, not %T", v)
	}
	known := 0
	for _, f := range fields {
		fv, present := rec[f.Name]
		if present {
			known++
		}
		if err := s.field(f, fv, rep, def, maxRep); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if known < len(rec) {
		return fmt.Errorf("record %v has fields that the schema lacks", rec)
	}
	return nil
}

// field writes v at a field whose parent stands at levels rep and def.
func (s *shredder) field(n *Node, v any, rep, def, maxRep uint32) error {
	switch n.Repetition {
	case Maybe:
		if v == nil {
			s.null(n, rep, def)
			return nil
		}
		return s.present(n, v, rep, def+1, maxRep)
	case Many:
		items, ok := v.([]any)
		if !ok && v != nil {
			return fmt.Errorf("a repeated field wants []any, not %T", v)
		}
		if len(items) == 0 {
			s.null(n, rep, def)
		}
		for i, item := range items {
			if i > 0 {
				rep = maxRep + 1
			}
			if err := s.present(n, item, rep, def+1, maxRep+1); err != nil {
				return err
			}
		}
		return nil
	}
	return s.present(n, v, rep, def, maxRep)
}

func (s *shredder) present(n *Node, v any, rep, def, maxRep uint32) error {
	switch {
	case n.Type != Group:
		return s.value(n, v, rep, def)
	case n.isMap():
		kvs, ok := v.([]KV)
		if !ok {
			return fmt.Errorf("a map wants []KV, not %T", v)
		}
		kvNode := n.Children[0]
		entries := make([]any, len(kvs))
		for i, kv := range kvs {
			e := Record{kvNode.Children[0].Name: kv.Key}
			if len(kvNode.Children) == 2 {
				e[kvNode.Children[1].Name] = kv.Value
			}
			entries[i] = e
		}
		return s.field(kvNode, entries, rep, def, maxRep)
	case n.isList():
		items, ok := v.([]any)
		if !ok {
			return fmt.Errorf("a list wants []any, not %T", v)
		}
		mid := n.Children[0]
		if n.isWrapped() {
			wrapped := make([]any, len(items))
			for i, item := range items {
				wrapped[i] = Record{mid.Children[0].Name: item}
			}
			items = wrapped
		}
		return s.field(mid, items, rep, def, maxRep)
	}
	return s.group(n.Children, v, rep, def, maxRep)
}

// null writes one empty slot into each leaf below n.
func (s *shredder) null(n *Node, rep, def uint32) {
	if n.Type != Group {
		s.levels(n, rep, def)
		return
	}
	for _, c := range n.Children {
		s.null(c, rep, def)
	}
}

func (s *shredder) levels(n *Node, rep, def uint32) {
	c, l := &s.cols[s.index[n]], s.depth[n]
	if l.MaxRep > 0 {
		c.Rep = append(c.Rep, rep)
	}
	if l.MaxDef > 0 {
		c.Def = append(c.Def, def)
	}
}

func (s *shredder) value(n *Node, v any, rep, def uint32) error {
	c := &s.cols[s.index[n]]
	values, err := appendValue(c.Values, n, v)
	if err != nil {
		return err
	}
	c.Values = values
	s.levels(n, rep, def)
	return nil
}

// Slots returns the number of slots, nulls included.
func (d Data) Slots() int {
	switch {
	case d.Def != nil:
		return len(d.Def)
	case d.Rep != nil:
		return len(d.Rep)
	}
	return countValues(d.Values)
}

// Rows returns the number of rows that start in d.
func (d Data) Rows() int {
	if d.Rep == nil {
		return d.Slots()
	}
	n := 0
	for _, r := range d.Rep {
		if r == 0 {
			n++
		}
	}
	return n
}

// present counts the values that Def promises.
func (d Data) present(maxDef uint32) int {
	if d.Def == nil {
		return countValues(d.Values)
	}
	n := 0
	for _, l := range d.Def {
		if l == maxDef {
			n++
		}
	}
	return n
}

// cutSlots cuts d behind each of the given numbers of slots; the last size
// repeats until d ends.
func (d Data) cutSlots(l Leaf, sizes []int) []Data {
	if len(sizes) == 0 {
		return []Data{d}
	}
	var parts []Data
	slot, value, slots := 0, 0, d.Slots()
	for i := 0; slot < slots || i < len(sizes); i++ {
		size := sizes[min(i, len(sizes)-1)]
		if size <= 0 && i >= len(sizes) {
			break
		}
		end := min(slot+size, slots)
		part := Data{}
		if d.Rep != nil {
			part.Rep = d.Rep[slot:end:end]
		}
		if d.Def != nil {
			part.Def = d.Def[slot:end:end]
		}
		values := end - slot
		if part.Def != nil {
			values = part.present(l.MaxDef)
		}
		part.Values = sliceValues(d.Values, value, value+values)
		parts = append(parts, part)
		slot, value = end, value+values
	}
	return parts
}

// cutRows cuts d behind each of the given numbers of rows, like cutSlots.
func (d Data) cutRows(l Leaf, rows []int) []Data {
	if len(rows) == 0 {
		return []Data{d}
	}
	if d.Rep == nil {
		return d.cutSlots(l, rows)
	}
	var sizes []int
	page, left, start := 0, rows[0], 0
	for slot, r := range d.Rep {
		if r != 0 {
			continue
		}
		for left == 0 && (page < len(rows)-1 || rows[len(rows)-1] > 0) {
			sizes = append(sizes, slot-start)
			start = slot
			page++
			left = rows[min(page, len(rows)-1)]
		}
		left--
	}
	return d.cutSlots(l, append(sizes, len(d.Rep)-start))
}
