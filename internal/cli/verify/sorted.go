package verify

import (
	"context"
	"iter"
	"strings"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// sortedColumn is a column that rows are sorted by, and its values in a row and the one before.
type sortedColumn struct {
	thrift.SortingColumn
	order *pageindex.Column
	chunk *scanner.Chunk

	next      func() (*column.Levels, error, bool)
	slots     *column.Levels
	slot      int // that comes next
	value     int // that comes next
	now, last rowValue
}

type rowValue struct {
	isNull bool
	plain  []byte
}

// sortedBy returns the columns that rows of a row group are sorted by: up to the first that is
// repeated, has no order, or is not wanted.
func (v *verifier) sortedBy(group int, wanted []bool) (columns []*sortedColumn) {
	for _, s := range v.f.Footer().RowGroups[group].Sorting {
		if s.Column < 0 || int(s.Column) >= len(wanted) || !wanted[s.Column] {
			break
		}
		c, err := v.f.Chunk(group, int(s.Column))
		if err != nil || c.Leaf.MaxRep > 0 {
			break
		}
		order := &chunks.BoundsOf(v.f, c).Column
		if !order.Ordered() {
			break
		}
		columns = append(columns, &sortedColumn{SortingColumn: s, order: order, chunk: c})
	}
	return columns
}

// sorting holds the rows of a row group against sorting_columns.
func (v *verifier) sorting(ctx context.Context, group int, wanted []bool, to *findings) error {
	for _, s := range v.f.Footer().RowGroups[group].Sorting {
		if s.Column < 0 || int(s.Column) >= len(wanted) {
			v.inFooter(to, false, group, "", "sorting_columns: column ", s.Column, ", there are ", len(wanted))
		}
	}
	columns, names := v.sortedBy(group, wanted), []string(nil)
	for _, c := range columns {
		names = append(names, c.chunk.Leaf.String())
		v.fetch(ctx, c.chunk)
		next, stop := iter.Pull2(v.slots(ctx, c.chunk, nil))
		defer stop()
		c.next = next
	}
	for row := int64(0); len(columns) > 0; row++ {
		for _, c := range columns {
			there, err := c.step()
			if err != nil && ctx.Err() == nil && !fault.IsOutsideFile(err) {
				return nil // whoever reads the column says so
			}
			if err != nil || !there {
				return err
			}
		}
		if row > 0 && !inOrder(columns) {
			v.inFooter(to, false, group, "", "sorting_columns: rows are said to be sorted by ", strings.Join(names, ", "), ", but row ", row, " and the one before are not")
			return nil
		}
	}
	return nil
}

// step goes to the next row, if there is one.
func (c *sortedColumn) step() (there bool, err error) {
	for c.slots == nil || c.slot == c.slots.Slots {
		if c.slots, err, there = c.next(); err != nil || !there {
			return false, err
		}
		c.slot, c.value = 0, 0
	}
	c.now, c.last = c.last, c.now
	if c.now.isNull = len(c.slots.Def) > 0 && int(c.slots.Def[c.slot]) < c.chunk.Leaf.MaxDef; !c.now.isNull {
		var buffer [8]byte
		c.now.plain = append(c.now.plain[:0], build.Plain(buffer[:0], &c.slots.Values, c.value)...)
		c.value++
	}
	c.slot++
	return true, nil
}

// inOrder reports whether a row of columns may follow the one before it, as far as that is known.
func inOrder(columns []*sortedColumn) bool {
	for _, c := range columns {
		switch {
		case c.last.isNull && c.now.isNull:
			continue
		case c.last.isNull != c.now.isNull:
			return c.last.isNull == c.NullsFirst
		case c.order.IsNaN(c.last.plain) || c.order.IsNaN(c.now.plain):
			return true // it is not known where NaN belongs
		}
		if order := c.order.Compare(c.last.plain, c.now.plain); order != 0 {
			return order < 0 != c.Descending
		}
	}
	return true
}
