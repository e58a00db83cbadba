package cli

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// input is one file that a command looks at.
type input struct {
	*scanner.File
	close  func() error
	number int // among all files of the command line, from 0

	writerOnce sync.Once
	writer     writer.Writer // for writtenBy: a wide file asks it for each chunk

	// Where folders like year=2024 give the file columns: the file with these
	// columns, and the options that filters need to know them. Else nil.
	table *dataset.Files
	known *scanner.Options
}

// filtered returns options for questions about the rows that pass a filter.
func (f *input) filtered(where *filter.Expr) scanner.Options {
	if f.known == nil {
		return scanner.Options{Filter: where}
	}
	o := *f.known
	o.Filter, o.Want = where, nil
	return o
}

// scan returns rows, with the columns of folders.
func (f *input) scan(ctx context.Context, o scanner.Options) iter.Seq2[*vector.Batch, error] {
	if f.table != nil {
		return f.table.Scan(ctx, o)
	}
	return f.Scan(ctx, o)
}

// fields returns the columns of scan.
func (f *input) fields(ctx context.Context, o scanner.Options) ([]vector.Field, error) {
	if f.table != nil {
		return f.table.Fields(ctx, o)
	}
	return f.Fields(ctx, o)
}

// constants returns the columns of folders, as filters know them.
func (f *input) constants() filter.Constants {
	if f.table == nil {
		return nil
	}
	return f.table.Constants(0)
}

// isFolder reports whether a column is one of folders.
func (f *input) isFolder(name string) bool {
	return f.table != nil && slices.ContainsFunc(f.table.Columns(), func(c vector.Field) bool { return c.Name == name })
}

// folders returns the names of the columns of folders.
func (f *input) folders() (names []string) {
	if f.table != nil {
		for _, c := range f.table.Columns() {
			names = append(names, c.Name)
		}
	}
	return names
}

// checkColumns returns an error for the first path whose column does not exist. It
// suggests another.
func (f *input) checkColumns(paths ...[]string) error {
	for _, p := range paths {
		if f.Schema().Find(p[0]) == nil && !f.isFolder(p[0]) {
			return noColumn(f.Schema(), p)
		}
	}
	return nil
}

// writtenBy returns what is known of the program that wrote the file.
func (f *input) writtenBy() writer.Writer {
	f.writerOnce.Do(func() { f.writer = writer.From(f.Footer().CreatedBy) })
	return f.writer
}

// isOutsideFile reports whether err concerns the machine or the user, not the
// bytes of one chunk: then the next chunk will fare no better.
func isOutsideFile(err error) bool {
	return err != nil && !errors.Is(err, scanner.ErrCorrupt) && !errors.Is(err, scanner.ErrUnsupported) && !errors.Is(err, scanner.ErrEncrypted)
}
