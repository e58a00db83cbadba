package scanner

import (
	"context"
	"errors"
	"iter"
	"reflect"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/internal/gostruct"
	"github.com/winnow-scan/winnow/scanner/internal/project"
)

// Table is a table that Rows can scan: a File, or several as dataset.Files.
type Table interface {
	Scan(ctx context.Context, o Options) iter.Seq2[*vector.Batch, error]

	Fields(ctx context.Context, o Options) ([]vector.Field, error)
	Name() string // for errors
}

// Rows returns the rows of a scan as values of T, a struct. Each of its exported
// fields stands for the column of its tag, `parquet:"name"`, or of its own name,
// in any case if none has the same; `parquet:"-"` leaves it out. Columns, and
// parts of them, that no field stands for are not read. If o has Select, Want or
// Unnest, fields stand for the columns of these. With RowNumber, an integer may stand
// for that column.
//
//	bool, float32, float64    BOOLEAN, FLOAT and FLOAT16, all of these and DOUBLE
//	integers                  integers that fit, whatever their value
//	string                    strings, ENUM, JSON; DECIMAL and UUID as text
//	[]byte, [n]byte           the bytes of any BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY
//	time.Time                 DATE, TIMESTAMP, INT96, in UTC
//	time.Duration             TIME
//	struct, slice, map        struct, list, map, where the last of equal keys stays
//	*T                        T, nil for NULL
//
// NULL is nil for slices and maps too; where there is no nil it is an error, and
// comes with the row. Types that do not go together are an error that matches
// ErrMismatch, before anything is read; a field whose column is not there is one
// that matches ErrNoColumn, too. Values are copies.
func Rows[T any](ctx context.Context, table Table, o Options) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		p, err := planRows(ctx, table, reflect.TypeFor[T](), &o)
		if err != nil {
			yield(zero, err)
			return
		}
		if p == nil {
			return
		}
		row := new(T) // reused for each row
		dst := reflect.ValueOf(row).Elem()
		for b, err := range table.Scan(ctx, o) {
			if err != nil {
				yield(zero, err)
				return
			}
			p.Columns(func(column int) { b.Columns[column].Flatten() })
			for i := range b.Len {
				*row = zero
				if err := p.Decode(dst, b.Columns, i); err != nil {
					yield(zero, &Error{File: table.Name(), RowGroup: -1, Page: -1, Offset: -1, Err: err})
					return
				}
				if !yield(*row, nil) {
					return
				}
			}
			b.Release()
		}
	}
}

// planRows binds a Go type to a scan's columns. Without a Select, o gets one.
// The plan is nil if there is no file to scan.
func planRows(ctx context.Context, table Table, t reflect.Type, o *Options) (*gostruct.Plan, error) {
	fault := func(err error) error {
		var m *project.Mismatch
		if err == nil || !errors.As(err, &m) {
			return err
		}
		return &Error{File: table.Name(), RowGroup: -1, Column: schema.FormatPath(m.Path), Page: -1, Offset: -1, Err: err}
	}
	if t.Kind() != reflect.Struct {
		return nil, &Error{File: table.Name(), RowGroup: -1, Page: -1, Offset: -1, Err: &project.Mismatch{What: "rows are structs, not " + t.String()}}
	}
	fields, err := table.Fields(ctx, *o)
	if err != nil || fields == nil {
		return nil, err
	}
	if o.Select == nil && o.Want == nil && o.Unnest == "" {
		columns := len(fields)
		for _, name := range []string{o.RowNumber, o.FileName} { // these columns need no Select
			if name != "" {
				columns--
			}
		}
		if o.Select, err = gostruct.Select(t, fields, columns); err != nil {
			return nil, fault(err)
		}
		if fields, err = table.Fields(ctx, *o); err != nil {
			return nil, err
		}
	}
	p, err := gostruct.New(t, fields)
	return p, fault(err)
}
