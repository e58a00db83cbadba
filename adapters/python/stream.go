package main

import (
	"cmp"
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

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
