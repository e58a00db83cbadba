package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/cli"
)

// sink writes records to a file or a stream.
type sink interface {
	Write(arrow.RecordBatch) error
	Close() error
}

// records writes rows as Arrow records.
type records struct {
	w         io.Writer
	open      func(io.Writer, *arrow.Schema) (sink, error)
	options   arrowscan.Options
	converter *arrowscan.Converter
	first     string // the first file
	sink      sink
}

func newRecords(open func(io.Writer, *arrow.Schema) (sink, error)) func(*cli.Report) (cli.RowWriter, error) {
	// With offsets, a file has the bytes of its strings only; views would take whole pages along.
	return func(w *cli.Report) (cli.RowWriter, error) {
		return &records{w: w, open: open, options: arrowscan.Options{Strings: arrowscan.Offsets}}, nil
	}
}

// Columns begins the output with the columns of the first file. Later files must have the
// same.
func (r *records) Columns(file string, fields []vector.Field) error {
	c, err := arrowscan.NewConverter(fields, r.options)
	if err != nil {
		return err
	}
	if r.sink == nil {
		sink, err := r.open(r.w, c.Schema())
		if errors.Is(err, arrow.ErrNotImplemented) && !r.options.IgnoreStored {
			r.options.IgnoreStored = true // durations, which Parquet lacks, are the integers that the file has
			return r.Columns(file, fields)
		}
		if err == nil {
			r.converter, r.first, r.sink = c, file, sink
		}
		return err
	}
	if !c.Schema().Equal(r.converter.Schema()) {
		return fmt.Errorf("%s has other columns than %s; -c chooses those that both have", file, r.first)
	}
	return nil
}

// Rows writes rows [from, to) of a batch that remains the caller's.
func (r *records) Rows(b *vector.Batch, from, to int) error {
	borrowed := &vector.Batch{Fields: b.Fields, Columns: b.Columns, Len: b.Len, Origin: b.Origin}
	record, err := r.converter.Record(borrowed)
	if err != nil {
		return err
	}
	defer record.Release()
	if from == 0 && to == b.Len {
		return r.sink.Write(record)
	}
	part := record.NewSlice(int64(from), int64(to))
	defer part.Release()
	return r.sink.Write(part)
}

// Finish ends the file.
func (r *records) Finish() error {
	if r.sink == nil {
		return nil
	}
	return r.sink.Close()
}

func arrowFile(w io.Writer, s *arrow.Schema) (sink, error) {
	return ipc.NewFileWriter(w, ipc.WithSchema(s))
}

func arrowStream(w io.Writer, s *arrow.Schema) (sink, error) {
	return ipc.NewWriter(w, ipc.WithSchema(s)), nil
}

// parquetFile writes Parquet with ZSTD and with dictionaries, in row groups of a million rows.
func parquetFile(w io.Writer, s *arrow.Schema) (_ sink, err error) {
	defer func() {
		if p := recover(); p != nil { // of a decimal that the format does not allow
			err = fmt.Errorf("these columns cannot be Parquet: %v", p)
		}
	}()
	properties := parquet.NewWriterProperties(
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithMaxRowGroupLength(1<<20),
		parquet.WithCreatedBy("winnow"), parquet.WithStats(true))
	out, err := pqarrow.NewFileWriter(s, w, properties, pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	return parquetSink{out}, err
}

// parquetSink adds records to the open row group.
type parquetSink struct{ *pqarrow.FileWriter }

func (p parquetSink) Write(r arrow.RecordBatch) error { return p.WriteBuffered(r) }
