package input

import (
	"context"
	"iter"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/internal/cli/selection"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/lookahead"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
)

// File is one file that a command looks at.
type File struct {
	*scanner.File
	Close  func() error
	Number int // among all files of the command line, from 0

	writerOnce sync.Once
	writer     writer.Writer // for Writer: a wide file asks it for each chunk

	// Where the file is a part of a table, because folders like year=2024 give it columns, or files are united: it as
	// that part. Else nil.
	Table *dataset.Files
	known scanner.Options // its filter, as one on the table

	begun []iter.Seq2[*vector.Batch, error] // by begin, that Partitions has not returned
}

// Filtered returns options for questions about the rows that pass a filter, that of the visit if there is a table.
func (f *File) Filtered(where *filter.Expr) scanner.Options {
	if f.Table == nil {
		return scanner.Options{Filter: where}
	}
	return f.known
}

// rows is a file, or a file with columns of folders.
type rows interface {
	scanner.Table
	Partitions(context.Context, scanner.Options, int) []iter.Seq2[*vector.Batch, error]
}

// WithFolders returns the rows of the file, with the columns of folders.
func (f *File) WithFolders() rows {
	if f.Table != nil {
		return f.Table
	}
	return f.File
}

// begin begins to read the rows of a scan, before the turn of the file, and returns once there are some.
func (f *File) begin(ctx context.Context, o scanner.Options, n int) {
	parts, close := f.Partitions(ctx, o, n), f.Close
	first, stop := lookahead.Begin(parts[0])
	parts[0] = first
	f.begun, f.Close = parts, func() error {
		stop()
		return close()
	}
}

// Partitions returns the rows of a scan, as WithFolders has them, in n parts. If a scan of the file has begun before
// its turn, the first call returns its rows.
func (f *File) Partitions(ctx context.Context, o scanner.Options, n int) []iter.Seq2[*vector.Batch, error] {
	if parts := f.begun; parts != nil {
		f.begun = nil
		return parts
	}
	if n == 1 { // a filtered scan of a far file reads several row groups at once
		return []iter.Seq2[*vector.Batch, error]{f.WithFolders().Scan(ctx, o)}
	}
	return f.WithFolders().Partitions(ctx, o, n)
}

// Constants returns the columns of folders, as filters know them.
func (f *File) Constants() filter.Constants {
	if f.Table == nil {
		return nil
	}
	return f.Table.Constants(0)
}

// IsFolder reports whether a column is one of folders.
func (f *File) IsFolder(name string) bool {
	return f.Table != nil && slices.ContainsFunc(f.Table.Columns(), func(c vector.Field) bool { return c.Name == name })
}

// Folders returns the names of the columns of folders.
func (f *File) Folders() (names []string) {
	if f.Table != nil {
		for _, c := range f.Table.Columns() {
			names = append(names, c.Name)
		}
	}
	return names
}

// CheckColumns returns an error for the first path whose column does not exist. It
// suggests another.
func (f *File) CheckColumns(paths ...[]string) error {
	for _, p := range paths {
		if f.Schema().Find(p[0]) == nil && !f.IsFolder(p[0]) {
			return selection.NoColumn(f.Schema(), p)
		}
	}
	return nil
}

// Select returns a selection as scans of the file take it, nil for all columns.
func (f *File) Select(s selection.Columns) ([]string, error) {
	if err := f.CheckColumns(s.Plain()...); err != nil {
		return nil, err
	}
	return s.Paths(f.Schema(), f.Folders())
}

// Writer returns what is known of the program that wrote the file.
func (f *File) Writer() writer.Writer {
	f.writerOnce.Do(func() { f.writer = writer.From(f.Footer().CreatedBy) })
	return f.writer
}

// Widen makes two bounds of values, NULL at first, reach as far as those of another part of a file.
func Widen(low, high *vector.Scalar, least, most vector.Scalar) {
	if order, ok := least.Compare(*low); low.IsNull() || ok && order < 0 {
		*low = least
	}
	if order, ok := most.Compare(*high); high.IsNull() || ok && order > 0 {
		*high = most
	}
}

// MaxRows is the greatest number of rows.
const MaxRows = 1<<63 - 1

// RowsOf returns the number of rows that the row groups of a file claim. The
// footer's own number of rows is not used.
func RowsOf(f *File) (int64, error) {
	sum := int64(0)
	for i, g := range f.Footer().RowGroups {
		if g.NumRows < 0 || g.NumRows > MaxRows-sum {
			return 0, &scanner.Error{File: f.Name(), RowGroup: i, Page: -1, Offset: -1, Err: corrupt.At(-1, "footer: a row group of ", g.NumRows, " rows")}
		}
		sum += g.NumRows
	}
	return sum, nil
}
