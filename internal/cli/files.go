package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// input is one file that a command looks at.
type input struct {
	*scanner.File
	src    fetch.Source
	close  func() error
	number int // among all files of the command line, from 0

	// What folders like year=2024 tell of it: as a table of its own, and as
	// options that any question about it needs; nil where they tell nothing.
	table   *dataset.Files
	options *scanner.Options
}

// asked returns options for questions about the rows of the file that pass.
func (f *input) asked(where *filter.Expr) scanner.Options {
	if f.options == nil {
		return scanner.Options{Filter: where}
	}
	o := *f.options
	o.Filter, o.Want = where, nil
	return o
}

// scan returns rows, with the columns that folders tell.
func (f *input) scan(ctx context.Context, o scanner.Options) iter.Seq2[*vector.Batch, error] {
	if f.table != nil {
		return f.table.Scan(ctx, o)
	}
	return f.Scan(ctx, o)
}

// fields returns what the columns of scan are.
func (f *input) fields(ctx context.Context, o scanner.Options) ([]vector.Field, error) {
	if f.table != nil {
		return f.table.Fields(ctx, o)
	}
	return f.Fields(ctx, o)
}

// constants returns the columns that folders tell, as filters know them.
func (f *input) constants() filter.Constants {
	if f.table == nil {
		return nil
	}
	return f.table.Constants(0)
}

// told reports whether folders tell a column.
func (f *input) told(name string) bool {
	return f.table != nil && slices.ContainsFunc(f.table.Columns(), func(c vector.Field) bool { return c.Name == name })
}

// check looks for columns that were named, so as to suggest others.
func (f *input) check(paths ...[]string) error {
	for _, p := range paths {
		if f.Schema().Find(p[0]) == nil && !f.told(p[0]) {
			return noColumn(f.Schema(), p)
		}
	}
	return nil
}

// each runs a command on every file, one after the other. A bad file costs one
// line on stderr and the exit code, and does not stop the others.
func each(ctx context.Context, cmd *command, o *options, args []string, stdout, stderr *os.File) (int, error) {
	names, tables := inputs(cmd, args)
	if err := spare(o.output, names); err != nil {
		return exitUsage, &usageError{command: cmd.name, what: cmd.name + ": " + err.Error()}
	}
	r, to, err := newReport(ctx, o, stdout, stderr)
	if err != nil {
		return exitUsage, err
	}
	code := exitOK
	report := func(err error) {
		r.out.Flush() // what belongs before the error
		r.progress.clear()
		printError(stderr, err.Error())
		code = exitBadFile
	}
	t, err := cmd.begin(ctx, o, args, r)
	if err != nil {
		return exitUsage, errors.Join(err, to.finish(false))
	}
	number := 0
	for i := range args {
		files, err := names[i].files, names[i].err
		if err != nil {
			report(err)
			continue
		}
		for _, name := range files {
			if t.enough != nil && t.enough() {
				if err := exists(ctx, name); err != nil {
					report(err)
				}
				continue
			}
			err := o.where.explain(shortName(name), one(ctx, o, t, name, number, tables))
			number++
			var usage *usageError
			var output *outputError
			switch {
			case ctx.Err() != nil:
				r.progress.clear()
				return exitInterrupted, errors.Join(r.interrupt(), to.finish(false))
			case errors.As(err, &usage):
				usage.command = cmd.name
				return exitUsage, errors.Join(usage, r.out.Flush(), to.finish(false))
			case errors.As(err, &output):
				r.progress.clear()
				return exitBadFile, errors.Join(output, to.finish(false))
			case err != nil:
				report(err)
			}
		}
	}
	r.progress.clear()
	if t.end != nil {
		err = t.end()
	}
	if err == nil {
		err = r.end()
	}
	if err != nil {
		return exitBadFile, errors.Join(err, to.finish(false))
	}
	switch {
	case ctx.Err() != nil:
		return exitInterrupted, to.finish(false)
	case code != exitOK && to.replaces:
		return code, errors.Join(fmt.Errorf("-o %s: not written, since not everything could be read", shortName(o.output)), to.finish(false))
	}
	return code, to.finish(true)
}

