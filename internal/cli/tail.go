package cli

import (
	"context"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

func tailCommand() *Command {
	return &Command{
		Name: "tail", Args: "FILE...",
		Summary: "print the last rows of each file: 10, or as many as -n says",
		Detail: `
Row groups are visited from the last one on, until there are enough rows; with --where,
of these rows only the columns that it asks are read before. Of a folder, and with
--union, it is the last rows of all files together.
` + aboutWhere + aboutRows(),
		Examples: []string{
			"tail -n 3 lineitems.parquet",
			"tail -5 -w 'status = 404' -c time,url weblog.parquet",
		},
		arguments: noBareNumber,
		Rows:      true,
		takes:     takesSelect | takesWhere | takesLimit,
		run: func(ctx context.Context, o *options, in *inputs, r *Report) (*task, error) {
			if o.limit < 0 {
				o.limit = defaultRows
			}
			r.shape.PerFile = in.number() > 1 && !o.union && !in.isTable
			c, err := newCatTask(ctx, o, in, r)
			if err != nil {
				return nil, err
			}
			if c.left = maxRows; !o.union && !in.isTable {
				c.perFile = true
				c.rows = func(f *input) (vector.RowSet, error) { return lastRows(ctx, f, o, o.limit, nil, r.progress) }
				return c.task(), nil
			}
			last := lastOfAll(ctx, in, o, c.wants, r.progress)
			r.progress.again()
			c.rows = func(f *input) (vector.RowSet, error) {
				if in, ok := last[f.number]; ok {
					return in.rows, in.fault
				}
				return vector.RowSet{}, nil // the files behind have enough; nil would be all rows
			}
			return c.task(), nil
		},
	}
}

// fileRows is the rows of a file to print.
type fileRows struct {
	rows  vector.RowSet
	fault error // in finding them
}

// lastOfAll returns the last rows of all files together, by the number of the file.
func lastOfAll(ctx context.Context, in *inputs, o *options, wants []scanner.Want, p *progress) map[int]fileRows {
	names := in.names()
	last, left := map[int]fileRows{}, o.limit
	for number := len(names) - 1; number >= 0 && left > 0; number-- {
		// What else is wrong with a file is said when it is its turn.
		_ = in.visit(ctx, o.where.expr, names[number], number, func(ctx context.Context, f *input) error {
			defer p.begin(f.File, f.number)()
			rows, err := lastRows(ctx, f, o, left, wants, p)
			last[f.number] = fileRows{rows, err}
			left -= rows.Len()
			return nil
		}, nil)
	}
	return last
}

// lastRows returns the last n rows of a file that pass. A column that the file lacks
// is NULL if it is among those wanted.
func lastRows(ctx context.Context, f *input, o *options, n int64, wants []scanner.Want, p *progress) (vector.RowSet, error) {
	if _, err := rowsOf(f); err != nil {
		return nil, err
	}
	groups := f.Footer().RowGroups
	last := make(vector.RowSet, len(groups))
	for g := len(groups) - 1; g >= 0 && n > 0; g-- {
		all := vector.Ranges(nil).Append(0, groups[g].NumRows)
		if o.where.expr != nil {
			options := f.filtered(o.where.expr)
			options.Want, options.Rows = wants, make(vector.RowSet, len(groups))
			options.Rows[g] = all
			p.watch(&options)
			passing, err := f.Passing(ctx, options)
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
