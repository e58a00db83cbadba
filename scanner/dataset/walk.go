package dataset

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/filter/compile"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// walk is the state of a scan over Files.
type walk struct {
	files      *Files
	ctx        context.Context
	opts       scanner.Options
	offsetLeft int64 // rows still to skip
	limitLeft  int64 // rows still to return, if there is a limit
	countFirst bool  // with a limit, the rows of a file are counted before it is scanned

	columnsKnown bool           // the fields below are set
	fileWants    []scanner.Want // the selected columns that files have
	firstFields  []vector.Field // all columns of the first file: filters may name them
	partitions   []partition    // converted to the types that the host wants
	inserted     []insertion    // the selected partition columns

	file        int            // index of the current file
	batchFields []vector.Field // of its batches; nil before the first
}

// insertion is the index that a partition's column gets in batches, when those with
// lower indexes are already in.
type insertion struct{ column, partition int }

// countReturned subtracts returned rows from the limit. With Unnest, rows of batches
// are items; optionsFor has counted the rows then.
func (w *walk) countReturned(rows int64) {
	if w.opts.Unnest == "" {
		w.limitLeft -= rows
	}
}

// each opens the files that the filters do not exclude, and calls do with each and the
// options for its scan.
func (w *walk) each(do func(*scanner.File, scanner.Options) error) error {
	if err := w.start(); err != nil {
		return err
	}
	for {
		name, err := w.nextFile()
		if name == "" || err != nil {
			return err
		}
		if err := w.visit(name, do); err != nil {
			return err
		}
	}
}

// start checks the options, before the first file.
func (w *walk) start() error {
	o := &w.opts
	if w.offsetLeft < 0 || w.limitLeft < 0 {
		return optionsError(w.files.Name(), "Offset or Limit is negative")
	}
	if len(w.files.names) > 1 && (o.Rows != nil || o.Plan != nil || o.Split != (fetch.Range{})) {
		return optionsError(w.files.Name(), "Rows, Plan and Split are about one file, not several")
	}
	w.partitions, w.file = slices.Clone(w.files.partitions), -1
	if o.Want != nil {
		return w.splitWants()
	}
	return nil
}

// nextFile advances to the next file that is not excluded and returns its name, "" if
// there is none or the limit is reached.
func (w *walk) nextFile() (name string, err error) {
	for w.file++; w.file < len(w.files.names); w.file++ {
		if limited(&w.opts) && w.limitLeft <= 0 {
			break
		}
		name = w.files.names[w.file]
		excluded, err := w.excluded(w.file)
		if err != nil {
			return "", &scanner.Error{File: name, RowGroup: -1, Page: -1, Offset: -1, Err: err}
		}
		if !excluded {
			w.batchFields = nil
			return name, nil
		}
	}
	return "", nil
}

// excluded reports whether the values in a file's path exclude all of its rows.
func (w *walk) excluded(file int) (bool, error) {
	constants := constantsOf(w.partitions, file)
	excluded, err := compile.Excludes(w.opts.Filter, constants)
	for _, r := range w.opts.Runtime {
		if excluded || err != nil {
			break
		}
		e, _ := r.Snapshot()
		excluded, err = compile.Excludes(e, constants)
	}
	return excluded, err
}

// visit opens a file, calls do with it unless Offset skips all of its rows, and closes it.
func (w *walk) visit(name string, do func(*scanner.File, scanner.Options) error) error {
	f, err := w.files.file(w.ctx, name)
	if err != nil {
		return err
	}
	defer f.Close()
	o, none, err := w.optionsFor(f)
	if err != nil || none {
		return err
	}
	return do(f, o)
}

// optionsFor returns the options for a scan of the current file. skipped reports whether
// Offset skips all of its rows.
func (w *walk) optionsFor(f *scanner.File) (o scanner.Options, skipped bool, err error) {
	if !w.columnsKnown {
		if err := w.takeColumns(f); err != nil {
			return o, false, err
		}
	}
	o = w.opts
	o.Select, o.Want, o.Offset, o.Limit, o.Limited = nil, w.fileWants, 0, 0, false
	o.Constants = maps.Clone(w.opts.Constants)
	if o.Constants == nil {
		o.Constants = filter.Constants{}
	}
	maps.Copy(o.Constants, constantsOf(w.partitions, w.file))
	project.Missing(f.Schema(), projectWants(w.firstFields), o.Constants)
	rows := o // Offset and Limit count rows, not items
	rows.Unnest, rows.Stats = "", nil
	if w.offsetLeft > 0 {
		rows.Limit = w.offsetLeft
		n, err := f.Count(w.ctx, rows)
		if w.offsetLeft -= n; err != nil || w.offsetLeft > 0 {
			return o, true, err
		}
		o.Offset, rows.Offset = n, n
	}
	if limited(&w.opts) {
		o.Limit, rows.Limit = w.limitLeft, w.limitLeft
		if o.Unnest != "" || w.countFirst {
			n, err := f.Count(w.ctx, rows)
			if err != nil {
				return o, false, err
			}
			w.limitLeft -= n
		}
	}
	return o, false, nil
}

