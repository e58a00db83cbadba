package sqlitescan

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite/vtab"

	"github.com/winnow-scan/winnow/column/vector"
)

// cursor goes over rows of a table, for one use of it in a statement. SQLite calls Filter
// again and again for the lookups of a join.
type cursor struct {
	t        *table
	planText string
	plan     plan
	readers  []*reader // by column, nil for those that are not read

	files   fileSet // the table's, or those of its argument
	argued  string  // the argument
	matched bool    // files are those of argued

	rows   rows // that are left
	batch  batch
	row    int // of the batch
	failed error
	done   bool

	last    []driver.Value // by which rows are sorted: those of the row before
	lookups lookups
}

// rows are the rows of a scan, in batches.
type rows interface {
	// next returns the next batch, or ok = false after the last.
	next() (b batch, ok bool, err error)
	close()
}

// batch is rows that a cursor goes over.
type batch struct {
	len     int
	columns []*vector.Vector // by column, nil for those that are not read
	rowids  []int64          // before first is added
	first   int64            // the rowid of row 0 of the file
	file    string           // its name
	picked  []int32          // the rows that count; nil: all
	release func()
}

// Filter begins a scan.
func (c *cursor) Filter(_ int, planText string, values []vtab.Value) error {
	c.end()
	if planText != c.planText {
		p, err := parsePlan(planText)
		if err != nil {
			return err
		}
		c.planText, c.plan = planText, p
		c.lookups.forget()
		for i := range c.readers {
			if c.readers[i] = nil; p.used>>min(i, 63)&1 != 0 {
				c.readers[i] = newReader(&c.t.columns[i])
			}
		}
	}
	for i, v := range values { // they are SQLite's until Filter returns, see VolatileArgs
		switch v := v.(type) {
		case string:
			values[i] = strings.Clone(v)
		case []byte:
			values[i] = slices.Clone(v)
		}
	}
	if len(values) != len(c.plan.conditions) {
		return fmt.Errorf("%d values for %d conditions", len(values), len(c.plan.conditions))
	}
	if c.plan.sorted > 0 {
		if c.t.refresh(context.Background()); c.plan.order != c.t.orders {
			return fmt.Errorf("%s has changed, and is no longer sorted as it was when the statement was prepared: prepare it again", c.t.files.names[0])
		}
	}
	q, err := c.query(context.Background(), values)
	if err != nil {
		return err
	}
	c.done, c.failed, c.last = false, nil, nil
	if c.rows, err = c.lookUp(q); err != nil {
		return err
	}
	// An error of Filter reaches the user with its text.
	err = c.Next()
	if err == nil {
		err, c.failed = c.failed, nil
	}
	if err != nil {
		c.end()
	}
	return err
}

// Next advances to the next row. SQLite drops the text of an error here, but not that of
// Column: so a scan that failed stands on a row without values.
func (c *cursor) Next() error {
	if c.failed != nil {
		return c.failed
	}
	c.row++
	for c.row >= c.batch.size() {
		c.batch.drop()
		b, ok, err := c.rows.next()
		if err != nil {
			c.failed = err
			return nil
		}
		if !ok {
			c.end()
			return nil
		}
		c.batch, c.row = b, 0
		for i, r := range c.readers {
			if r != nil {
				r.use(b.columns[i])
			}
		}
	}
	c.checkOrder()
	return nil
}

func (b *batch) size() int {
	if b.picked != nil {
		return len(b.picked)
	}
	return b.len
}

// drop ends the use of a batch.
func (b *batch) drop() {
	if b.release != nil {
		b.release()
	}
	*b = batch{}
}

// slot returns the index of the current row in the columns.
func (c *cursor) slot() int {
	if c.batch.picked != nil {
		return int(c.batch.picked[c.row])
	}
	return c.row
}

// checkOrder lets the scan fail where rows are not sorted as the file says, and SQLite relies on it.
func (c *cursor) checkOrder() {
	if c.plan.sorted == 0 {
		return
	}
	now := make([]driver.Value, c.plan.sorted)
	for i := range now {
		v, err := c.readers[c.t.stats.sorted[i].column].value(c.slot())
		if err != nil {
			c.failed = err
			return
		}
		now[i] = v
	}
	for i := range c.last {
		by := c.t.stats.sorted[i]
		order := c.t.columns[by.column].compareValues(c.last[i], now[i])
		if by.descending {
			order = -order
		}
		if order > 0 {
			c.failed = fmt.Errorf("%s: the file says that it is sorted by %s, and is not", c.batch.file, c.t.columns[by.column].path)
			return
		}
		if order < 0 {
			break
		}
	}
	c.last = now
}

// Eof reports whether there are no more rows.
func (c *cursor) Eof() bool { return c.done }

// Column returns a value of the current row.
func (c *cursor) Column(i int) (vtab.Value, error) {
	switch {
	case c.failed != nil:
		return nil, c.failed
	case i == len(c.t.columns)+hiddenFiles:
		if !c.matched {
			return nil, nil
		}
		return c.argued, nil
	case i == len(c.t.columns)+hiddenFile:
		return c.batch.file, nil
	case i < 0 || i >= len(c.t.columns) || c.readers[i] == nil:
		return nil, errors.New("a column that the plan does not have")
	}
	return c.readers[i].value(c.slot())
}

// Rowid returns the number of the current row.
func (c *cursor) Rowid() (int64, error) {
	if c.failed != nil {
		return 0, c.failed
	}
	return c.batch.first + c.batch.rowids[c.slot()], nil
}

// end ends the scan.
func (c *cursor) end() {
	c.batch.drop()
	if c.rows != nil {
		c.rows.close()
		c.rows = nil
	}
	c.done, c.row = true, -1
}

// Close ends the use of the cursor.
func (c *cursor) Close() error {
	c.end()
	c.lookups.forget()
	return nil
}
