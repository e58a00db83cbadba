package scanner

import (
	"context"
	"errors"
	"slices"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/internal/project"
	"github.com/winnow-scan/winnow/scanner/internal/rank"
	"github.com/winnow-scan/winnow/scanner/internal/window"
)

// Min returns the least value of a leaf column, given its path, among the rows
// of a scan with options o: a vector of one slot, which the caller owns; NULL if
// there is no value. For a list it is the least of all items.
//
// Values compare as the format orders their type: strings by bytes, decimals
// by value. NaN counts as no value; zeros of either sign are equal, and either
// may be returned. A type without an order is an error.
//
// Where all rows of a row group are wanted and its statistics have an exact bound, the
// bound is the answer. Row groups whose bound is no less than the least value so far are
// skipped. For the others, Min reads the column and those of Filter. Runtime filters
// and Unnest are ignored.
func (f *File) Min(ctx context.Context, column string, o Options) (vector.Scalar, error) {
	return f.extreme(ctx, column, &o, rank.Least)
}

// Max is Min for the greatest value.
func (f *File) Max(ctx context.Context, column string, o Options) (vector.Scalar, error) {
	return f.extreme(ctx, column, &o, rank.Greatest)
}

// search finds the least or greatest value of a column.
type search struct {
	scan   *scan
	leaf   *leaf
	column pageindex.Column
	side   rank.Side
	best   []byte // the best value so far in PLAIN encoding, without length prefix; nil: none
	levels column.Levels
}

// bound is the statistics' least or greatest value of a row group.
type bound struct {
	rowGroup int
	none     bool   // there is no value
	known    bool   // no value lies beyond plain
	exact    bool   // plain is a value of the row group
	plain    []byte // in PLAIN encoding
}

func (f *File) extreme(ctx context.Context, path string, o *Options, side rank.Side) (v vector.Scalar, err error) {
	defer f.watch(ctx, o).end(&err)
	o.Unnest = ""
	if v, ok := project.Constant(o.Constants, path); ok {
		return f.extremeConstant(ctx, v, *o)
	}
	s, err := f.newAnswer(ctx, o)
	if err != nil {
		return vector.Scalar{}, err
	}
	node, err := f.leafAt(path, o)
	if err != nil {
		return vector.Scalar{}, err
	}
	if node.Type.Logical == vector.Null {
		return vector.NullOf(node.Type), nil
	}
	x, err := s.newSearch(node, side)
	if err != nil {
		return vector.Scalar{}, err
	}
	if err := f.unchanged(-1, x.run()); err != nil {
		return vector.Scalar{}, err
	}
	return vector.PlainOf(node.Type, x.best)
}

// newSearch returns a search for the best values of a leaf, and makes the leaf the scan's only column.
func (s *scan) newSearch(node *schema.Node, side rank.Side) (search, error) {
	x := search{scan: s, leaf: s.leafOf(node), side: side, column: pageindex.ColumnOfFile(s.file.footer, s.file.writer, node)}
	if !x.column.Ordered() && node.Type.Logical != vector.Null {
		return x, s.file.wrap(-1, node.String(), -1, errors.New("values of type "+node.Type.String()+" have no order"))
	}
	x.leaf.returned, x.leaf.needsValues = true, true
	s.columns = []batchColumn{{leaves: []*leaf{x.leaf}}}
	return x, nil
}

// extremeConstant returns the value of a constant, or NULL if a scan returns no row.
func (f *File) extremeConstant(ctx context.Context, v vector.Scalar, o Options) (vector.Scalar, error) {
	if v.IsNull() {
		return v, nil
	}
	if !o.limited() {
		o.Limit = 1
	}
	n, err := f.Count(ctx, o)
	if err != nil || n == 0 {
		return vector.NullOf(v.Type()), err
	}
	return v, nil
}

// run visits the row groups by their bounds, the best first.
func (x *search) run() error {
	s := x.scan
	defer s.close()
	counted := s.filter != nil && s.queue.countsRows()
	if counted {
		// Which rows count depends on how many passed before them.
		return s.eachUnit(func(at unit, _ vector.Ranges) error { return x.read(at.group) })
	}
	var bounds []bound
	err := s.eachUnit(func(at unit, _ vector.Ranges) error {
		b, err := x.bound(at.group)
		bounds = append(bounds, b)
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(bounds, func(a, b bound) int {
		switch {
		case a.known && b.known:
			return x.compare(a.plain, b.plain)
		case a.known:
			return -1
		case b.known:
			return 1
		}
		return 0
	})
	for _, b := range bounds {
		switch {
		case b.none || b.known && x.best != nil && x.compare(b.plain, x.best) >= 0:
			s.skipGroup(b.rowGroup, ByStatistics)
		case b.exact:
			x.best = b.plain
			s.skipGroup(b.rowGroup, ByStatistics)
		default:
			if err := x.read(b.rowGroup); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare is negative if a is better than b: less for Min, greater for Max.
func (x *search) compare(a, b []byte) int { return -int(x.side) * x.column.Compare(a, b) }

// bound returns the bound of a row group in its statistics.
func (x *search) bound(i int) (bound, error) {
	s := x.scan
	b := bound{rowGroup: i}
	stats, err := s.file.bounds(s.ctx, i, x.leaf.node)
	if err != nil || s.opts.knobs.NoStatistics {
		return b, err
	}
	b.known, b.exact, b.plain = x.bestOf(&stats)
	b.none = stats.Why == pageindex.AllNulls || stats.Why == pageindex.AllNaNs
	b.exact = b.exact && stats.Sure && s.filter == nil && s.rows[i].Covers(0, s.file.footer.RowGroups[i].NumRows)
	return b, nil
}

// bestOf returns the bound beyond which no value is better, and whether it is known and is a value.
func (x *search) bestOf(b *pageindex.Bounds) (known, exact bool, plain []byte) {
	if x.side == rank.Greatest {
		return b.HasMax, b.MaxExact, b.Max
	}
	return b.HasMin, b.MinExact, b.Min
}

// read compares the values of a row group's rows that pass with the best so far.
func (x *search) read(i int) error {
	s := x.scan
	return s.eachRows(i, s.rows[i], x.leaf, func(rows window.Rows) error {
		x.levels.Reset(x.leaf.node.Type)
		if err := x.leaf.cursor.ReadLevels(rows.Sel, &x.levels); err != nil {
			return x.leaf.wrap(err)
		}
		v := &x.levels.Values
		at, err := rank.Extreme(v, x.side, &x.column)
		if err != nil {
			return x.leaf.wrap(err)
		}
		if at >= 0 {
			if plain := v.Scalar(at).Plain(); x.best == nil || x.compare(plain, x.best) < 0 {
				x.best = plain
			}
		}
		s.pool.bodies.Release(v)
		return nil
	})
}
