package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// orderFlag is the column of --order-by.
type orderFlag scanner.Order

// Set reads a path, with ASC or DESC behind it.
func (f *orderFlag) Set(text string) error {
	path, descending := strings.TrimSpace(text), false
	if i := strings.LastIndexByte(path, ' '); i > 0 {
		switch direction := strings.ToUpper(path[i+1:]); direction {
		case "ASC", "DESC":
			path, descending = strings.TrimSpace(path[:i]), direction == "DESC"
		}
	}
	names, err := schema.ParsePath(path)
	if err != nil {
		return err
	}
	if last := names[len(names)-1]; strings.Contains(last, ",") && !strings.HasSuffix(path, `"`) {
		return errors.New("rows are ordered by one path, so without a comma; a name that has one stands in double quotes")
	}
	*f = orderFlag{By: path, Descending: descending}
	return nil
}
func (f *orderFlag) String() string { return "" }

// startOrdered returns the task that prints the first rows of all files in an
// order. The files are one table, with the columns of the first of them, or with
// --union of all.
func startOrdered(ctx context.Context, o *options, in *inputs, r *Report) (*task, error) {
	switch {
	case o.limit < 0:
		return nil, &usageError{what: "--order-by wants -n: how many rows?"}
	case o.unnest != "":
		return nil, &usageError{what: "--order-by sorts rows, and --unnest makes items of them"}
	}
	c, err := newCatTask(ctx, o, in, r)
	if err != nil {
		return nil, err
	}
	return &task{all: func(ctx context.Context) error { return c.ordered(ctx, in) }, finish: c.out.Finish}, nil
}

// ordered prints the first rows of all files.
func (c *catTask) ordered(ctx context.Context, in *inputs) error {
	var names []string
	type file struct {
		name   string
		number int
	}
	named := map[string]file{} // by the names that show their folders
	for number, name := range in.names() {
		shown := filepath.ToSlash(withoutQuery(name))
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
		f, err := in.opener.input(ctx, named[name].name, named[name].number)
		if err != nil {
			return nil, err
		}
		c.r.progress.begin(f.File, f.number)
		f.OnClose(f.close)
		return f.File, nil
	}
	files := dataset.New(names, open)
	by, _ := schema.ParsePath(c.o.order.By) // which Set has parsed
	if len(names) > 1 && slices.ContainsFunc(files.Columns(), func(f vector.Field) bool { return f.Name == by[0] }) {
		return &usageError{what: "--order-by " + c.o.order.By + ": the names of folders give this column, the same for all rows of a file; rows are ordered by columns that the files have"}
	}
	o := scanner.Options{Want: c.wants, Filter: c.o.where.expr, Limit: c.o.limit, Limited: true, Offset: c.o.offset}
	if c.wants == nil {
		first, err := open(ctx, names[0])
		if err != nil {
			return err
		}
		f := &input{File: first, table: files}
		if err = f.checkColumns(append(c.o.columns.plain(), by)...); err == nil {
			o.Select, err = c.o.columns.paths(first.Schema(), f.folders())
		}
		if err := errors.Join(err, first.Close()); err != nil {
			return inFile(names[0], err)
		}
	}
	c.r.progress.watch(&o)
	fields, err := files.Fields(ctx, o)
	if err != nil {
		return err
	}
	begun := false
	for b, err := range files.Top(ctx, scanner.Order(c.o.order), o) {
		if err == nil && !begun {
			begun = true
			err = c.out.Columns(files.Name(), fields)
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
		return c.out.Columns(files.Name(), fields)
	}
	return nil
}
