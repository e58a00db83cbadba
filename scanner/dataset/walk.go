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
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// walk is a scan of Files on its way.
type walk struct {
	files  *Files
	ctx    context.Context
	opts   scanner.Options
	offset int64 // rows still to leave out
	left   int64 // rows still to hand out, if there is a limit
	ahead  bool  // the rows of a file are counted before they are handed out

	known  bool           // what follows is
	want   []scanner.Want // of the files' own columns
	own    []vector.Field // of the first file: what filters may ask
	tables []partition    // as they are wanted
	places []spot         // of those that are handed out

	number int            // of the file at hand
	fields []vector.Field // of its batches; nil if not known yet
}

// spot is where a partition's column stands in batches, those in front of it
// counted.
type spot struct{ at, table int }

// handOut counts rows. With Unnest they are not those of batches, and counted
// before.
func (w *walk) handOut(rows int64) {
	if w.opts.Unnest == "" {
		w.left -= rows
	}
}

// each calls do for the files that are not excluded, with the options for a scan of
// each.
func (w *walk) each(do func(*scanner.File, scanner.Options) error) error {
	if err := w.start(); err != nil {
		return err
	}
	for {
		name, err := w.next()
		if name == "" || err != nil {
			return err
		}
		if err := w.one(name, do); err != nil {
			return err
		}
	}
}

// start is called before the first file.
func (w *walk) start() error {
	o := &w.opts
	if w.offset < 0 || w.left < 0 {
		return optionsError(w.files.Name(), "Offset or Limit is negative")
	}
	if len(w.files.names) > 1 && (o.Rows != nil || o.Plan != nil || o.Split != (fetch.Range{})) {
		return optionsError(w.files.Name(), "Rows, Plan and Split are about one file, not several")
	}
	w.tables, w.number = slices.Clone(w.files.tables), -1
	if o.Want != nil {
		return w.wanted()
	}
	return nil
}

// next goes to the next file that is not excluded, and returns its name, "" if
// there is none.
func (w *walk) next() (name string, err error) {
	for w.number++; w.number < len(w.files.names); w.number++ {
		if limited(&w.opts) && w.left <= 0 {
			break
		}
		name = w.files.names[w.number]
		excluded, err := w.excluded(w.number)
		if err != nil {
			return "", &scanner.Error{File: name, RowGroup: -1, Page: -1, Offset: -1, Err: err}
		}
		if !excluded {
			w.fields = nil
			return name, nil
		}
	}
	return "", nil
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

func (w *walk) one(name string, do func(*scanner.File, scanner.Options) error) error {
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

// optionsFor returns the options for a scan of the file at hand; none is true if
// Offset leaves all of its rows out.
func (w *walk) optionsFor(f *scanner.File) (o scanner.Options, none bool, err error) {
	if !w.known {
		if err := w.learn(f); err != nil {
			return o, false, err
		}
	}
	o = w.opts
	o.Select, o.Want, o.Offset, o.Limit, o.Limited = nil, w.want, 0, 0, false
	o.Constants = maps.Clone(w.opts.Constants)
	if o.Constants == nil {
		o.Constants = filter.Constants{}
	}
	maps.Copy(o.Constants, constantsOf(w.tables, w.number))
	project.Missing(f.Schema(), projectWants(w.own), o.Constants)
	rows := o // as rows, not as items
	rows.Unnest, rows.Stats = "", nil
	if w.offset > 0 {
		rows.Limit = w.offset
		n, err := f.Count(w.ctx, rows)
		if w.offset -= n; err != nil || w.offset > 0 {
			return o, true, err
		}
		o.Offset, rows.Offset = n, n
	}
	if limited(&w.opts) {
		o.Limit, rows.Limit = w.left, w.left
		if o.Unnest != "" || w.ahead {
			n, err := f.Count(w.ctx, rows)
			if err != nil {
				return o, false, err
			}
			w.left -= n
		}
	}
	return o, false, nil
}

// wanted parts a host's columns in those of files and of paths.
func (w *walk) wanted() error {
	w.known, w.want = true, []scanner.Want{}
	for i := range w.opts.Want {
		want := &w.opts.Want[i]
		table := w.table(want.Name)
		if table < 0 {
			w.want = append(w.want, *want)
			continue
		}
		as, err := w.tables[table].as(want)
		if err != nil {
			return mismatch(w.files.names[0], err)
		}
		w.tables[table] = as
		w.places = append(w.places, spot{i, table})
	}
	return nil
}

// table returns the number of the partition of a name, -1 if there is none.
func (w *walk) table(name string) int {
	return slices.IndexFunc(w.tables, func(p partition) bool { return p.name == name })
}

// learn takes the first file's columns as those of all.
func (w *walk) learn(f *scanner.File) error {
	w.known, w.opts.By = true, scanner.ByName
	var err error
	if w.own, err = f.Fields(w.ctx, scanner.Options{}); err != nil {
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
			table := w.table(names[0])
			if table < 0 || len(names) > 1 {
				paths = append(paths, path)
				continue
			}
			parts, err := project.Select(f.Schema(), paths)
			if err != nil {
				return wrap(f.Name(), "", err)
			}
			w.places = append(w.places, spot{len(parts) + len(w.places), table})
		}
	case w.opts.Unnest == "":
		for i := range w.own {
			if w.table(w.own[i].Name) < 0 {
				paths = append(paths, schema.FormatPath([]string{w.own[i].Name}))
			}
		}
		for table := range w.tables {
			w.places = append(w.places, spot{len(paths) + table, table})
		}
	}
	fields, err := f.Fields(w.ctx, scanner.Options{Select: paths})
	if err != nil {
		return err
	}
	w.want = wantsOf(fields)
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

// limited reports whether a limit bounds the rows.
func limited(o *scanner.Options) bool { return o.Limited || o.Limit > 0 }

// optionsError returns an error that matches scanner.ErrOptions.
func optionsError(name, text string) error {
	return wrap(name, "", fmt.Errorf("%w: %s", scanner.ErrOptions, text))
}

// errStop says that the caller wants no more.
var errStop = errors.New("stop")

// wrap adds a file's name to an error that has no place yet.
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
