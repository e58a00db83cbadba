package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
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
		r.Progress.Watch(&options, "")
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

func Min() *command.Command { return extremeCommand("min", "least") }

func Max() *command.Command { return extremeCommand("max", "greatest") }

// extremeCommand is the command for the least or the greatest value of a column.
func extremeCommand(name, what string) *command.Command {
	return &command.Command{
		Name: name, Args: "COLUMN FILE...",
		Summary: "print the " + what + " value of a column, in each file and in all",
		Detail: `
Strings compare by their bytes, decimals by value; NULL and NaN are no values. Of a list
it is the ` + what + ` of all items. Statistics answer where they promise to be exact, and
row groups that cannot change the answer are not read.
` + command.AboutWhere + `
JSON records: file, column, ` + name + `; and behind several files: files, column, ` + name + `.`,
		Examples: []string{
			name + " ship_date lineitems.parquet",
			name + " latency_ms -w 'status = 500' weblog.parquet",
		},
		Takes: command.TakesWhere,
		Arguments: func(o *command.Options, args []string) ([]string, error) {
			switch len(args) {
			case 0:
				return nil, errors.New("of which column, in which file?")
			case 1:
				return nil, fmt.Errorf("want a column and files, not %q alone", args[0])
			}
			return args[1:], command.Path(&o.Column)(args[0])
		},
		Run: func(_ context.Context, o *command.Options, _ *input.Files, r *output.Report) (*command.Task, error) {
			e := &extremes{o: o, r: r, name: name}
			e.table = &table.Table{Columns: []table.Column{{Title: "file", MinWidth: 12, CutFront: true}, {Title: name, MinWidth: 12}}}
			return &command.Task{File: e.file, Excluded: e.excluded, Finish: e.finish}, nil
		},
	}
}

// extremes finds the least or the greatest value of each file, and of all files.
type extremes struct {
	o     *command.Options
	r     *output.Report
	name  string // of the command
	table *table.Table

	files int
	first string        // the name of the first file
	best  vector.Scalar // of all files so far; NULL: there is no value yet
	mixed error         // why files cannot be compared; nil: they can
}

func (e *extremes) file(ctx context.Context, f *input.File) error {
	where := e.o.Where.Expr
	least, greatest, o := f.Min, f.Max, f.Filtered(where)
	if path, err := schema.ParsePath(e.o.Column); err == nil {
		if err := f.CheckColumns(path); err != nil {
			return err
		}
		if f.IsFolder(path[0]) {
			least, greatest, o = f.Table.Min, f.Table.Max, scanner.Options{Filter: where}
		}
	}
	find := least
	if e.name == "max" {
		find = greatest
	}
	e.r.Progress.Watch(&o, "")
	v, err := find(ctx, e.o.Column, o)
	if err != nil {
		return err
	}
	if e.files++; e.first == "" {
		e.first = f.Name()
	}
	e.add(f, v)
	e.write("file", f.Name(), v)
	return nil
}

// excluded is for a file without rows that pass.
func (e *extremes) excluded(name string) error {
	e.files++
	e.write("file", name, vector.Scalar{})
	return nil
}

// add compares the value of a file with those of the files before.
func (e *extremes) add(f *input.File, v vector.Scalar) {
	wide, best, ok := dataset.Widened(v, e.best)
	switch {
	case v.IsNull():
	case e.best.IsNull():
		e.best = v
	case !ok:
		e.mixed = errors.New(f.Name() + ": it has " + v.Type().String() + " in column " + e.o.Column + ", " + e.first + " has " + e.best.Type().String() + ": no value is that of all files")
	default:
		e.best = best
		if c, _ := wide.Compare(best); c < 0 == (e.name == "min") && c != 0 {
			e.best = wide
		}
	}
}

func (e *extremes) finish() error {
	if e.files > 1 && e.mixed == nil {
		e.write("files", e.files, e.best)
	}
	if e.r.Tables() {
		e.r.Print(e.table)
	}
	return e.mixed
}

// write writes the value of a file, which is its name, or of a number of files.
func (e *extremes) write(kind string, of any, v vector.Scalar) {
	if !e.r.Tables() {
		js := json.RawMessage("null")
		if !v.IsNull() {
			js = output.NewValuer(v.Type()).JSON(v.Plain())
		}
		e.r.Record(kind, of, "column", e.o.Column, e.name, js)
		return
	}
	title, isName := of.(string)
	if !isName {
		title = "all"
	}
	shown := table.Dim.Cell("NULL")
	if !v.IsNull() {
		shown = table.Cell{Text: table.QuotedIfBlank(output.NewValuer(v.Type()).Text(v.Plain()))}
		if table.IsNumber(v.Type()) || table.IsMoment(v.Type()) {
			e.table.Columns[1].MinWidth = 0 // this is the answer, whole
		}
	}
	e.table.Add(title, shown)
}