// splitWants divides the columns of Want into those of files and those of paths.
func (w *walk) splitWants() error {
	w.columnsKnown, w.fileWants = true, []scanner.Want{}
	for i := range w.opts.Want {
		want := &w.opts.Want[i]
		table := w.partitionOf(want.Name)
		if table < 0 {
			w.fileWants = append(w.fileWants, *want)
			continue
		}
		as, err := w.partitions[table].convertedTo(want)
		if err != nil {
			return mismatch(w.files.names[0], err)
		}
		w.partitions[table] = as
		w.inserted = append(w.inserted, insertion{i, table})
	}
	return nil
}

// partitionOf returns the index of the partition with a name, -1 if there is none.
func (w *walk) partitionOf(name string) int {
	return slices.IndexFunc(w.partitions, func(p partition) bool { return p.name == name })
}

// takeColumns makes the columns of the first file those of the table.
func (w *walk) takeColumns(f *scanner.File) error {
	w.columnsKnown, w.opts.By = true, scanner.ByName
	var err error
	if w.firstFields, err = f.Fields(w.ctx, scanner.Options{}); err != nil {
		return err
	}
	paths := []string{}
	switch {
	case w.opts.Select != nil:
		for _, path := range w.opts.Select {
			names, err := schema.ParsePath(path)
			if err != nil {
				return wrap(f.Name(), "", err)
			}
			table := w.partitionOf(names[0])
			if table < 0 || len(names) > 1 {
				paths = append(paths, path)
				continue
			}
			parts, err := project.Select(f.Schema(), paths)
			if err != nil {
				return wrap(f.Name(), "", err)
			}
			w.inserted = append(w.inserted, insertion{len(parts) + len(w.inserted), table})
		}
	case w.opts.Unnest == "":
		for i := range w.firstFields {
			if w.partitionOf(w.firstFields[i].Name) < 0 {
				paths = append(paths, schema.FormatPath([]string{w.firstFields[i].Name}))
			}
		}
		for table := range w.partitions {
			w.inserted = append(w.inserted, insertion{len(paths) + table, table})
		}
	}
	fields, err := f.Fields(w.ctx, scanner.Options{Select: paths})
	if err != nil {
		return err
	}
	w.fileWants = wantsOf(fields)
	return nil
}

func projectWants(fields []vector.Field) []project.Want {
	wants := make([]project.Want, len(fields))
	for i := range fields {
		f := &fields[i]
		wants[i] = project.Want{Name: f.Name, Layout: f.Layout, Type: f.Type, Children: projectWants(f.Children)}
	}
	return wants
}

func wantsOf(fields []vector.Field) []scanner.Want {
	wants := make([]scanner.Want, len(fields))
	for i := range fields {
		f := &fields[i]
		wants[i] = scanner.Want{Name: f.Name, Layout: f.Layout, Type: f.Type, Children: wantsOf(f.Children)}
	}
	return wants
}

// complete inserts the partition columns into a batch.
func (w *walk) complete(b *vector.Batch) {
	if w.batchFields == nil {
		w.batchFields = w.withPartitions(b.Fields)
	}
	b.Fields = w.batchFields
	for _, p := range w.inserted {
		b.Columns = slices.Insert(b.Columns, p.column, w.partitions[p.partition].constant(w.file, b.Len))
	}
}

// withPartitions returns fields with those of the partition columns inserted.
func (w *walk) withPartitions(own []vector.Field) []vector.Field {
	fields := slices.Clone(own)
	for _, p := range w.inserted {
		fields = slices.Insert(fields, p.column, w.partitions[p.partition].field())
	}
	return fields
}

// limited reports whether a limit bounds the rows.
func limited(o *scanner.Options) bool { return o.Limited || o.Limit > 0 }

// optionsError returns an error that matches scanner.ErrOptions.
func optionsError(name, text string) error {
	return wrap(name, "", fmt.Errorf("%w: %s", scanner.ErrOptions, text))
}

// errStop ends a loop whose caller needs no more.
var errStop = errors.New("stop")

// wrap adds a file's name and a column to an error that names no file yet.
func wrap(name, column string, err error) error {
	var e *scanner.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &scanner.Error{File: name, RowGroup: -1, Column: column, Page: -1, Offset: -1, Err: err}
}

// mismatch adds a file's name and the column to an error of package project.
func mismatch(name string, err error) error {
	var m *project.Mismatch
	if !errors.As(err, &m) {
		return wrap(name, "", err)
	}
	return wrap(name, schema.FormatPath(m.Path), err)
}
