package answer

import (
	"context"
	"errors"
	"flag"
	"os"
	"strconv"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/progress"
)

func Cat() *command.Command {
	return &command.Command{
		Name: "cat", Args: "FILE...",
		Summary: "print the rows of all files, one after the other",
		Detail: `
Rows to leave out (--offset) and to show (-n) are counted through all files, and among
those that --where lets pass.
` + command.AboutWhere + aboutRows(),
		Examples: []string{
			"cat -n 5 -c order_key,comment lineitems.parquet",
			"cat --where 'quantity > 48' --format csv lineitems.parquet",
			"cat --unnest items -c order_id,items.sku orders.parquet",
			"cat --union --csv lineitems.parquet weblog.parquet",
		},
		Rows:  true,
		Takes: command.TakesSelect | command.TakesWhere | command.TakesLimit,
		Flags: func(o *command.Options, fs *flag.FlagSet) {
			fs.Func("offset", "leave out this `number` of rows at the start, unread where possible", command.Number(&o.Offset, 63))
			orderByFlag(o, fs)
			unnestFlag(o, fs)
		},
		Run: func(ctx context.Context, o *command.Options, in *input.Files, r *output.Report) (*command.Task, error) {
			if o.Order.By != "" {
				return startOrdered(ctx, o, in, r)
			}
			c, err := newRowTask(ctx, o, in, r)
			if err != nil {
				return nil, err
			}
			c.skip, c.left, c.single = o.Offset, limitOf(o), in.Number() == 1
			t := c.task()
			if o.Offset == 0 && t.Enough == nil {
				t.Ahead = c.ahead(input.MaxRows)
			}
			return t, nil
		},
	}
}

func Head() *command.Command {
	return &command.Command{
		Name: "head", Args: "FILE...",
		Summary: "print the first rows of each file: 10, or as many as -n says",
		Detail:  command.AboutWhere + aboutRows(),
		Examples: []string{
			"head -n 3 lineitems.parquet weblog.parquet",
			"head -5 --order-by 'extended_price DESC' lineitems.parquet",
			"head --vertical -n 1 orders.parquet",
		},
		Arguments: noBareNumber,
		Rows:      true,
		Takes:     command.TakesSelect | command.TakesWhere | command.TakesLimit,
		Flags: func(o *command.Options, fs *flag.FlagSet) {
			orderByFlag(o, fs)
			unnestFlag(o, fs)
		},
		Run: func(ctx context.Context, o *command.Options, in *input.Files, r *output.Report) (*command.Task, error) {
			if o.Limit < 0 {
				o.Limit = defaultRows
			}
			if o.Order.By != "" {
				return startOrdered(ctx, o, in, r)
			}
			oneTable := o.Union || in.IsTable
			r.Shape.PerFile = in.Number() > 1 && !oneTable
			c, err := newRowTask(ctx, o, in, r)
			if err != nil {
				return nil, err
			}
			c.perFile, c.left = !oneTable, o.Limit
			t := c.task()
			t.Ahead = c.ahead(o.Limit)
			return t, nil
		},
	}
}

// noBareNumber refuses "head 5 FILE", unless there is a file 5: a number of rows is a flag here.
func noBareNumber(_ *command.Options, args []string) ([]string, error) {
	if len(args) > 1 {
		_, noNumber := strconv.ParseUint(args[0], 10, 32)
		if _, err := os.Stat(args[0]); noNumber == nil && err != nil {
			return nil, errors.New("a number of rows is written -n " + args[0])
		}
	}
	return args, nil
}

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
			p.Watch(&options, "")
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
