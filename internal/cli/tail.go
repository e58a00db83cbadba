package cli

import (
	"context"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

func tailCommand() *command {
	return &command{
		name: "tail", args: "FILE...",
		summary: "print the last rows of each file: 10, or as many as -n says",
		detail: `
Row groups are visited from the last one on, until there are enough rows; with --where,
of these rows only the columns that it asks are read before. Of a folder, and with
--union, it is the last rows of all files together.
` + aboutWhere + aboutRows,
		examples: []string{
			"tail -n 3 lineitems.parquet",
			"tail -5 -w 'status = 404' -c time,url weblog.parquet",
		},
		arguments: noBareNumber,
		takes:     takesSelect | takesWhere | takesLimit | takesRows,
		start: func(ctx context.Context, o *options, in *inputs, r *report) (*task, error) {
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
				c.rows = func(f *input) (vector.RowSet, error) { return f.lastRows(ctx, o, o.limit, nil, r.progress) }
				return c.task(), nil
			}
			last := in.lastRows(ctx, o, c.wants, r.progress)
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

// lastRows returns the last rows of all files together, by the number of the file.
func (in *inputs) lastRows(ctx context.Context, o *options, wants []scanner.Want, p *progress) map[int]fileRows {
	var names []string
	for _, arg := range in.args {
		names = append(names, arg.files...)
	}
	last, left := map[int]fileRows{}, o.limit
	for number := len(names) - 1; number >= 0 && left > 0; number-- {
		// What else is wrong with a file is said when it is its turn.
		_ = in.visit(ctx, o, &task{file: func(ctx context.Context, f *input) error {
			defer p.begin(f)()
			rows, err := f.lastRows(ctx, o, left, wants, p)
			last[f.number] = fileRows{rows, err}
			left -= rows.Len()
			return nil
		}}, names[number], number)
	}
	return last
}

// lastRows returns the last n rows of a file that pass. A column that the file lacks
// is NULL if it is among those wanted.
func (f *input) lastRows(ctx context.Context, o *options, n int64, wants []scanner.Want, p *progress) (vector.RowSet, error) {
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
