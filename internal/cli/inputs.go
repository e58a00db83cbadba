package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/lookahead"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// inputs are the files that the arguments of a command line stand for.
type inputs struct {
	opener opener
	args   []argument
	// All files as one table, where folders like year=2024 give columns that the
	// command can ask; else nil.
	table *dataset.Files
	// A folder is among the arguments: its files are parts of one table.
	isTable bool
	ahead   *lookahead.Queue[*input] // nil: files are opened when their turn comes
}

// argument is the files that one argument stands for.
type argument struct {
	files []string
	err   error
}

// findInputs finds the files that arguments name. asTable is whether columns that their folders
// give can be asked.
func findInputs(ctx context.Context, opener opener, args []string, asTable bool) *inputs {
	in := &inputs{opener: opener, args: make([]argument, len(args))}
	var names []string
	for i, arg := range args {
		a := &in.args[i]
		if arg == stdin && slices.Contains(args[:i], stdin) {
			a.err = errors.New(shortName(stdin) + ": named twice, and can be read once")
			continue
		}
		if info, err := os.Stat(arg); err == nil && info.IsDir() && arg != stdin {
			in.isTable = true
			a.files, a.err = filesIn(arg)
		} else {
			a.files, a.err = opener.match(ctx, arg)
		}
		for _, name := range a.files {
			names = append(names, filepath.ToSlash(withoutQuery(name)))
		}
	}
	if asTable {
		if table := dataset.New(names, nil); len(table.Columns()) > 0 {
			in.table = table
		}
	}
	return in
}

// filesIn returns the Parquet files in a folder and the folders in it, sorted. Names
// that start with a dot or an underscore are those of a writer's own files.
func filesIn(folder string) (files []string, err error) {
	root := folder + string(filepath.Separator) // behind a link, too
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		own := strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")
		switch {
		case own && d.IsDir():
			return fs.SkipDir
		case own || d.IsDir():
			return nil
		}
		if isParquet(path) {
			files = append(files, filepath.Clean(path))
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = errors.New("no Parquet files in it")
	}
	return files, inFile(folder, err)
}

// isParquet reports whether a name is that of a Parquet file.
func isParquet(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".parquet", ".parq", ".pq":
		return true
	}
	return false
}

// names returns the names of all files.
func (in *inputs) names() (names []string) {
	for _, a := range in.args {
		names = append(names, a.files...)
	}
	return names
}

// number returns how many files there are.
func (in *inputs) number() int { return len(in.names()) }

// refuseOutput refuses to put the answer, which is no Parquet, in the place of a
// file that it comes from.
func (in *inputs) refuseOutput(output string) error {
	there, err := os.Stat(output)
	if output == "" || err != nil {
		return nil // newReport says what is wrong
	}
	for _, name := range in.names() {
		if name == stdin || in.opener.scheme(name) != nil {
			continue
		}
		if info, err := os.Stat(name); err == nil && os.SameFile(there, info) {
			return fmt.Errorf("-o %s: it is one of the files to read", shortName(output))
		}
	}
	return nil
}

// visit opens one file and calls look, unless its folders tell that no row passes the filter:
// then it calls excluded, if that is not nil. The number of the file counts all files of the
// command line, from 0.
func (in *inputs) visit(ctx context.Context, where *filter.Expr, name string, number int, look func(context.Context, *input) error, excluded func(name string) error) error {
	if in.table == nil {
		f, err := in.open(ctx, name, number)
		if err != nil {
			return err
		}
		defer f.close()
		return inFile(name, look(ctx, f))
	}
	var f *input
	table := in.table.At(number)
	err := table.With(func(ctx context.Context, _ string) (file *scanner.File, err error) {
		if f, err = in.open(ctx, name, number); err != nil {
			return nil, err
		}
		return f.File, nil
	}).Each(ctx, scanner.Options{Filter: where}, func(_ *scanner.File, known scanner.Options) error {
		f.table = table.With(func(context.Context, string) (*scanner.File, error) { return f.File, nil })
		f.known = &known
		return look(ctx, f)
	})
	switch {
	case f != nil:
		f.close()
	case err == nil && excluded != nil:
		return excluded(shortName(name))
	}
	return inFile(name, err)
}

// open opens a file, or waits for it if that has begun. The caller closes it.
func (in *inputs) open(ctx context.Context, name string, number int) (*input, error) {
	if in.ahead != nil && in.opener.scheme(name) != nil {
		return in.ahead.Next().Wait()
	}
	return in.opener.input(ctx, name, number)
}
