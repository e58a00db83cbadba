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
	"github.com/winnow-scan/winnow/scanner/internal/footer"
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
	wants        []scanner.Want // the selected columns
	firstFields  []vector.Field // all columns of the first file, or of all: filters may name them
	union        *Union         // the columns of all files; nil: the table has those of the first
	united       []vector.Field // the selected ones of these
	namesakes    []vector.Field // those of the first file that share a selected name, or have fields that share one
	partitions   []partition    // converted to the types that the host wants

	queue     *fileQueue
	begun     bool  // the first file is being opened, or was
	file      int   // index of the current file
	readAhead int64 // how many bytes a scan of the first file prefetches; 0: files are near
}

// countReturned subtracts returned rows from the limit. With Unnest, rows of batches
// are items; optionsFor has counted the rows then.
func (w *walk) countReturned(rows int64) {
	if w.opts.Unnest == "" && !w.countFirst {
		w.limitLeft -= rows
	}
}

// each opens the files that the filters do not exclude, and calls do with each and the
// options for its scan. If files are far, it opens up to most ahead, and calls far instead, once; nil: it never
// does, and opens no file before the one in front of it is closed.
func (w *walk) each(do func(*opened) error, most int, far func(*ahead) error) error {
	if err := w.start(); err != nil {
		return err
	}
	defer func() { w.queue.end() }()
	if far != nil {
		if a := w.ahead(most); a != nil {
			return far(a)
		}
	}
	return w.queue.each(func(x *opened) error {
		if skipped, err := w.settle(w.ctx, x); skipped || err != nil {
			return err
		}
		return do(x)
	})
}

// ahead returns an ahead if files are far, and nothing speaks against reading several at the same time, else
// nil. A number of files are opened before they are wanted then.
func (w *walk) ahead(most int) *ahead {
	o := &w.opts
	// The footers of all files that Offset skips have to be read, unless a filter decides which rows count.
	offset := w.offsetLeft > 0 && o.Filter == nil
	if len(w.files.names) == 1 || !offset && (w.offsetLeft > 0 || limited(o)) || len(o.Runtime) > 0 || o.Resources != nil && o.Resources.Bytes > 0 || o.ReadAhead < 0 {
		return nil
	}
	first := w.queue.Next()
	if first == nil {
		return nil
	}
	x, err := first.Wait()
	if err == nil {
		w.readAhead = x.file.Source().Traits().ReadAhead()
	}
	if w.readAhead == 0 {
		w.queue.Back(first, 1)
		return nil
	}
	w.queue.Back(first, most)
	w.countFirst = w.countFirst || offset
	a := newAhead(w.queue, w.readAhead)
	a.settle = w.settle
	return a
}

// ended reports whether the files so far have all rows that Limit allows.
func (w *walk) ended() bool { return limited(&w.opts) && w.limitLeft <= 0 }

// start checks the options, before the first file.
func (w *walk) start() (err error) {
	o := &w.opts
	w.ctx = footer.WithSizes(w.ctx)
	if w.files.err != nil {
		return w.files.err
	}
	if w.offsetLeft < 0 || w.limitLeft < 0 {
		return optionsError(w.files.Name(), "Offset or Limit is negative")
	}
	if len(w.files.names) > 1 && (o.Rows != nil || o.Plan != nil || o.Split != (fetch.Range{})) {
		return optionsError(w.files.Name(), "Rows, Plan and Split are about one file, not several")
	}
	w.partitions, w.file, w.queue = slices.Clone(w.files.partitions), -1, w.files.queue(w.ctx, w.next)
	if w.files.united != nil && len(w.files.names) > 0 {
		if w.union, err = w.files.united.union(w.ctx); err != nil {
			return err
		}
	}
	switch {
	case o.Want != nil:
		return w.typePartitions()
	case w.union != nil:
		return w.findColumns(nil, 0)
	}
	return nil
}

// nextFile advances to the next file whose rows are not all excluded by the values in its path, and
// returns its name, "" if there is none or the limit is reached.
func (w *walk) nextFile() (name string, err error) {
	for w.file++; w.file < len(w.files.names); w.file++ {
		if w.ended() {
			break
		}
		name = w.files.names[w.file]
		o := scanner.Options{Filter: w.opts.Filter, Runtime: w.opts.Runtime, Constants: constantsOf(w.partitions, w.file)}
		excluded, err := o.ExcludesFile()
		if err != nil {
			return "", &scanner.Error{File: name, RowGroup: -1, Page: -1, Offset: -1, Err: err}
		}
		if !excluded {
			return name, nil
		}
	}
	return "", nil
}

// next returns what opens the next file that is not excluded; nil after the last.
func (w *walk) next(ctx context.Context) func() (*opened, error) {
	name, err := w.nextFile()
	if name == "" && err == nil {
		return nil
	}
	index, first := w.file, !w.begun
	w.begun = true
	return func() (*opened, error) {
		if err != nil {
			return nil, err
		}
		return w.open(ctx, name, index, first)
	}
}

