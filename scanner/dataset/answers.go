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
// has no value. The type is the least one that has the values of all files.
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
	o.Unnest, o.Select, o.Want = "", []string{}, nil
	w := &walk{files: fs, ctx: ctx, opts: o, offsetLeft: o.Offset, limitLeft: o.Limit, countFirst: true}
	x := &extreme{path: path, names: names, side: side, best: vector.NullOf(vector.Type{Physical: vector.Int32, Logical: vector.Null})}
	err = answers(w, (*ahead).none, x.of, x.take)
	return x.best, err
}

// extreme is the search for the least or greatest value of a column.
type extreme struct {
	path  string
	names []string // of path
	side  rank.Side
	best  vector.Scalar
	some  bool // best is a value, or NULL, of a file
}

// of returns the value of a file, nil if it lacks the column. The first one decides which type the
// value has.
func (x *extreme) of(ctx context.Context, one *opened) (*vector.Scalar, error) {
	f := one.file
	if _, constant := project.Constant(one.opts.Constants, x.path); !one.first && f.Schema().Find(x.names[0]) == nil && !constant {
		return nil, nil
	}
	find := f.Min
	if x.side == rank.Greatest {
		find = f.Max
	}
	v, err := find(ctx, x.path, one.opts)
	return &v, err
}

// take compares the value of a file with the best of the files before.
func (x *extreme) take(of *opened, value *vector.Scalar) error {
	if value == nil {
		return nil
	}
	v := *value
	if !x.some {
		x.best, x.some = v, true
		return nil
	}
	v, best, ok := Widened(v, x.best)
	if !ok {
		return mismatch(of.file.Name(), &project.Mismatch{Path: x.names, What: v.Type().String() + " here, " + x.best.Type().String() + " in files before"})
	}
	if order, _ := v.Compare(best); !v.IsNull() && (best.IsNull() || int(x.side)*order > 0) {
		best = v
	}
	x.best = best
	return nil
}

// Widened returns two values as those of the least type that has the values of both types, see Union. ok is false
// if there is none.
func Widened(a, b vector.Scalar) (wideA, wideB vector.Scalar, ok bool) {
	t, ok := project.Wider(a.Type(), b.Type())
	if !ok {
		return a, b, false
	}
	all := []vector.Scalar{a, b}
	for i, v := range all {
		convert, _ := project.ConversionOf(v.Type(), t)
		one, err := convert.Scalar(v)
		if err != nil {
			return a, b, false
		}
		all[i] = one.Scalar(0)
	}
	return all[0], all[1], true
}
