package arrowscan

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// Reader is a scan as a stream of records with one schema: an array.RecordReader. One goroutine reads at a
// time; records may be released by any.
//
// Next releases the record before, so a host that keeps a record retains it. Err returns the error that ended
// the scan, if any: a *scanner.Error for a fault of a file. When the last holder calls Release, the scan ends.
type Reader struct{ recordReader }

type recordReader = array.RecordReader

// NewReader begins a scan of a file or of a dataset. The caller calls Release when it reads no
// more, which ends the scan.
func NewReader(ctx context.Context, table scanner.Table, query scanner.Options, o Options) (*Reader, error) {
	fields, query, err := Bind(ctx, table, query, o)
	if err != nil {
		return nil, err
	}
	return ReaderOf(fields, table.Scan(ctx, query), o)
}

// ReaderOf returns the batches of a scan, such as one of File.Partitions, as records. The
// batches have the given fields.
func ReaderOf(fields []vector.Field, batches iter.Seq2[*vector.Batch, error], o Options) (*Reader, error) {
	c, err := NewConverter(fields, o)
	if err != nil {
		return nil, err
	}
	records := func(yield func(arrow.RecordBatch, error) bool) {
		for batch, err := range batches {
			var record arrow.RecordBatch
			if err == nil {
				record, err = c.Record(batch)
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
	return &Reader{array.ReaderFromIter(c.schema, records)}, nil
}

// Next reads the next record, and reports whether there is one.
func (r *Reader) Next() bool {
	return r.Err() == nil && r.recordReader.Next() // which forgets an error when it is called again
}

// Converter turns batches with the same fields into records of one schema. Safe for concurrent use.
type Converter struct {
	fields  []vector.Field
	columns []column
	schema  *arrow.Schema
	options Options
}

// NewConverter returns a converter of batches that have the given fields.
func NewConverter(fields []vector.Field, o Options) (*Converter, error) {
	columns, err := columnsOf(fields, "", &o)
	if err != nil {
		return nil, err
	}
	return &Converter{fields: fields, columns: columns, schema: arrow.NewSchema(fieldsOf(columns), schemaMetadata(fields, &o)), options: o}, nil
}

// Schema returns the schema of the records.
func (c *Converter) Schema() *arrow.Schema { return c.schema }

// Record turns a batch into a record and takes the batch over: it is released when the
// last buffer of the record is, or at once if Record returns an error.
func (c *Converter) Record(b *vector.Batch) (arrow.RecordBatch, error) {
	k := conversion{lease: &lease{batch: b}, allocator: cmp.Or(c.options.Allocator, memory.DefaultAllocator)}
	k.lease.holders.Store(1)
	defer k.lease.end()
	if !sameForm(b.Fields, c.fields) {
		return nil, at(b, fmt.Errorf("%w: a batch has other columns than the stream's schema: the first file was replaced", scanner.ErrChanged))
	}
	arrays := make([]arrow.Array, 0, len(c.columns))
	defer func() {
		for _, a := range arrays {
			a.Release()
		}
	}()
	for i := range c.columns {
		if err := c.columns[i].sameMeaning(&b.Fields[i], b.Columns[i]); err != nil {
			return nil, at(b, err)
		}
		d, err := c.columns[i].data(&k, b.Columns[i], 0)
		if err != nil {
			return nil, at(b, err)
		}
		arrays = append(arrays, array.MakeFromData(d))
		d.Release()
	}
	return array.NewRecordBatch(c.schema, arrays, int64(b.Len)), nil
}

// sameForm reports whether columns have the same types. Between the schema of a dataset and its
// batches, another file may have taken the place of its first.
func sameForm(a, b []vector.Field) bool {
	return slices.EqualFunc(a, b, func(f, g vector.Field) bool {
		return f.Name == g.Name && f.Layout == g.Layout && f.Type == g.Type && f.Dictionary == g.Dictionary && sameForm(f.Children, g.Children)
	})
}

// sameMeaning returns an error if a file of a dataset has durations in another unit than the first, whose numbers are
// alike, or categories of no known order where those of the first have one.
func (c *column) sameMeaning(f *vector.Field, v *vector.Vector) error {
	if f.Stored != nil && c.storage.ID() == arrow.DURATION {
		if d := durations[f.Stored.Format]; d != nil && !arrow.TypeEqual(d, c.storage) {
			return c.errorf("it is a %s here, and the stream has a %s: read it with IgnoreStored", d, c.storage)
		}
	}
	if d, ok := c.storage.(*arrow.DictionaryType); ok && d.Ordered && (f.Stored == nil || !f.Stored.Ordered) && v.Form == vector.Dictionary && v.Dict.Len > 1 {
		return c.errorf("its dictionary has no known order here, and the stream's have one: read it with IgnoreStored")
	}
	for i := range min(len(c.children), len(v.Children)) {
		if err := c.children[i].sameMeaning(&f.Children[i], v.Children[i]); err != nil {
			return err
		}
	}
	return nil
}

// at adds where a batch comes from to an error about it.
func at(b *vector.Batch, err error) error {
	return &scanner.Error{File: b.Origin.File, RowGroup: b.Origin.RowGroup, Page: -1, Offset: -1, Err: err}
}
