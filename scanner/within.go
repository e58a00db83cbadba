package scanner

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/scanner/internal/project"
	"github.com/winnow-scan/winnow/scanner/internal/reorder"
	"github.com/winnow-scan/winnow/scanner/internal/window"
)

// pathColumn reads the values that a path leads to within a VARIANT, from one place after the other: where a shredded field
// has the values of all rows, nothing else is read.
type pathColumn struct {
	of     *compile.Path
	inputs [][]*filterInput // by place
	values *vector.Vector   // of the batch
}

// newPathColumn is newColumn for a path.
func (s *scan) newPathColumn(of *compile.Path) (batchColumn, vector.Field, error) {
	p := &pathColumn{of: of}
	c := batchColumn{node: of.Root, path: p}
	for i, place := range of.Places {
		var inputs []*filterInput
		for _, node := range []*schema.Node{place.Metadata, place.Node} {
			if node == nil {
				continue
			}
			input, _, err := s.newColumn(project.Output{Projected: assemble.Whole(node)})
			if err != nil {
				return c, vector.Field{}, err
			}
			for _, l := range input.leaves {
				l.within = true
			}
			if i == 0 {
				c.leaves = append(c.leaves, input.leaves...)
			}
			inputs = append(inputs, &filterInput{batchColumn: input, scan: s})
		}
		p.inputs = append(p.inputs, inputs)
		for _, test := range place.Tests {
			s.leafOf(test.Test.Leaf).within = true
		}
	}
	field := of.Field
	field.Dictionary = s.dictionaries.Named(field.Name)
	for i := range field.Children {
		field.Children[i].Dictionary = s.dictionaries.Named(field.Name, field.Children[i].Name)
	}
	return c, field, nil
}

// read appends the values of the selected rows.
func (p *pathColumn) read(rows window.Rows) error {
	var all column.Selection
	if rows.Sel == nil {
		all.Fill(int(rows.To - rows.From))
		rows.Sel = &all
	}
	s := p.inputs[0][0].scan
	found := p.of.Find(rows.Sel.N)
	var left, here column.Selection
	left.Copy(rows.Sel)
	for k, n := 0, len(p.of.Places); k < n; k++ {
		i := (n - k) % n // the first place, then from the outermost one on: no field is looked into where an outer value decides
		place := p.of.Places[i]
		here.Copy(&left)
		for _, test := range place.Tests {
			if here.None() {
				break
			}
			l := s.leafOf(test.Test.Leaf)
			cursor, err := l.Enter(rows.From, rows.To)
			if err == nil {
				err = l.wrap(cursor.Filter(&here, test.Test.Pred))
			}
			if err != nil {
				return err
			}
		}
		if here.None() {
			continue
		}
		left.AndNot(&here)
		var columns []*vector.Vector
		for _, input := range p.inputs[i] {
			v, err := input.Read(rows.Select(&here))
			if err != nil {
				return err
			}
			columns = append(columns, v)
		}
		if err := found.Add(place, columns, here.Bits); err != nil {
			return s.file.wrap(s.run.group, p.of.Root.String(), -1, err)
		}
	}
	found.AppendTo(p.values, rows.Sel.Bits)
	return nil
}

// bytes returns the bytes of the values.
func (p *pathColumn) bytes() (n int64) {
	for _, v := range append([]*vector.Vector{p.values}, p.values.Children...) {
		n += reorder.Held(v)
		if len(v.Buffers) > 0 {
			n += int64(len(v.Buffers[len(v.Buffers)-1]))
		}
	}
	return n
}
