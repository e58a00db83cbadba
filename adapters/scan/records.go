package main

import (
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
	converter *arrowscan.Converter
	first     string // the first file
	sink      sink
}

func newRecords(open func(io.Writer, *arrow.Schema) (sink, error)) func(*cli.Report) (cli.RowWriter, error) {
	return func(w *cli.Report) (cli.RowWriter, error) { return &records{w: w, open: open}, nil }
}

// Columns begins the output with the columns of the first file. Later files must have the
// same.
func (r *records) Columns(file string, fields []vector.Field) error {
	// With offsets, a file has the bytes of its strings only; views would take whole pages along.
	c, err := arrowscan.NewConverter(fields, arrowscan.Options{Strings: arrowscan.Offsets})
	if err != nil {
		return err
	}
	if r.sink == nil {
		r.converter, r.first = c, file
		r.sink, err = r.open(r.w, c.Schema())
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
func parquetFile(w io.Writer, s *arrow.Schema) (sink, error) {
	properties := parquet.NewWriterProperties(
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithMaxRowGroupLength(1<<20),
		parquet.WithCreatedBy("winnow"), parquet.WithStats(true))
	out, err := pqarrow.NewFileWriter(s, w, properties, pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	return parquetSink{out}, err
}

// parquetSink adds records to the open row group.
type parquetSink struct{ *pqarrow.FileWriter }

func (p parquetSink) Write(r arrow.RecordBatch) error { return p.WriteBuffered(r) }
