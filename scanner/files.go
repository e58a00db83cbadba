package scanner

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Files is several files as one table. Each is opened when a scan comes to it,
// and closed behind it. It does not change, and scans may share it.
//
// Folders named like year=2024 are columns, as Hive has them: of the value's
// type if all files' values are integers (INT64) or dates, else STRING. They
// stand behind the files' own columns, and in place of one of the same name. A
// file whose path lacks such a folder has NULL there. Filters may ask them, and
// a file that they exclude is not opened.
type Files struct {
	names  []string
	open   Opener
	tables []partition
}

// Opener opens the file of a name. Its scan is over when it is closed.
type Opener func(ctx context.Context, name string) (*File, error)

// OpenFiles returns the files at paths, which may be patterns: data/*.parquet,
// or data/**/*.parquet for any number of folders between. None of them is
// opened.
func OpenFiles(paths ...string) (*Files, error) {
	var names []string
	for _, path := range paths {
		found, err := fetch.Glob(path)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return NewFiles(names, Open), nil
}

// NewFiles returns the files of names, in their order, that open opens.
func NewFiles(names []string, open Opener) *Files {
	return &Files{names: slices.Clone(names), open: open, tables: partitions(names)}
}

// Names returns the names of the files, in their order.
func (fs *Files) Names() []string { return slices.Clone(fs.names) }

// Columns returns the columns that the files' paths tell.
func (fs *Files) Columns() (fields []vector.Field) {
	for i := range fs.tables {
		fields = append(fields, fs.tables[i].field())
	}
	return fields
}

// Scan returns the rows of all files, one after the other, as File.Scan does
// those of one. The columns of files are as Want says, or else as they are in the
// first file that is opened, whose columns the others' are found by: by name, NULL where
// one is missing, widened where that loses nothing. Offset and Limit count
// through all files; RowNumber counts within each. Rows, Plan and Split are
// about one file, and an error here.
func (fs *Files) Scan(ctx context.Context, o Options) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		w := &walk{files: fs, ctx: ctx, opts: o, offset: o.Offset, left: o.Limit}
		if o.Memory == nil {
			w.opts.Memory = NewMemory(ownMemory)
		}
		err := w.each(func(f *File, o Options) error {
			for b, err := range f.Scan(ctx, o) {
				if err != nil {
					return err
				}
				w.complete(b)
				if !yield(b, nil) {
					return errStop
				}
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(nil, err)
		}
	}
}

// Fields returns what the columns of the batches of a scan are. It opens the
// first file that the filter does not exclude; without one there are no fields.
func (fs *Files) Fields(ctx context.Context, o Options) ([]vector.Field, error) {
	w := &walk{files: fs, ctx: ctx, opts: o}
	w.opts.Limit = 0
	err := w.each(func(*File, Options) error { return errStop })
	if err == errStop {
		err = nil
	}
	return w.fields, err
}

// Count returns how many rows a scan would hand out.
func (fs *Files) Count(ctx context.Context, o Options) (rows int64, err error) {
	w := &walk{files: fs, ctx: ctx, opts: o, offset: o.Offset, left: o.Limit}
	err = w.each(func(f *File, o Options) error {
		n, err := f.Count(ctx, o)
		rows += n
		return err
	})
	return rows, err
}

// walk is a scan of Files on its way.
type walk struct {
	files  *Files
	ctx    context.Context
	opts   Options
	offset int64 // rows still to leave out
	left   int64 // rows still to hand out, if there is a limit

	known  bool           // what follows is
	want   []Want         // of the files' own columns
	own    []vector.Field // of the first file: what filters may ask
	tables []partition    // all, as they are wanted
	places []place        // of those that are handed out
	fields []vector.Field
	number int // of the file at hand
}

// place is where a partition's column stands in batches.
type place struct{ at, table int }

// each calls do for the files that are not excluded, with the options for a scan of
// each.
func (w *walk) each(do func(*File, Options) error) error {
	o := &w.opts
	if o.Rows != nil || o.Plan != nil || o.Split != (fetch.Range{}) {
		return errors.New("scan of several files: Rows, Plan and Split are about one file")
	}
	w.tables = w.files.tables
	if err := w.wantTables(); err != nil {
		return err
	}
	for i, name := range w.files.names {
		if o.Limit > 0 && w.left <= 0 {
			return nil
		}
		excluded, err := w.excluded(i)
		if err != nil {
			return &Error{File: name, RowGroup: -1, Page: -1, Offset: -1, Err: err}
		}
		if excluded {
			continue
		}
		w.number = i
		if err := w.one(name, do); err != nil {
			return err
		}
	}
	return nil
}

// excluded reports whether no row of a file can pass, by its path.
func (w *walk) excluded(file int) (bool, error) {
	constants := constantsOf(w.tables, file)
	excluded, err := filter.Excludes(w.opts.Filter, constants)
	for _, r := range w.opts.Runtime {
		if excluded || err != nil {
			break
		}
		e, _ := r.Snapshot()
		excluded, err = filter.Excludes(e, constants)
	}
	return excluded, err
}

func (w *walk) one(name string, do func(*File, Options) error) error {
	f, err := w.files.open(w.ctx, name)
	if err != nil {
		return err
	}
	defer f.Close()
	if !w.known {
		if err := w.learn(f); err != nil {
			return err
		}
		w.known = true
	}
	o := w.opts
	o.Select, o.Want = nil, w.want
	if o.Want == nil {
		o.Want = []Want{}
	}
	o.known = constantsOf(w.tables, w.number)
	w.missing(f, nil, w.own, o.known)
	o.Offset, o.Limit = 0, 0
	counted := o
	counted.Unnest = ""
	if w.offset > 0 {
		counted.Limit = w.offset
		n, err := f.Count(w.ctx, counted)
		if err != nil {
			return err
		}
		if w.offset -= n; w.offset > 0 {
			return nil
		}
		o.Offset = n
	}
	if w.opts.Limit > 0 {
		o.Limit = w.left
		counted.Offset, counted.Limit = o.Offset, o.Limit
		if w.number < len(w.files.names)-1 {
			n, err := f.Count(w.ctx, counted)
			if err != nil {
				return err
			}
			w.left -= n
		}
	}
	return do(f, o)
}
