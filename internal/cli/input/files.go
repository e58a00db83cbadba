package input

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
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/stream"
	"github.com/winnow-scan/winnow/internal/lookahead"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// Files are the files that the arguments of a command line stand for.
type Files struct {
	Opener Opener
	Args   []argument
	// All files as one table, where folders like year=2024 give columns that the
	// command can ask, or files are united; else nil.
	table  *dataset.Files
	united bool
	// A folder is among the arguments: its files are parts of one table.
	IsTable bool
	ahead   *lookahead.Queue[*File] // nil: files are opened when their turn comes
}

// argument is the files that one argument stands for.
type argument struct {
	Files []string
	Err   error
}

// Find finds the files that arguments name. asTable is whether columns that their folders
// give can be asked.
func Find(ctx context.Context, opener Opener, args []string, asTable bool) *Files {
	in := &Files{Opener: opener, Args: make([]argument, len(args))}
	var names []string
	for i, arg := range args {
		a := &in.Args[i]
		if arg == stream.Stdin && slices.Contains(args[:i], stream.Stdin) {
			a.Err = errors.New(fault.ShortName(stream.Stdin) + ": named twice, and can be read once")
			continue
		}
		if info, err := os.Stat(arg); err == nil && info.IsDir() && arg != stream.Stdin {
			in.IsTable = true
			if a.Files, a.Err = FilesIn(arg); a.Err == nil && len(a.Files) == 0 {
				a.Err = fault.InFile(arg, errors.New("no Parquet files in it"))
			}
		} else {
			a.Files, a.Err = opener.Match(ctx, arg)
		}
		for _, name := range a.Files {
			names = append(names, filepath.ToSlash(fault.WithoutQuery(name)))
		}
	}
	if asTable {
		if table := dataset.New(names, nil); len(table.Columns()) > 0 {
			in.table = table
		}
	}
	return in
}

// FilesIn returns the Parquet files in a folder and the folders in it, sorted. Names
// that start with a dot or an underscore are those of a writer's own files.
func FilesIn(folder string) (files []string, err error) {
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
		if IsParquet(path) {
			files = append(files, filepath.Clean(path))
		}
		return nil
	})
	return files, fault.InFile(folder, err)
}

// IsParquet reports whether a name is that of a Parquet file.
func IsParquet(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".parquet", ".parq", ".pq":
		return true
	}
	return false
}

// Unite makes the files that are visited from now on parts of one table, with the columns of u, and returns the table.
func (in *Files) Unite(u *dataset.Union) *dataset.Files {
	if in.table == nil {
		in.table = dataset.New(in.Names(), nil).Unpartitioned()
	}
	in.table, in.united = u.Table(in.table), true
	return in.table
}

// Names returns the names of all files.
func (in *Files) Names() (names []string) {
	for _, a := range in.Args {
		names = append(names, a.Files...)
	}
	return names
}

// Number returns how many files there are.
func (in *Files) Number() int { return len(in.Names()) }

// RefuseOutput refuses to put the answer, which is no Parquet, in the place of a
// file that it comes from.
func (in *Files) RefuseOutput(output string) error {
	there, err := os.Stat(output)
	if output == "" || err != nil {
		return nil // whoever opens the output says what is wrong
	}
	for _, name := range in.Names() {
		if name == stream.Stdin || in.Opener.scheme(name) != nil {
			continue
		}
		if info, err := os.Stat(name); err == nil && os.SameFile(there, info) {
			return fmt.Errorf("-o %s: it is one of the files to read", fault.ShortName(output))
		}
	}
	return nil
}

// Visit opens one file and calls look, unless its folders tell that no row passes the filter:
// then it calls excluded, if that is not nil. The number of the file counts all files of the
// command line, from 0.
func (in *Files) Visit(ctx context.Context, where *filter.Expr, name string, number int, look func(context.Context, *File) error, excluded func(name string) error) error {
	if in.table == nil {
		f, err := in.open(ctx, name, number)
		if err != nil {
			return err
		}
		defer f.Close()
		return fault.InFile(name, look(ctx, f))
	}
	var f *File
	err := in.part(number).With(func(ctx context.Context, _ string) (file *scanner.File, err error) {
		if f, err = in.open(ctx, name, number); err != nil {
			return nil, err
		}
		return f.File, nil
	}).Each(ctx, scanner.Options{Select: []string{}, Filter: where}, func(_ *scanner.File, known scanner.Options) error {
		f.known, f.known.Want = known, nil
		return look(ctx, f)
	})
	switch {
	case f != nil:
		f.Close()
	case err == nil && excluded != nil:
		return excluded(fault.ShortName(name))
	}
	return fault.InFile(name, err)
}

