package main

import (
	"cmp"
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
)

// stream is a scan that runs, in a goroutine of its own, for callers on any thread.
//
//	caller   next ──asks──▶ run: Reader.Next
//	              ◀─answers─
//
// It reads nothing unless it is asked, so that a caller that reads no further costs nothing.
type stream struct {
	scan    *scan
	ctx     context.Context
	end     func()
	schema  *arrow.Schema
	asks    chan struct{}
	answers chan answer // of the goroutine: at first whether it could begin, then one for each ask
	ended   chan struct{}
}

// answer is a record that the receiver releases, or an error: io.EOF after the last.
type answer struct {
	record arrow.RecordBatch
	err    error
}

// newStream begins a scan. requested, if not nil, are the types that the caller wants.
func newStream(s *scan, requested *arrow.Schema) *stream {
	ctx, end := s.begin()
	t := &stream{scan: s, ctx: ctx, end: end, asks: make(chan struct{}), answers: make(chan answer, 1), ended: make(chan struct{})}
	go t.run(requested)
	return t
}

func (t *stream) run(requested *arrow.Schema) {
	defer close(t.ended)
	var (
		r          *arrowscan.Reader
		closeTable = func() error { return nil }
	)
	defer func() { closeTable() }()
	err := guarded(func() error {
		table, closer, err := t.scan.table(t.ctx)
		if err != nil {
			return err
		}
		closeTable = closer
		r, err = t.scan.reader(t.ctx, table, requested)
		return err
	})
	if err != nil {
		t.answers <- answer{err: err}
		return
	}
	defer r.Release()
	t.schema = r.Schema()
	t.answers <- answer{}
	for {
		select {
		case <-t.ctx.Done():
			return
		case <-t.asks:
			t.answers <- t.read(r)
		}
	}
}

// read returns the next record.
func (t *stream) read(r *arrowscan.Reader) (a answer) {
	a.err = guarded(func() error {
		if !r.Next() {
			return cmp.Or(r.Err(), io.EOF)
		}
		a.record = r.RecordBatch()
		a.record.Retain()
		t.scan.progress.rows.Add(a.record.NumRows())
		return nil
	})
	return a
}

// release ends the stream. The goroutine and its files are gone when it returns.
func (t *stream) release() {
	t.end()
	<-t.ended
}

// storageOf returns the columns of a record as a struct, with the storage of extension types in their
// place. Arrow's C interface has extensions in schemas only, and package cdata exports no children of
// an array of such a type.
func storageOf(record arrow.RecordBatch) arrow.Array {
	columns := make([]arrow.ArrayData, record.NumCols())
	for i := range columns {
		columns[i] = storageData(record.Column(i).Data())
		defer columns[i].Release()
	}
	data := array.NewData(arrow.StructOf(record.Schema().Fields()...), int(record.NumRows()), []*memory.Buffer{nil}, columns, 0, 0)
	defer data.Release()
	return array.NewStructData(data)
}

// storageData is storageOf for a column, or a part of one. The caller releases what it returns.
func storageData(d arrow.ArrayData) arrow.ArrayData {
	t := d.DataType()
	if e, ok := t.(arrow.ExtensionType); ok {
		t = e.StorageType()
	}
	if t.ID() == arrow.DICTIONARY { // whose entries are of no extension type
		d.Retain()
		return d
	}
	children := make([]arrow.ArrayData, len(d.Children()))
	for i, child := range d.Children() {
		children[i] = storageData(child)
		defer children[i].Release()
	}
	return array.NewData(t, d.Len(), d.Buffers(), children, d.NullN(), d.Offset())
}
