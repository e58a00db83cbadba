package cli

import (
	"context"

	"github.com/winnow-scan/winnow/column/vector"
)

func tailCommand() *command {
	return &command{
		name: "tail", args: "FILE...",
		summary: "print the last rows of each file: 10, or as many as -n says",
		detail: `
Row groups are visited from the last one on, until there are enough rows; with --where,
of these rows only the columns that it asks are read before.
` + aboutWhere + aboutRows,
		examples: []string{
			"tail -n 3 lineitems.parquet",
			"tail -5 -w 'status = 404' -c time,url weblog.parquet",
		},
		takes: takesSelect | takesWhere | takesLimit | takesRows,
		start: func(ctx context.Context, o *options, in *inputs, r *report) (*task, error) {
			if o.limit < 0 {
				o.limit = defaultRows
			}
			r.shape.PerFile = in.number() > 1 && !o.union && !in.isTable
			c, err := newCatTask(ctx, o, in, r)
			if err != nil {
				return nil, err
			}
			c.perFile = true
			c.rows = func(f *input) (vector.RowSet, error) { return f.lastRows(ctx, o.where, o.limit) }
			return c.task(), nil
		},
	}
}

// lastRows returns the last n rows of a file that pass.
func (f *input) lastRows(ctx context.Context, where where, n int64) (vector.RowSet, error) {
	groups := f.Footer().RowGroups
	last := make(vector.RowSet, len(groups))
	for g := len(groups) - 1; g >= 0 && n > 0; g-- {
		all := vector.Ranges(nil).Append(0, groups[g].NumRows)
		if where.expr != nil {
			o := f.filtered(where.expr)
			o.Rows = make(vector.RowSet, len(groups))
			o.Rows[g] = all
			passing, err := f.Passing(ctx, o)
			if err != nil {
				return nil, err
			}
			all = passing.Of(g)
		}
		last[g] = all.Skip(max(all.Len()-n, 0))
		n -= last[g].Len()
	}
	return last, nil
}
