package answer

import (
	"context"
	"errors"
	"flag"
	"os"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
)

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
			return c.task(), nil
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
