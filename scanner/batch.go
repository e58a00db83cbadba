package scanner

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// batchColumn is a column of the batches, or what the items of an unnested
// list are taken from.
type batchColumn struct {
	part       assemble.Part
	conversion *project.Conversion // nil where the file has what is wanted
	field      vector.Field
	plan       *assemble.Plan
	flat       bool // one leaf that is read as it is
	leaves     []*leaf

	levels []column.Levels // if it is not flat, of each leaf
	parts  []assemble.Leaf
	memory *columnMemory // of the batch
}

// startBatch makes c empty.
func (c *batchColumn) startBatch(memory *columnMemory) {
	c.memory = memory
	if memory.values == nil {
		memory.values = make([]*vector.Vector, len(c.leaves))
	}
	for i, v := range memory.values {
		if v == nil {
			v = new(vector.Vector)
			memory.values[i] = v
		}
		v.Reset(c.leaves[i].node.Type)
		if !c.flat {
			c.levels[i].Reset(v.Type)
			c.levels[i].Values = *v
		}
	}
}

// read adds the rows of a window.
func (c *batchColumn) read(sel *vector.Selection) error {
	if c.flat {
		return c.leaves[0].wrap(c.leaves[0].cursor.Read(sel, c.memory.values[0]))
	}
	for i, l := range c.leaves {
		if err := l.cursor.ReadLevels(sel, &c.levels[i]); err != nil {
			return l.wrap(err)
		}
	}
	return nil
}

// vector returns what the windows since startBatch gave, n rows. The error
// comes with the row that it is about.
func (c *batchColumn) vector(n int) (*vector.Vector, int, error) {
	if c.flat {
		return c.conversion.Convert(c.memory.values[0])
	}
	for i, source := range c.plan.Sources() {
		l := &c.levels[i]
		c.parts[i] = assemble.Leaf{}
		if source.Node.MaxRep > 0 {
			c.parts[i].Rep = l.Rep
		}
		if source.Node.MaxDef > 0 {
			c.parts[i].Def = l.Def
		}
		*c.memory.values[i] = l.Values
		l.Values = vector.Vector{}
		if !source.Levels {
			c.parts[i].Values = c.memory.values[i]
		}
	}
	v, err := c.plan.Assemble(c.memory.root, c.parts, n)
	if err != nil {
		return nil, -1, err
	}
	if v.Form != vector.Constant {
		c.memory.root = v
	}
	return c.conversion.Convert(v)
}

// batch makes a batch of what was gathered.
func (s *scan) batch(rowGroup, n int) (*vector.Batch, error) {
	b := &vector.Batch{Fields: s.fields, Len: n, Columns: make([]*vector.Vector, 0, len(s.fields))}
	for i := range s.columns {
		c := &s.columns[i]
		v, slot, err := c.vector(n)
		if err != nil {
			if slot >= 0 {
				err = project.AtRow(s.numbers[slot], err)
			}
			return nil, s.file.wrap(rowGroup, c.name(), -1, err)
		}
		b.Columns = append(b.Columns, v)
	}
	if s.opts.RowNumber != "" {
		b.Columns = append(b.Columns, s.rowNumbers(rowGroup))
	}
	if s.unnest != nil {
		s.unnest.apply(b)
	}
	memory := s.memory
	b.OnRelease(func() { s.pool.give(memory) })
	return b, nil
}

// name returns what the column is called in errors.
func (c *batchColumn) name() string {
	if n := c.part.Node; n != nil {
		return n.String()
	}
	return schema.FormatPath([]string{c.field.Name})
}

// rowNumbers returns the numbers of the batch's rows within the file.
func (s *scan) rowNumbers(rowGroup int) *vector.Vector {
	first := s.firstRow(rowGroup)
	v := &vector.Vector{Type: vector.Type{Physical: vector.Int64}}
	v.Extend(len(s.numbers))
	for i, row := range s.numbers {
		v.Int64s[i] = first + row
	}
	return v
}

// rowsInFront is how many rows of the file are in front of a row group.
type rowsInFront struct {
	of   int
	rows int64
}

// firstRow returns the number of a row group's first row within the file. It
// adds up from the one that it was asked for last.
func (s *scan) firstRow(rowGroup int) int64 {
	if rowGroup < s.inFront.of {
		s.inFront = rowsInFront{}
	}
	for ; s.inFront.of < rowGroup; s.inFront.of++ {
		s.inFront.rows += s.file.footer.RowGroups[s.inFront.of].NumRows
	}
	return s.inFront.rows
}