// argument is what one of the command line stands for.
type argument struct {
	files []string
	err   error
}

// inputs returns the files that arguments name and, where folders tell columns
// that the command can ask, all of them as a table.
func inputs(cmd *command, args []string) ([]argument, *dataset.Files) {
	all := make([]argument, len(args))
	var names []string
	for i, arg := range args {
		switch {
		case arg != stdin:
			all[i].files, all[i].err = fetch.Glob(arg)
		case slices.Contains(args[:i], stdin):
			all[i].err = errors.New(shortName(stdin) + ": named twice, and can be read once")
		default:
			all[i].files = []string{stdin}
		}
		for _, name := range all[i].files {
			names = append(names, filepath.ToSlash(name))
		}
	}
	if cmd.takes&takesWhere == 0 {
		return all, nil
	}
	if tables := dataset.New(names, nil); len(tables.Columns()) > 0 {
		return all, tables
	}
	return all, nil
}

// spare refuses to put the answer, which is no Parquet, in the place of a file
// that it comes from.
func spare(output string, names []argument) error {
	there, err := os.Stat(output)
	if output == "" || err != nil {
		return nil // newReport says what is wrong
	}
	for _, a := range names {
		for _, name := range a.files {
			if info, err := os.Stat(name); err == nil && name != stdin && os.SameFile(there, info) {
				return fmt.Errorf("-o %s: it is one of the files to read", shortName(output))
			}
		}
	}
	return nil
}

// one runs a task on one file, unless its folders tell that no row passes.
func one(ctx context.Context, o *options, t *task, name string, number int, tables *dataset.Files) error {
	if tables == nil {
		f, err := openInput(ctx, name, number)
		if err != nil {
			return err
		}
		defer f.close()
		return place(name, t.file(ctx, f))
	}
	var f *input
	table := tables.At(number)
	err := table.With(func(ctx context.Context, _ string) (file *scanner.File, err error) {
		if f, err = openInput(ctx, name, number); err != nil {
			return nil, err
		}
		return f.File, nil
	}).Each(ctx, scanner.Options{Filter: o.where.expr}, func(_ *scanner.File, known scanner.Options) error {
		f.table = table.With(func(context.Context, string) (*scanner.File, error) { return f.File, nil })
		f.options = &known
		return t.file(ctx, f)
	})
	switch {
	case f != nil:
		f.close()
	case err == nil && t.none != nil:
		return t.none(shortName(name))
	}
	return place(name, err)
}

// openInput opens a file. Whoever gets it closes its source.
func openInput(ctx context.Context, name string, number int) (*input, error) {
	src, shut, err := openSource(ctx, name)
	if err != nil {
		return nil, err
	}
	f, err := scanner.OpenSource(ctx, shortName(name), src)
	if err != nil {
		shut()
		return nil, err
	}
	return &input{File: f, src: src, close: shut, number: number}, nil
}

func openSource(ctx context.Context, name string) (src fetch.Source, shut func() error, err error) {
	if name == stdin {
		src, shut, err = openStdin(ctx)
		return src, shut, place(name, err)
	}
	file, err := fetch.Open(name)
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil {
			err = cause // without the path, which place adds
		}
		return nil, nil, place(name, err)
	}
	return file, file.Close, nil
}

// exists returns what is wrong with a file that nothing is wanted of any more.
func exists(ctx context.Context, name string) error {
	if name == stdin {
		return nil
	}
	_, shut, err := openSource(ctx, name)
	if err == nil {
		err = shut()
	}
	return err
}

// place adds the file's name to an error that does not have it.
func place(name string, err error) error {
	var e *scanner.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &scanner.Error{File: shortName(name), RowGroup: -1, Page: -1, Offset: -1, Err: err}
}

// isStop says whether err concerns the machine or the user, not the bytes of
// one chunk: then the next chunk will fare no better.
func isStop(err error) bool {
	return err != nil && !errors.Is(err, scanner.ErrCorrupt) && !errors.Is(err, scanner.ErrUnsupported) && !errors.Is(err, scanner.ErrEncrypted)
}
