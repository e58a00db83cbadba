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
				w.handOut(b.Len)
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
func (fs *Files) Fields(ctx context.Context, o Options) (fields []vector.Field, err error) {
	o.Offset, o.Limit = 0, 0
	w := &walk{files: fs, ctx: ctx, opts: o}
	err = w.each(func(f *File, o Options) error {
		own, err := f.Fields(o)
		if err != nil {
			return err
		}
		fields = w.withTables(own)
		return errStop
	})
	if err == errStop {
		err = nil
	}
	return fields, err
}

// Count returns how many rows a scan would hand out.
func (fs *Files) Count(ctx context.Context, o Options) (rows int64, err error) {
	w := &walk{files: fs, ctx: ctx, opts: o, offset: o.Offset, left: o.Limit}
	err = w.each(func(f *File, o Options) error {
		n, err := f.Count(ctx, o)
		rows += n
		w.handOut(int(n))
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
	tables []partition    // as they are wanted
	places []place        // of those that are handed out

	number int            // of the file at hand
	fields []vector.Field // of its batches; nil if not known yet
}

// place is where a partition's column stands in batches, those in front of it
// counted.
type place struct{ at, table int }

// handOut counts rows. With Unnest they are not those of batches, and counted
// before.
func (w *walk) handOut(rows int) {
	if w.opts.Unnest == "" {
		w.left -= int64(rows)
	}
}

// each calls do for the files that are not excluded, with the options for a scan of
// each.
func (w *walk) each(do func(*File, Options) error) error {
	o := &w.opts
	if o.Rows != nil || o.Plan != nil || o.Split != (fetch.Range{}) {
		return errors.New("scan of several files: Rows, Plan and Split are about one file")
	}
	w.tables = slices.Clone(w.files.tables)
	if o.Want != nil {
		if err := w.wanted(); err != nil {
			return err
		}
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
		w.number, w.fields = i, nil
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
	}
	o := w.opts
	o.Select, o.Want, o.Offset, o.Limit = nil, w.want, 0, 0
	o.known = constantsOf(w.tables, w.number)
	f.missing(nil, w.own, o.known)
	rows := o // as rows, not as items
	rows.Unnest, rows.Stats = "", nil
	if w.offset > 0 {
		rows.Limit = w.offset
		n, err := f.Count(w.ctx, rows)
		if w.offset -= n; err != nil || w.offset > 0 {
			return err
		}
		o.Offset, rows.Offset = n, n
	}
	if w.opts.Limit > 0 {
		o.Limit, rows.Limit = w.left, w.left
		if o.Unnest != "" {
			n, err := f.Count(w.ctx, rows)
			if err != nil {
				return err
			}
			w.left -= n
		}
	}
	return do(f, o)
}

// wanted parts a host's columns in those of files and of paths.
func (w *walk) wanted() error {
	w.known, w.want = true, []Want{}
	for i := range w.opts.Want {
		want := &w.opts.Want[i]
		table := w.table(want.Name)
		if table < 0 {
			w.want = append(w.want, *want)
			continue
		}
		as, err := w.tables[table].as(want)
		if err != nil {
			return (&File{name: w.files.names[0]}).mismatch(err)
		}
		w.tables[table] = as
		w.places = append(w.places, place{i, table})
	}
	return nil
}

// table returns the number of the partition of a name, -1 if there is none.
func (w *walk) table(name string) int {
	return slices.IndexFunc(w.tables, func(p partition) bool { return p.name == name })
}

// learn takes the first file's columns as those of all.
func (w *walk) learn(f *File) error {
	w.known, w.opts.By = true, ByName
	var err error
	if w.own, err = f.Fields(Options{}); err != nil {
		return err
	}
	paths := []string{}
	switch {
	case w.opts.Select != nil:
		for _, path := range w.opts.Select {
			names, err := schema.ParsePath(path)
			if err != nil {
				return f.wrap(-1, "", -1, err)
			}
			table := w.table(names[0])
			if table < 0 || len(names) > 1 {
				paths = append(paths, path)
				continue
			}
			picks, err := f.picks(paths)
			if err != nil {
				return err
			}
			w.places = append(w.places, place{len(picks) + len(w.places), table})
		}
	case w.opts.Unnest == "":
		for i := range w.own {
			if w.table(w.own[i].Name) < 0 {
				paths = append(paths, schema.FormatPath([]string{w.own[i].Name}))
			}
		}
		for table := range w.tables {
			w.places = append(w.places, place{len(paths) + table, table})
		}
	}
	fields, err := f.Fields(Options{Select: paths})
	if err != nil {
		return err
	}
	w.want = wantsOf(fields)
	return nil
}

func wantsOf(fields []vector.Field) []Want {
	wants := make([]Want, len(fields))
	for i := range fields {
		f := &fields[i]
		wants[i] = Want{Name: f.Name, Layout: f.Layout, Type: f.Type, Children: wantsOf(f.Children)}
	}
	return wants
}

// missing adds what the file lacks of fields, which lie below a path, as
// constants.
func (f *File) missing(path []string, fields []vector.Field, to filter.Constants) {
	for i := range fields {
		field := &fields[i]
		at := append(path[:len(path):len(path)], field.Name)
		there := f.schema.Find(at...) != nil
		switch {
		case field.Layout == vector.Struct:
			f.missing(at, field.Children, to)
		case field.Layout == vector.Leaf && !there:
			if text := schema.FormatPath(at); to[text] == nil {
				to[text] = &vector.Vector{Type: field.Type}
			}
		}
	}
}

// complete adds the columns of paths to a batch.
func (w *walk) complete(b *vector.Batch) {
	if w.fields == nil {
		w.fields = w.withTables(b.Fields)
	}
	b.Fields = w.fields
	for _, p := range w.places {
		b.Columns = slices.Insert(b.Columns, p.at, w.tables[p.table].rows(w.number, b.Len))
	}
}

func (w *walk) withTables(own []vector.Field) []vector.Field {
	fields := slices.Clone(own)
	for _, p := range w.places {
		fields = slices.Insert(fields, p.at, w.tables[p.table].field())
	}
	return fields
}
