package answer

import (
	"context"
	"flag"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
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
			return c.task(), nil
		},
	}
}
