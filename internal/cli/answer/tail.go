package answer

import (
	"context"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/progress"
)

func Tail() *command.Command {
	return &command.Command{
		Name: "tail", Args: "FILE...",
		Summary: "print the last rows of each file: 10, or as many as -n says",
		Detail: `
Row groups are visited from the last one on, until there are enough rows; with --where,
of these rows only the columns that it asks are read before. Of a folder, and with
--union, it is the last rows of all files together.
` + command.AboutWhere + aboutRows(),
		Examples: []string{
			"tail -n 3 lineitems.parquet",
			"tail -5 -w 'status = 404' -c time,url weblog.parquet",
		},
		Arguments: noBareNumber,
		Rows:      true,
		Takes:     command.TakesSelect | command.TakesWhere | command.TakesLimit,
		Run: func(ctx context.Context, o *command.Options, in *input.Files, r *output.Report) (*command.Task, error) {
			if o.Limit < 0 {
				o.Limit = defaultRows
			}
			r.Shape.PerFile = in.Number() > 1 && !o.Union && !in.IsTable
			c, err := newRowTask(ctx, o, in, r)
			if err != nil {
				return nil, err
			}
			if c.left = input.MaxRows; !o.Union && !in.IsTable {
				c.perFile = true
				c.rows = func(f *input.File) (vector.RowSet, error) { return lastRows(ctx, f, o, o.Limit, r.Progress) }
				return c.task(), nil
			}
			last := lastOfAll(ctx, in, o, r.Progress)
			r.Progress.Again()
			c.rows = func(f *input.File) (vector.RowSet, error) {
				if in, ok := last[f.Number]; ok {
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
func lastOfAll(ctx context.Context, in *input.Files, o *command.Options, p *progress.Progress) map[int]fileRows {
	names := in.Names()
	last, left := map[int]fileRows{}, o.Limit
	for number := len(names) - 1; number >= 0 && left > 0; number-- {
		// What else is wrong with a file is said when it is its turn.
		_ = in.Visit(ctx, o.Where.Expr, names[number], number, func(ctx context.Context, f *input.File) error {
			defer p.Begin(f.File, f.Number)()
			rows, err := lastRows(ctx, f, o, left, p)
			last[f.Number] = fileRows{rows, err}
			left -= rows.Len()
			return nil
		}, nil)
	}
	return last
}

// lastRows returns the last n rows of a file that pass.
func lastRows(ctx context.Context, f *input.File, o *command.Options, n int64, p *progress.Progress) (vector.RowSet, error) {
	if _, err := input.RowsOf(f); err != nil {
		return nil, err
	}
	groups := f.Footer().RowGroups
	last := make(vector.RowSet, len(groups))
	for g := len(groups) - 1; g >= 0 && n > 0; g-- {
		all := vector.Ranges(nil).Append(0, groups[g].NumRows)
		if o.Where.Expr != nil {
			options := f.Filtered(o.Where.Expr)
			options.Rows = make(vector.RowSet, len(groups))
			options.Rows[g] = all
			p.Watch(&options)
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
