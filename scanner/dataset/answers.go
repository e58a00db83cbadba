package dataset

import (
	"context"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/internal/project"
	"github.com/winnow-scan/winnow/scanner/internal/rank"
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
	err = answers(w, (*ahead).none, x.of, func(_ *opened, v fileExtreme) error { return x.take(v) })
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

// of returns the value of a file. The first one decides which type the value has.
func (x *extreme) of(ctx context.Context, one *opened) (e fileExtreme, err error) {
	f := one.file
	e.file = f.Name()
	if _, constant := project.Constant(one.opts.Constants, x.path); !one.first && f.Schema().Find(x.names[0]) == nil && !constant {
		e.absent = true
	} else if x.side == rank.Least {
		e.value, err = f.Min(ctx, x.path, one.opts)
	} else {
		e.value, err = f.Max(ctx, x.path, one.opts)
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
