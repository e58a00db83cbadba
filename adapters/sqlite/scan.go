package sqlitescan

import (
	"context"
	"errors"
	"iter"
	"math"

	"modernc.org/sqlite/vtab"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
)

// query is a plan with its values.
type query struct {
	none       bool // no row can pass
	conditions []bound
	first, end int64  // rowids, end not among them
	file       string // foldText of the name of the only file that is wanted, or ""
	limit      int64  // negative: none
	batch      int64  // rows that may be enough, 0: not known
}

// bound is a condition on a column, with its value.
type bound struct {
	condition
	value any // not shared with SQLite
}

// rowShift is where the number of a file begins in a rowid.
const rowShift = 40

// query reads the values of a plan's conditions.
func (c *cursor) query(ctx context.Context, values []vtab.Value) (q query, err error) {
	q = query{end: math.MaxInt64, limit: -1}
	if c.plan.impossible {
		return q, errors.New("the argument of the table depends on a table that is read after it")
	}
	argument, argued := "", false
	offset := int64(0)
	for i, cond := range c.plan.conditions {
		v := values[i]
		switch {
		case cond.op == vtab.OpLIMIT:
			if n, ok := v.(int64); ok && n >= 0 {
				q.limit = n
			}
		case cond.op == vtab.OpOFFSET:
			if n, ok := v.(int64); ok && n > 0 {
				offset = n
			}
		case cond.column < 0:
			q.restrict(cond.op, v)
		case cond.column == len(c.t.columns)+hiddenFiles:
			s, ok := v.(string)
			if !ok {
				return q, errors.New("the argument of a table is the name of its files, or a pattern")
			}
			argument, argued = s, true
		case cond.column == len(c.t.columns)+hiddenFile:
			s, ok := v.(string)
			q.none = q.none || !ok
			q.file = foldText(s)
		default:
			if err := c.t.columns[cond.column].check(cond.op, v); err != nil {
				return q, err
			}
			if c.t.takes(cond.column, cond.op) {
				q.conditions = append(q.conditions, bound{cond, v})
			}
		}
	}
	switch {
	case q.limit < 0 || q.limit > math.MaxInt64-offset:
		q.limit = -1
	case c.plan.limited:
		q.limit += offset
		q.batch = q.limit
	default:
		q.batch, q.limit = q.limit+offset, -1
	}
	if !argued {
		c.files, c.matched = c.t.files, false
	} else if !c.matched || c.argued != argument {
		if c.files, err = c.t.match(ctx, []string{argument}); err != nil {
			return q, err
		}
		c.argued, c.matched = argument, true
		c.lookups.forget()
	}
	return q, nil
}

// restrict narrows the rowids.
func (q *query) restrict(op vtab.ConstraintOp, v any) {
	n, ok := v.(int64)
	if !ok {
		q.none = q.none || v == nil
		return // SQLite compares with a real or a text
	}
	switch op {
	case vtab.OpEQ:
		q.first = max(q.first, n)
		q.end = min(q.end, n+min(1, math.MaxInt64-n))
	case vtab.OpGT, vtab.OpGE:
		q.first = max(q.first, n)
	case vtab.OpLT, vtab.OpLE:
		q.end = min(q.end, n+min(1, math.MaxInt64-n))
	}
}

