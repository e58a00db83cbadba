package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/detach"
)

// Files is several files as one table. A scan opens each file when it reaches it, and
// closes it afterwards. A Files never changes; it is safe for concurrent use.
//
// Folders named like year=2024 are columns, as Hive has them: of the value's
// type if all files' values are integers (INT64) or dates, else STRING. They
// come after the files' own columns, and replace one of the same name. A
// file whose path lacks such a folder has NULL there. Filters may name them, and
// a file that they exclude is not opened.
type Files struct {
	names      []string
	open       Opener
	partitions []partition
	columnsOf  string       // the file whose columns are the table's; "" for the first opened one
	united     *unitedFiles // nil: the columns are those of one file
	err        error        // why no file is opened
	several    bool         // the table has more files than one, also if these are a part of it
}

// Opener opens the file with a name. The caller closes it when its scan is over. It may be
// called from several goroutines at once. scanner.Open is one, and so is the Open of
// scanner.OpenOptions, whose cache then keeps the metadata of all files.
type Opener func(ctx context.Context, name string) (*scanner.File, error)

// Open returns the files at paths, which may be patterns: data/*.parquet,
// or data/**/*.parquet for any number of folders between. It opens none of
// them.
func Open(paths ...string) (*Files, error) {
	var names []string
	for _, path := range paths {
		found, err := fetch.Glob(path)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return New(names, scanner.Open), nil
}

// New returns the files with the given names, in their order, as one table. open opens them.
// With an empty name among them, every scan of the table ends with an error.
func New(names []string, open Opener) *Files {
	return &Files{names: slices.Clone(names), open: open, partitions: partitionsOf(names), several: len(names) > 1, err: errorOf(names)}
}

// errorOf returns the error for files of which one has no name.
func errorOf(names []string) error {
	switch at := slices.Index(names, ""); {
	case at < 0:
		return nil
	case len(names) == 1:
		return wrap("", "", errors.New("the name is empty"))
	default:
		return wrap("", "", fmt.Errorf("the name of file %d of %d is empty", at+1, len(names)))
	}
}

// file opens the file with a name. Errors contain the name.
func (fs *Files) file(ctx context.Context, name string) (*scanner.File, error) {
	f, err := fs.open(ctx, name)
	if err != nil {
		return nil, wrap(name, "", detach.WithEnd(ctx, err))
	}
	return f, nil
}

// shareMemory makes the scans of all files share memory for reuse.
func shareMemory(o *scanner.Options) {
	o.Resources = cmp.Or(o.Resources, &scanner.Resources{})
}

// Name returns the name of the first file, for errors.
func (fs *Files) Name() string {
	if len(fs.names) == 0 {
		return "no files"
	}
	return fs.names[0]
}

// Names returns the names of the files, in their order.
func (fs *Files) Names() []string { return slices.Clone(fs.names) }

// At returns file i alone, as a table with the columns of that file and the partition columns
// of all files.
func (fs *Files) At(i int) *Files {
	one := &Files{names: fs.names[i : i+1 : i+1], open: fs.open, err: errorOf(fs.names[i : i+1])}
	for _, p := range fs.partitions {
		p.texts, p.values = p.texts[i:i+1:i+1], p.values[i:i+1:i+1]
		one.partitions = append(one.partitions, p)
	}
	return one
}

// Part returns file i as a part of the table, with the columns of the first file: scans of all
// parts return together what a scan of the table returns. A scan of a part also opens the first
// file, unless Want is set.
func (fs *Files) Part(i int) *Files {
	part := fs.At(i)
	part.columnsOf, part.several, part.united, part.err = cmp.Or(fs.columnsOf, fs.names[0]), fs.several, fs.united, fs.err
	return part
}

// With returns the same files with another Opener.
func (fs *Files) With(open Opener) *Files {
	with := *fs
	if with.open = open; fs.united != nil {
		with.united = &unitedFiles{fs.united.of.With(open), fs.united.known}
	}
	return &with
}

// Unpartitioned returns the same files without the columns that the folders of their paths define.
func (fs *Files) Unpartitioned() *Files {
	plain := *fs
	if plain.partitions = nil; fs.united != nil {
		plain.united = &unitedFiles{fs.united.of.Unpartitioned(), fs.united.known}
	}
	return &plain
}

// Columns returns the columns that the folders of the files' paths define.
func (fs *Files) Columns() (fields []vector.Field) {
	for _, p := range fs.partitions {
		fields = append(fields, vector.Field{Name: p.name, Type: p.typ, Nullable: true})
	}
	return fields
}

// Scan returns the rows of all files, one after the other, as File.Scan does for one.
// The columns are those of Want, or else those of the first opened file. Other files'
// columns are found by name; a missing one is NULL, and a narrower one is widened where
// that loses nothing. Offset and Limit count through all files; RowNumber counts within
// each. Rows, Plan and Split concern one file: with several files they are an error.
func (fs *Files) Scan(ctx context.Context, o scanner.Options) iter.Seq2[*vector.Batch, error] {
	return func(yield func(*vector.Batch, error) bool) {
		shareMemory(&o)
		w := &walk{files: fs, ctx: ctx, opts: o, offsetLeft: o.Offset, limitLeft: o.Limit}
		err := w.each(func(x *opened) error {
			return x.scan(ctx, func(b *vector.Batch) bool {
				w.countReturned(int64(b.Len))
				return yield(b, nil)
			})
		}, 1, func(a *ahead) error { return a.scan((*ahead).all, yield) })
		if err != nil && err != errStop {
			yield(nil, err)
		}
	}
}

// Constants returns the values in the path of a file, for scanner.Options.
func (fs *Files) Constants(file int) filter.Constants { return constantsOf(fs.partitions, file) }

// Each opens the files that o's Filter does not exclude, and calls do, one after the other,
// with each file and options for it, whose Constants have the values of its path: to
// scan, to count, to plan or to find a least value. Offset and Limit are ignored. The file is
// closed when do returns. The next far files are opened meanwhile.
func (fs *Files) Each(ctx context.Context, o scanner.Options, do func(*scanner.File, scanner.Options) error) error {
	o.Offset, o.Limit, o.Limited = 0, 0, false
	one := func(x *opened) error { return do(x.file, x.opts) }
	return (&walk{files: fs, ctx: ctx, opts: o}).each(one, maxAhead, func(a *ahead) error { return a.each(one) })
}

// Fields returns the fields of a scan's batches. It opens the first file that the filter
// does not exclude; without such a file there are no fields. Of several files, all columns
// and their parts are Nullable, but not those of RowNumber and FileName: a file that is not open
// yet may have NULLs, or lack the column. A batch's own Fields say what holds in its file.
func (fs *Files) Fields(ctx context.Context, o scanner.Options) (fields []vector.Field, err error) {
	o.Offset, o.Limit, o.Limited = 0, 0, false
	w := &walk{files: fs, ctx: ctx, opts: o}
	err = w.each(func(x *opened) error {
		if fields, err = x.file.Fields(ctx, x.opts); err != nil {
			return err
		}
		return errStop
	}, 1, nil)
	if err == errStop {
		err = nil
	}
	if o.Unnest == "" && w.united != nil {
		for i := range min(len(fields), len(w.united)) {
			copyNulls(&fields[i], &w.united[i])
		}
	} else if fs.several {
		fields = allowNulls(fields, &o)
	}
	return fields, err
}

// copyNulls makes a field nullable, at each level, where another one is, and only there.
func copyNulls(f, other *vector.Field) {
	f.Nullable = other.Nullable
	for i := range min(len(f.Children), len(other.Children)) {
		copyNulls(&f.Children[i], &other.Children[i])
	}
}

// allowNulls returns fields that are nullable at each level, but for those of o's RowNumber and FileName. The parts of
// a VARIANT stay as they are: the format says which of them are required.
func allowNulls(fields []vector.Field, o *scanner.Options) []vector.Field {
	fields = slices.Clone(fields)
	for i := range fields {
		f := &fields[i]
		if f.Name == o.RowNumber && o.RowNumber != "" || f.Name == o.FileName && o.FileName != "" {
			continue
		}
		if f.Nullable = true; f.Type.Logical != vector.Variant {
			f.Children = allowNulls(f.Children, &scanner.Options{})
		}
	}
	return fields
}

// Count returns how many rows a scan would return.
func (fs *Files) Count(ctx context.Context, o scanner.Options) (rows int64, err error) {
	if o.Select == nil && o.Want == nil {
		o.Select = []string{} // columns that cannot be united have rows
	}
	w := &walk{files: fs, ctx: ctx, opts: o, offsetLeft: o.Offset, limitLeft: o.Limit}
	count := func(ctx context.Context, x *opened) (int64, error) { return x.file.Count(ctx, x.opts) }
	err = answers(w, (*ahead).none, count, func(_ *opened, n int64) error {
		rows += n
		w.countReturned(n)
		return nil
	})
	return rows, err
}