// open opens the file with an index, and returns it with the options for its scan, which settle completes.
func (w *walk) open(ctx context.Context, name string, index int, first bool) (x *opened, err error) {
	f, err := w.files.file(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { // also when a function of the host's panics
		if x == nil {
			f.Close()
		}
	}()
	o, err := w.optionsFor(f, index)
	if err != nil {
		return nil, err
	}
	return &opened{file: f, opts: o, index: index, first: first}, nil
}

// optionsFor returns the options for a scan of the file with an index, without Offset and Limit.
func (w *walk) optionsFor(f *scanner.File, file int) (o scanner.Options, err error) {
	if !w.columnsKnown {
		if err := w.findColumns(f, file); err != nil {
			return o, err
		}
	}
	if err := w.checkNamesakes(f); err != nil {
		return o, err
	}
	o = w.opts
	o.Select, o.Want, o.Offset, o.Limit, o.Limited = nil, w.wants, 0, 0, false
	o.Constants = w.constants(file)
	project.Missing(f.Schema(), projectWants(w.firstFields), o.Constants)
	t := &compile.Table{Types: map[string]vector.Type{}, Widen: widen}
	if o.Filter != nil || len(o.Runtime) > 0 {
		widened(f.Schema(), f.Schema().Root(), &vector.Field{Layout: vector.Struct, Children: w.firstFields}, t.Types)
	}
	if len(t.Types) > 0 { // Runtime filters are on the table that Filter is on
		o.Filter = compile.InTable(o.Filter, t)
	}
	return o, nil
}

// settle sets Offset and Limit of the scan of a file, once those of the files before are settled. skipped reports
// whether they leave no row of it. x is nil if the file could not be opened.
func (w *walk) settle(ctx context.Context, x *opened) (skipped bool, err error) {
	if ended := w.ended(); ended || x == nil {
		return ended, nil
	}
	o := &x.opts
	rows := *o // Offset and Limit count rows, not items
	rows.Unnest, rows.Stats = "", nil
	if w.offsetLeft > 0 {
		rows.Limit = w.offsetLeft
		n, err := x.file.Count(ctx, rows)
		if w.offsetLeft -= n; err != nil || w.offsetLeft > 0 {
			return true, err
		}
		o.Offset, rows.Offset = n, n
	}
	if limited(&w.opts) {
		o.Limit, rows.Limit = w.limitLeft, w.limitLeft
		if o.Unnest != "" || w.countFirst {
			n, err := x.file.Count(ctx, rows)
			if err != nil {
				return false, err
			}
			w.limitLeft -= n
		}
	}
	return false, nil
}

// constants returns the host's constants and the values in the path of a file, which hide
// them.
func (w *walk) constants(file int) filter.Constants {
	constants := filter.Constants{}
	maps.Copy(constants, w.opts.Constants)
	maps.Copy(constants, constantsOf(w.partitions, file))
	return constants
}

// typePartitions converts the values of paths to the types of Want.
func (w *walk) typePartitions() error {
	w.columnsKnown, w.wants = true, w.opts.Want
	for i := range w.opts.Want {
		want := &w.opts.Want[i]
		table := w.partitionOf(want.Name)
		if table < 0 {
			continue
		}
		as, err := w.partitions[table].convertedTo(want)
		if err != nil {
			return mismatch(w.files.names[0], err)
		}
		w.partitions[table] = as
	}
	return nil
}

// partitionOf returns the index of the partition with a name, -1 if there is none.
func (w *walk) partitionOf(name string) int {
	return slices.IndexFunc(w.partitions, func(p partition) bool { return p.name == name })
}

// findColumns sets the columns of the table: those of all files, or before the first file, f, is scanned, its own.
func (w *walk) findColumns(f *scanner.File, file int) (err error) {
	if of := w.files.columnsOf; w.union == nil && of != "" && of != f.Name() {
		if f, err = w.files.file(w.ctx, of); err != nil {
			return err
		}
		defer f.Close()
	}
	w.columnsKnown, w.opts.By = true, scanner.ByName
	o := scanner.Options{Select: w.opts.Select, Constants: w.constants(file)}
	all := o.Select == nil && w.opts.Unnest == ""
	if o.Select == nil && !all {
		o.Select = []string{}
	}
	fieldsOf := f.Fields
	if w.union != nil {
		fieldsOf, o.Filter = w.union.Fields, w.opts.Filter
	}
	fields, err := fieldsOf(w.ctx, o)
	if all { // the columns of paths stand behind the others
		fields = slices.DeleteFunc(fields, func(f vector.Field) bool { return w.partitionOf(f.Name) >= 0 })
		fields = append(fields, w.files.Columns()...)
	}
	if w.wants = scanner.Wants(fields); w.union != nil {
		w.firstFields, w.united = w.union.root.whole().Children, fields
	} else if err == nil {
		w.firstFields, err = f.Fields(w.ctx, scanner.Options{})
		w.namesakes = namesakesOf(w.firstFields, fields)
	}
	return err
}

func projectWants(fields []vector.Field) []project.Want {
	wants := make([]project.Want, len(fields))
	for i := range fields {
		f := &fields[i]
		wants[i] = project.Want{Name: f.Name, Layout: f.Layout, Type: f.Type, Children: projectWants(f.Children)}
	}
	return wants
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
