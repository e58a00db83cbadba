package scanner

import (
	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/assemble"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/scanner/internal/idle"
	"github.com/winnow-scan/winnow/scanner/internal/project"
	"github.com/winnow-scan/winnow/scanner/internal/reorder"
	"github.com/winnow-scan/winnow/scanner/internal/window"
)

// batchColumn is a column of the batches, or the list that is unnested.
type batchColumn struct {
	node       *schema.Node        // nil if the file lacks it
	conversion *project.Conversion // nil if the file has the wanted type
	leaves     []*leaf
	nesting    *nesting     // nil: one leaf whose values need no assembly
	memory     *idle.Column // of the batch
	path       *pathColumn  // not nil: of values within a VARIANT, which have no other memory
}

// nesting is how a column is assembled from its leaves.
type nesting struct {
	plan   *assemble.Plan
	levels []column.Levels // by leaf
	parts  []assemble.Leaf
}

// startBatch empties the column for a new batch, whose memory is given.
func (c *batchColumn) startBatch(memory *idle.Column) {
	c.memory = memory
	if c.path != nil {
		c.path.values = build.New(&c.path.of.Field)
		return
	}
	if memory.Values == nil {
		memory.Values = make([]*vector.Vector, len(c.leaves))
	}
	for i, v := range memory.Values {
		if v == nil {
			v = new(vector.Vector)
			memory.Values[i] = v
		}
		build.Reset(v, c.leaves[i].node.Type)
		if c.nesting != nil {
			l := &c.nesting.levels[i]
			l.Reset(v.Type)
			l.Values = *v
		}
	}
}

// read appends the selected rows of the leaves' window.
func (c *batchColumn) read(rows window.Rows) error {
	if c.path != nil {
		return c.path.read(rows)
	}
	sel := rows.Sel
	if c.nesting == nil {
		return c.leaves[0].wrap(c.leaves[0].cursor.Read(sel, c.memory.Values[0]))
	}
	for i, l := range c.leaves {
		if err := l.cursor.ReadLevels(sel, &c.nesting.levels[i]); err != nil {
			return l.wrap(err)
		}
	}
	return nil
}

// vector returns the n rows that were read since startBatch. An error comes with the slot
// at fault, or -1.
func (c *batchColumn) vector(n int) (*vector.Vector, int, error) {
	to := c.nesting
	if c.path != nil {
		return c.path.values, -1, nil
	} else if to == nil {
		return c.conversion.Convert(c.memory.Values[0])
	}
	for i, source := range to.plan.Sources() {
		l, part := &to.levels[i], &to.parts[i]
		*part = assemble.Leaf{}
		if source.Node.MaxRep > 0 {
			part.Rep = l.Rep
		}
		if source.Node.MaxDef > 0 {
			part.Def = l.Def
		}
		*c.memory.Values[i] = l.Values
		l.Values = vector.Vector{}
		if !source.Levels {
			part.Values = c.memory.Values[i]
		}
	}
	v, err := to.plan.Assemble(c.memory.Root, to.parts, n)
	if err != nil {
		return nil, -1, err
	}
	if v.Form != vector.Constant {
		c.memory.Root = v
	}
	return c.conversion.Convert(v)
}

// bytes returns the bytes of the gathered rows.
func (c *batchColumn) bytes() int64 {
	if c.path != nil {
		return c.path.bytes()
	}
	if c.nesting == nil {
		return reorder.Held(c.memory.Values[0])
	}
	n := int64(0)
	for i := range c.nesting.levels {
		l := &c.nesting.levels[i]
		n += int64(len(l.Rep)) + int64(len(l.Def)) + reorder.Held(&l.Values)
	}
	return n
}

// batchMaker is a batch in the making.
type batchMaker struct {
	sizer      window.Sizer
	memory     *idle.Batch
	rows       vector.Range // of the row group; they enclose the batch's rows
	numbers    []int64      // ordinals of the batch's rows in the row group, if needed
	rowsBefore rowsInFront
}

// makeBatch returns the n gathered rows as a batch.
func (r *unitRun) makeBatch(n int) (*vector.Batch, error) {
	s := r.scan
	b := &vector.Batch{Fields: s.fields, Len: n, Columns: make([]*vector.Vector, 0, len(s.fields))}
	for i := range s.columns {
		c := &s.columns[i]
		v, slot, err := c.vector(n)
		if err != nil {
			if slot >= 0 {
				err = project.AtRow(r.batch.numbers[slot], err)
			}
			return nil, s.file.wrap(r.group, c.name(), -1, err)
		}
		b.Columns = append(b.Columns, v)
	}
	b.Origin = vector.Origin{File: s.file.name, RowGroup: r.group, Rows: r.batch.rows}
	if s.opts.RowNumber != "" {
		b.Columns = append(b.Columns, r.rowNumbers())
	}
	if s.opts.FileName != "" {
		b.Columns = append(b.Columns, vector.StringOf(s.file.name).Vector(n))
	}
	if s.unnest != nil {
		s.unnest.apply(b)
	}
	r.converter.Convert(b)
	memory := r.batch.memory
	b.OnRelease(func() { s.pool.batches.Give(memory, &s.pool.bodies) })
	return b, nil
}

// name returns the column's name in errors.
func (c *batchColumn) name() string {
	if c.node != nil {
		return c.node.String()
	}
	return schema.FormatPath([]string{c.nesting.plan.Field().Name})
}

// rowNumbers returns the ordinals of the batch's rows in the file.
func (r *unitRun) rowNumbers() *vector.Vector {
	first := r.batch.rowsBefore.before(r.scan.file, r.group)
	v := &vector.Vector{Type: vector.Type{Physical: vector.Int64}}
	build.Extend(v, len(r.batch.numbers))
	for i, row := range r.batch.numbers {
		v.Int64s[i] = first + row
	}
	return v
}

// rowsInFront is the number of rows in the file before a row group.
type rowsInFront struct {
	group int
	rows  int64
}

// before returns the number of rows before a row group. It continues the sum of the last
// call.
func (x *rowsInFront) before(f *File, rowGroup int) int64 {
	if rowGroup < x.group {
		*x = rowsInFront{}
	}
	for ; x.group < rowGroup; x.group++ {
		x.rows += f.footer.RowGroups[x.group].NumRows
	}
	return x.rows
}
