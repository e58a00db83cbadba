package dataset

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/project"
	"github.com/winnow-scan/winnow/scanner/internal/rank"
	"github.com/winnow-scan/winnow/thrift"
)

// Min returns the least value of a column over all files, as File.Min does for one.
// A column of paths has its value in each file with a row. A file that lacks the column
// has no value. The type is that of the first opened file; values of other files are
// widened to it.
func (fs *Files) Min(ctx context.Context, column string, o scanner.Options) (vector.Scalar, error) {
	return fs.extreme(ctx, column, o, rank.Least)
}

// Max is Min for the greatest value.
func (fs *Files) Max(ctx context.Context, column string, o scanner.Options) (vector.Scalar, error) {
	return fs.extreme(ctx, column, o, rank.Greatest)
}

func (fs *Files) extreme(ctx context.Context, path string, o scanner.Options, side rank.Side) (vector.Scalar, error) {
	names, err := schema.ParsePath(path)
	if err != nil {
		return vector.Scalar{}, err
	}
	o.Unnest, o.Select, o.Want = "", nil, nil
	w := &walk{files: fs, ctx: ctx, opts: o, offsetLeft: o.Offset, limitLeft: o.Limit, countFirst: true}
	x := &extreme{path: path, names: names, side: side, best: vector.NullOf(vector.Type{Physical: vector.Int32, Logical: vector.Null})}
	err = w.each(func(f *scanner.File, o scanner.Options) error {
		v, err := x.of(w.ctx, f, o, !x.some)
		if err != nil {
			return err
		}
		return x.take(v)
	}, func(a *ahead) error {
		return a.answers(0, func(f *scanner.File, o scanner.Options) (any, error) {
			return x.of(w.ctx, f, o, f == a.first.file)
		}, func(v any) error { return x.take(v.(fileExtreme)) })
	})
	return x.best, err
}

// extreme is the search for the least or greatest value of a column.
type extreme struct {
	path  string
	names []string // of path
	side  rank.Side
	best  vector.Scalar
	some  bool // best has the type of the first file
}

// fileExtreme is the least or greatest value of a file.
type fileExtreme struct {
	file   string
	value  vector.Scalar
	absent bool // the file lacks the column
}

// of returns the value of a file. first says that the file decides which type the value has.
func (x *extreme) of(ctx context.Context, f *scanner.File, o scanner.Options, first bool) (e fileExtreme, err error) {
	e.file = f.Name()
	if _, constant := project.Constant(o.Constants, x.path); !first && f.Schema().Find(x.names[0]) == nil && !constant {
		e.absent = true
	} else if x.side == rank.Least {
		e.value, err = f.Min(ctx, x.path, o)
	} else {
		e.value, err = f.Max(ctx, x.path, o)
	}
	return e, err
}

// take compares the value of a file with the best of the files before.
func (x *extreme) take(e fileExtreme) error {
	v := e.value
	switch {
	case e.absent:
		return nil
	case !x.some:
		x.best, x.some = v, true
		return nil
	}
	convert, ok := project.ConversionOf(v.Type(), x.best.Type())
	if !ok {
		return mismatch(e.file, &project.Mismatch{Path: x.names, What: v.Type().String() + " here, " + x.best.Type().String() + " in files before"})
	}
	if v.IsNull() {
		return nil
	}
	one := v.Vector(1)
	one.Flatten()
	one, _, err := convert.Convert(one)
	if err != nil {
		return wrap(e.file, x.path, err)
	}
	v = one.Scalar(0)
	if order, _ := v.Compare(x.best); x.best.IsNull() || int(x.side)*order > 0 {
		x.best = v
	}
	return nil
}

