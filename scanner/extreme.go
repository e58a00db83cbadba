package scanner

import (
	"context"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/project"
	"github.com/winnow-scan/winnow/scanner/internal/rank"
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
	x := &search{Ranking: rank.Ranking{Side: side, Most: 1}, values: true}
	if err := x.run(s, node); err != nil || len(x.Rows) == 0 {
		return vector.NullOf(node.Type), err
	}
	return x.Value(&x.Rows[0]), nil
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