// filter returns the condition of a scan, nil if that is every row.
func (c *cursor) filter(conditions []bound) *filter.Expr {
	var all []*filter.Expr
	for _, b := range conditions {
		if e := c.t.columns[b.column].condition(b.op, b.value); e != nil {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return filter.And(all...)
}

// scan returns the rows of a query.
func (c *cursor) scan(q *query) (rows, error) {
	s := &scan{c: c, files: c.files, where: c.filter(q.conditions), q: *q, wants: []scanner.Want{}, file: -1}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for i, r := range c.readers {
		if r != nil {
			s.wants = append(s.wants, scanner.Wants([]vector.Field{c.t.columns[i].field})...)
			s.columns = append(s.columns, i)
		}
	}
	if q.none {
		s.file = len(s.files.names)
	}
	if len(s.columns) == 0 {
		// Without columns, Next is the only place for an error, and loses its text.
		if err := s.openAll(); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// openAll returns the error of the first file that cannot be opened.
func (s *scan) openAll() error {
	for _, name := range s.files.names[min(s.file+1, len(s.files.names)):] {
		f, err := s.c.t.take(s.ctx, name)
		if err != nil {
			return err
		}
		f.giveBack()
	}
	return nil
}

// scan goes through the files of a table.
type scan struct {
	c       *cursor
	ctx     context.Context
	cancel  context.CancelFunc
	files   fileSet
	q       query
	where   *filter.Expr
	wants   []scanner.Want
	columns []int // of the table, in the order of wants

	file int // its number
	open *keptFile
	pull func() (*vector.Batch, error, bool)
	stop func()
}

func (s *scan) next() (batch, bool, error) {
	for {
		if s.pull == nil {
			more, err := s.nextFile()
			if !more || err != nil {
				return batch{}, false, err
			}
		}
		b, err, ok := s.pull()
		if err != nil {
			return batch{}, false, err
		}
		if !ok {
			s.closeFile()
			continue
		}
		if s.q.limit >= 0 {
			s.q.limit -= min(int64(b.Len), s.q.limit)
		}
		return s.batch(b), true, nil
	}
}

// batch makes a batch of a scan one of the cursor.
func (s *scan) batch(b *vector.Batch) batch {
	out := batch{len: b.Len, columns: make([]*vector.Vector, len(s.c.readers)), first: int64(s.file) << rowShift, file: s.open.name, release: b.Release}
	for k, i := range s.columns {
		out.columns[i] = b.Columns[k]
	}
	numbers := b.Columns[len(s.columns)]
	numbers.Flatten()
	out.rowids = numbers.Int64s
	return out
}

// batchRows is how many rows a batch has that is not the last, unless a query needs fewer.
const batchRows = 8192

// rowNumber is a name that no column has: SQLite cannot have it.
const rowNumber = "row\x00number"

// nextFile opens the next file with rows that are wanted, and begins to scan it.
func (s *scan) nextFile() (bool, error) {
	names := s.files.names
	for s.file++; s.file < len(names); s.file++ {
		first, end := s.q.rowsOf(s.file)
		if first >= end || s.q.file != "" && s.q.file != foldText(names[s.file]) {
			continue
		}
		if s.q.limit == 0 {
			break
		}
		o := s.c.t.m.o.Scan
		o.Want, o.Filter, o.RowNumber, o.Constants = s.wants, s.where, rowNumber, s.files.Constants(s.file)
		if excluded, err := o.ExcludesFile(); excluded && err == nil {
			continue
		}
		f, err := s.c.t.take(s.ctx, names[s.file])
		if err != nil {
			return false, err
		}
		if first > 0 || end < 1<<rowShift {
			var sizes []int64
			for _, g := range f.Footer().RowGroups {
				sizes = append(sizes, g.NumRows)
			}
			o.Rows = vector.RowsOfFile(vector.Ranges{{From: first, To: end}}, sizes)
		}
		o.Limit = max(s.q.limit, 0)
		o.BatchRows = int(min(s.q.batch, batchRows))
		s.open = f
		s.pull, s.stop = iter.Pull2(f.Scan(s.ctx, o))
		return true, nil
	}
	return false, nil
}

// rowsOf returns the numbers of the wanted rows of a file.
func (q *query) rowsOf(file int) (first, end int64) {
	base := int64(file) << rowShift
	return min(max(q.first-base, 0), 1<<rowShift), min(max(q.end-base, 0), 1<<rowShift)
}

func (s *scan) closeFile() {
	if s.pull != nil {
		s.stop()
		s.open.giveBack()
		s.pull, s.stop, s.open = nil, nil, nil
	}
}

func (s *scan) close() {
	s.cancel()
	s.closeFile()
}
