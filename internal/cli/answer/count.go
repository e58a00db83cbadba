package answer

import (
	"context"
	"runtime"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

func Count() *command.Command {
	return &command.Command{
		Name: "count", Args: "FILE...",
		Summary: "count the rows of each file and of all, or those that --where lets pass",
		Detail: `
Without --where no data is read: a file has the rows that its row groups claim. With it,
no column is read but those that it asks.
` + command.AboutWhere + `
JSON records: file, rows; and behind several files: files, rows.`,
		Examples: []string{
			"count lineitems.parquet weblog.parquet",
			"count -w 'status = 404' weblog.parquet",
		},
		Takes: command.TakesWhere,
		Run:   startCount,
	}
}

func startCount(_ context.Context, o *command.Options, _ *input.Files, r *output.Report) (*command.Task, error) {
	files, all := 0, int64(0)
	t := &table.Table{Columns: []table.Column{{Title: "file", MinWidth: 12, CutFront: true}, {Title: "rows", Right: true}}}
	add := func(name string, rows int64) error {
		if rows > input.MaxRows-all {
			return corrupt.At(-1, "footer: its ", rows, " rows are more than can be added up")
		}
		files++
		all += rows
		if r.Tables() {
			t.Add(name, table.Number(rows))
		} else {
			r.Record("file", name, "rows", rows)
		}
		return nil
	}
	file := func(ctx context.Context, f *input.File) error {
		options := f.Filtered(o.Where.Expr)
		options.Threads = runtime.GOMAXPROCS(0)
		r.Progress.Watch(&options)
		rows, err := f.Count(ctx, options)
		if err != nil {
			return err
		}
		return add(f.Name(), rows)
	}
	excluded := func(name string) error { return add(name, 0) }
	finish := func() error {
		if r.Tables() {
			if files > 1 {
				t.Total("total", table.Number(all))
			}
			r.Print(t)
		} else if files > 1 {
			r.Record("files", files, "rows", all)
		}
		return nil
	}
	return &command.Task{File: file, Excluded: excluded, Finish: finish}, nil
}