// Top returns the first rows of an order over all files, as File.Top does for one. It
// searches one file after the other for rows that sort before those found so far. Then it
// reopens the files with such rows and reads them. All files must have the column of the
// order, with the same type; a column of paths is an error.
func (fs *Files) Top(ctx context.Context, by scanner.Order, o scanner.Options) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		t := &top{files: fs, by: by, opts: o, optionsOf: map[int]scanner.Options{}}
		if err := t.rank(ctx); err != nil {
			yield(nil, err)
			return
		}
		rows, bytes := o.BatchRows, int64(o.BatchBytes)
		if rows <= 0 {
			rows = 8192
		}
		if bytes <= 0 {
			bytes = 16 << 20
		}
		rank.Batches(t.ranking.Rows, o.Offset, rows, bytes, func(file int, rows vector.RowSet) iter.Seq2[*vector.Batch, error] {
			return t.read(ctx, file, rows)
		}, yield)
	}
}

// top searches several files for the first rows of an order.
type top struct {
	files     *Files
	by        scanner.Order
	opts      scanner.Options
	walk      *walk
	optionsOf map[int]scanner.Options // of a scan of each file
	ranking   rank.Ranking
	bound     filter.Runtime // the condition that a row sorts before the last of the rows found so far
}

// rank finds the rows, file by file. Later files are searched only for rows that sort
// before the last of those found so far.
func (t *top) rank(ctx context.Context) error {
	o := t.opts
	if o.Offset < 0 || o.Limit < 0 {
		return optionsError(t.files.Name(), "Offset or Limit is negative")
	}
	t.ranking.Most = math.MaxInt
	if offset := min(o.Offset, math.MaxInt32); limited(&o) && o.Limit < math.MaxInt32-offset {
		t.ranking.Most = int(offset + o.Limit)
	}
	if t.ranking.Most == 0 {
		return nil
	}
	if t.by.Descending {
		t.ranking.Side = rank.Greatest
	} else {
		t.ranking.Side = rank.Least
	}
	o.Offset, o.Limit, o.Limited = 0, 0, false
	t.walk = &walk{files: t.files, ctx: ctx, opts: o}
	return t.walk.each(func(f *scanner.File, one scanner.Options) error {
		if names, err := schema.ParsePath(t.by.By); err == nil && t.walk.partitionOf(names[0]) >= 0 {
			return optionsError(f.Name(), "rows of several files have no order by a column of their paths")
		}
		one.Offset, one.Limit, one.Limited = t.opts.Offset, t.opts.Limit, t.opts.Limited
		t.optionsOf[t.walk.file] = one
		one.Runtime = append(slices.Clip(one.Runtime), &t.bound)
		rows, err := f.TopRows(ctx, t.by, one)
		if len(rows) == 0 || err != nil {
			return err
		}
		return t.add(f, rows)
	}, nil)
}

// add ranks the first rows of a file among those found so far.
func (t *top) add(f *scanner.File, rows []scanner.Ranked) error {
	x, typ := &t.ranking, rows[0].Key.Type()
	if x.Column.Leaf == nil {
		leaf := &schema.Node{Name: t.by.By, Kind: schema.Leaf, Type: typ}
		x.Column, x.Path = pageindex.ColumnOf(leaf, thrift.OrderOfType), t.by.By
	} else if was := x.Column.Leaf.Type; was != typ {
		return wrap(f.Name(), t.by.By, errors.New("values of type "+typ.String()+" have no order with those of files before it, which are "+was.String()))
	}
	for _, r := range rows {
		one := r.Key.Vector(1)
		one.Flatten()
		if err := x.Take(t.walk.file, r.RowGroup, []int64{r.Row}, one); err != nil {
			return wrap(f.Name(), t.by.By, err)
		}
	}
	x.Cut()
	if e := x.InFront(); e != nil {
		if _, err := compile.Bind(e, f.Schema(), nil); err == nil { // else no literal can express the value
			t.bound.Publish(e)
		}
	}
	return nil
}

// read reopens a file and returns the rows in it.
func (t *top) read(ctx context.Context, file int, rows vector.RowSet) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		f, err := t.files.file(ctx, t.files.names[file])
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		t.walk.file = file
		o := t.optionsOf[file]
		o.Rows, o.Filter, o.Runtime, o.Offset, o.Limit, o.Limited = rows, nil, nil, 0, 0, false
		for b, err := range f.Scan(ctx, o) {
			if !yield(b, err) {
				return
			}
		}
	}
}
