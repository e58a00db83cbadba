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
		d, err := NewDecoder(ctx, table, reflect.TypeFor[T](), &o)
		if err != nil {
			yield(zero, err)
			return
		}
		if d.plan == nil {
			return
		}
		row := new(T) // reused for each row
		dst := reflect.ValueOf(row).Elem()
		for b, err := range table.Scan(ctx, o) {
			if err != nil {
				yield(zero, err)
				return
			}
			d.Use(b)
			for i := range b.Len {
				if err := d.Decode(dst, i); err != nil {
					yield(zero, err)
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

// Decoder makes Go values of the rows of batches, as Rows does, for hosts that learn the type of
// their rows when they run. One goroutine at a time may use it.
type Decoder struct {
	plan    *gostruct.Plan // nil: the table has no file to scan
	table   string         // for errors
	columns []*vector.Vector
}

// NewDecoder binds structs of type t to the columns of scans of table with options o. Where o
// selects no columns, it selects those that t needs: the scan must have the changed o.
func NewDecoder(ctx context.Context, table Table, t reflect.Type, o *Options) (*Decoder, error) {
	d := &Decoder{table: table.Name()}
	fault := func(err error) error {
		var m *project.Mismatch
		if err == nil || !errors.As(err, &m) {
			return err
		}
		return &Error{File: d.table, RowGroup: -1, Column: schema.FormatPath(m.Path), Page: -1, Offset: -1, Err: err}
	}
	if t.Kind() != reflect.Struct {
		return nil, fault(&project.Mismatch{What: "rows are structs, not " + t.String()})
	}
	fields, err := table.Fields(ctx, *o)
	if err != nil || fields == nil {
		return d, err
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
	d.plan, err = gostruct.New(t, fields)
	return d, fault(err)
}

// Use makes b the batch that Decode reads, until the next Use. It flattens columns of it.
func (d *Decoder) Use(b *vector.Batch) {
	d.columns = b.Columns
	d.plan.Columns(func(column int) { b.Columns[column].Flatten() })
}

// Decode stores row i of the batch in dst, a struct of the Decoder's type that can be set.
func (d *Decoder) Decode(dst reflect.Value, i int) error {
	dst.SetZero()
	if err := d.plan.Decode(dst, d.columns, i); err != nil {
		return &Error{File: d.table, RowGroup: -1, Page: -1, Offset: -1, Err: err}
	}
	return nil
}
