package answer

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// startOrdered returns the task that prints the first rows of all files in an
// order. The files are one table, with the columns of the first of them, or with
// --union of all.
func startOrdered(ctx context.Context, o *command.Options, in *input.Files, r *output.Report) (*command.Task, error) {
	switch {
	case o.Limit < 0:
		return nil, &fault.UsageError{What: "--order-by wants -n: how many rows?"}
	case o.Unnest != "":
		return nil, &fault.UsageError{What: "--order-by sorts rows, and --unnest makes items of them"}
	}
	c, err := newRowTask(ctx, o, in, r)
	if err != nil {
		return nil, err
	}
	return &command.Task{All: func(ctx context.Context) error { return c.ordered(ctx, in) }, Finish: c.out.Finish}, nil
}

// ordered prints the first rows of all files.
func (c *rowTask) ordered(ctx context.Context, in *input.Files) error {
	var names []string
	type file struct {
		name   string
		number int
	}
	named := map[string]file{} // by the names that show their folders
	for number, name := range in.Names() {
		shown := filepath.ToSlash(fault.WithoutQuery(name))
		if other, taken := named[shown]; taken && other.name != name { // they differ in their queries
			shown += "#" + strconv.Itoa(number)
		}
		named[shown] = file{name, number}
		names = append(names, shown)
	}
	if len(names) == 0 {
		return nil
	}
	open := func(ctx context.Context, name string) (*scanner.File, error) {
		f, err := in.Opener.Open(ctx, named[name].name)
		if err == nil {
			c.r.Progress.Begin(f, named[name].number)
		}
		return f, err
	}
	files := dataset.New(names, open)
	if c.union != nil {
		files = c.union.Table(files)
	}
	by, _ := schema.ParsePath(c.o.Order.By) // which SetOrder has parsed
	if len(names) > 1 && slices.ContainsFunc(files.Columns(), func(f vector.Field) bool { return f.Name == by[0] }) {
		return &fault.UsageError{What: "--order-by " + c.o.Order.By + ": the names of folders give this column, the same for all rows of a file; rows are ordered by columns that the files have"}
	}
	o := scanner.Options{Select: c.columns, Filter: c.o.Where.Expr, Limit: c.o.Limit, Limited: true, Offset: c.o.Offset}
	if c.union == nil {
		first, err := open(ctx, names[0])
		if err != nil {
			return err
		}
		f := &input.File{File: first, Table: files}
		if o.Select, err = f.Select(c.o.Columns); err == nil {
			err = f.CheckColumns(by)
		}
		if err := errors.Join(err, first.Close()); err != nil {
			return fault.InFile(names[0], err)
		}
	}
	c.r.Progress.Watch(&o, "")
	fields, err := files.Fields(ctx, o)
	if err != nil {
		return err
	}
	begun := false
	for b, err := range files.Top(ctx, c.o.Order, o) {
		if err == nil && !begun {
			begun = true
			err = c.setColumns(files.Name(), fields)
		}
		if err != nil {
			return err
		}
		err := c.out.Rows(b, 0, b.Len)
		b.Release()
		if err != nil {
			return err
		}
	}
	if !begun {
		return c.setColumns(files.Name(), fields)
	}
	return nil
}

// unite makes the files one table of the columns that any of them has. It returns these, nil if no file can be read, and
// those that -c names.
func unite(ctx context.Context, in *input.Files, o *command.Options) (u *dataset.Union, selected []string, err error) {
	u = new(dataset.Union)
	in.Survey(ctx, o.Where.Expr, func(ctx context.Context, f *input.File) error {
		fields, err := f.File.Fields(ctx, scanner.Options{})
		if err == nil {
			u.Add(f.Name(), fields)
		}
		return err
	})
	s, err := u.Schema()
	if err != nil || s.Len() == 1 {
		return nil, nil, err
	}
	table := &input.File{Table: in.Unite(u)}
	if selected, err = o.Columns.Paths(s, table.Folders()); err == nil {
		_, err = u.Fields(ctx, scanner.Options{Select: selected, Filter: o.Where.Expr, Constants: table.Constants()})
	}
	return u, selected, err
}
