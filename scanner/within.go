package scanner

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
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
		needs := []assemble.Projected{project.Along(place.Steps)}
		if place.Metadata != nil {
			needs = append(needs, assemble.Whole(place.Metadata))
		}
		var inputs []*filterInput
		for _, need := range needs {
			input, _, err := s.newColumn(project.Output{Projected: need})
			if err != nil {
				return c, vector.Field{}, err
			}
			for _, l := range input.leaves {
				if i == 0 {
					c.leaves = append(c.leaves, l)
				} else {
					l.onDemand = true
				}
			}
			inputs = append(inputs, &filterInput{batchColumn: input, scan: s})
		}
		p.inputs = append(p.inputs, inputs)
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
	n := int(rows.To - rows.From)
	var all column.Selection
	if rows.Sel == nil {
		all.Fill(n)
		rows.Sel = &all
	}
	s := p.inputs[0][0].scan
	err := p.of.Read(p.values, rows.Sel.Bits, n, func(place int, sel []uint64) ([]*vector.Vector, error) {
		var columns []*vector.Vector
		for _, input := range p.inputs[place] {
			v, err := input.Read(rows.Select(&column.Selection{Bits: sel, N: n}))
			if err != nil {
				return nil, err
			}
			columns = append(columns, v)
		}
		return columns, nil
	})
	return s.file.wrap(s.run.group, p.of.Root.String(), -1, err)
}

// bytes returns the bytes of the values.
func (p *pathColumn) bytes() int64 {
	n := reorder.Held(p.values)
	for _, v := range append(p.values.Children, p.values) {
		n += reorder.Held(v)
		if len(v.Buffers) > 0 {
			n += int64(len(v.Buffers[len(v.Buffers)-1]))
		}
	}
	return n
}

// varying returns the chunks whose values the column may have copies of.
func (p *pathColumn) varying() (chunks []window.Varying) {
	for _, inputs := range p.inputs {
		for _, input := range inputs {
			for _, l := range input.leaves {
				if l.node.Type.Store() == vector.InViews {
					chunks = append(chunks, window.Varying{Bytes: l.chunk.Meta.UncompressedSize, Rows: l.rows})
				}
			}
		}
	}
	return chunks
}

func (p *pathColumn) startBatch() { p.values = build.New(&p.of.Field) }