// part returns a file as a part of the table.
func (in *Files) part(number int) *dataset.Files {
	if in.united {
		return in.table.Part(number)
	}
	return in.table.At(number)
}

// open opens a file, or waits for it if that has begun. The caller closes it.
func (in *Files) open(ctx context.Context, name string, number int) (*File, error) {
	if in.ahead != nil && in.Opener.scheme(name) != nil {
		return in.ahead.Next().Wait()
	}
	return in.file(ctx, name, number)
}

// file opens a file, as a part of the table if there is one.
func (in *Files) file(ctx context.Context, name string, number int) (*File, error) {
	f, err := in.Opener.File(ctx, name, number)
	if err == nil && in.table != nil {
		f.Table = in.part(number).With(func(context.Context, string) (*scanner.File, error) { return f.File, nil })
	}
	return f, err
}

const (
	maxAhead   = 16       // files of schemes that are opened before their turn
	aheadBytes = 64 << 20 // about so many of files that are read before their turn
)

// Ahead is what is done with files of schemes before their turn, besides that they are opened.
type Ahead struct {
	// Scan returns the options of the scan of a file that then begins, and in how many parts its rows are read. It is
	// called in goroutines. Nil, no parts and an error: nothing begins.
	Scan func(*File) (o scanner.Options, parts int, err error)
	Few  bool // the scan reads few bytes, and so may begin in all files that are open
}

// OpenAhead opens files of schemes before visit comes to them, in its order, until end is called.
// Files that visit does not open are left out.
func (in *Files) OpenAhead(ctx context.Context, where *filter.Expr, ahead Ahead) (end func()) {
	type file struct {
		name   string
		number int
	}
	var files []file
	for number, name := range in.Names() {
		if in.Opener.scheme(name) != nil {
			files = append(files, file{name, number})
		}
	}
	if len(files) < 2 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	closeFile := func(f *File) { f.Close() }
	opened := lookahead.New(maxAhead, func() func() (*File, error) {
		for len(files) > 0 {
			f := files[0]
			files = files[1:]
			if !in.excludes(where, f.number) {
				return func() (*File, error) { return in.file(ctx, f.name, f.number) }
			}
		}
		return nil
	}, closeFile)
	in.ahead = opened
	if ahead.Scan != nil {
		most := maxAhead
		if first := opened.Next(); first != nil {
			if f, err := first.Wait(); err == nil && !ahead.Few {
				most = int(min(max(aheadBytes/max(f.Source().Size(), 1), 3), maxAhead))
			}
			opened.Back(first, maxAhead)
		}
		in.ahead = lookahead.New(most, func() func() (*File, error) {
			next := opened.Next()
			if next == nil {
				return nil
			}
			return func() (*File, error) {
				f, err := next.Wait()
				if err != nil {
					return nil, err
				}
				if o, parts, err := ahead.Scan(f); err == nil && parts > 0 {
					f.begin(ctx, o, parts)
				}
				return f, nil
			}
		}, closeFile)
	}
	return func() {
		cancel()
		in.ahead.Stop()
		opened.Stop()
		in.ahead = nil
	}
}

// excludes reports whether the folders of a file tell that no row passes, or why that cannot be told:
// visit does not open it.
func (in *Files) excludes(where *filter.Expr, number int) bool {
	if in.table == nil {
		return false
	}
	o := scanner.Options{Filter: where, Constants: in.table.Constants(number)}
	excluded, err := o.ExcludesFile()
	return excluded || err != nil
}

// Survey visits all files before a command does. What is wrong with one is left to be said then.
func (in *Files) Survey(ctx context.Context, where *filter.Expr, look func(context.Context, *File) error) {
	defer in.OpenAhead(ctx, where, Ahead{})()
	for number, name := range in.Names() {
		_ = in.Visit(ctx, where, name, number, look, nil)
	}
}
