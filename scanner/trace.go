package scanner

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// EventKind is what an Event is about.
type EventKind uint8

const (
	ScanBegins EventKind = iota
	ScanEnds
	RowGroupBegins // a goroutine begins a row group, or a part of one
	RowGroupEnds
	Requested // the source returned what a scan requested
)

// Event is something that a scan did, when Options.Trace is called. An event that ends
// something has the File, RowGroup and FirstRow of the one that began it.
type Event struct {
	Kind     EventKind
	Context  context.Context // of the scan
	Scan     uint64          // a random number, the same for all events of the scan, and in its Log; 0: all iterators of Partitions
	File     string
	RowGroup int           // -1: the event is about the scan, or about bytes that are prefetched
	FirstRow int64         // of the part of the row group that a goroutine reads; 0 if it reads all
	Ranges   int64         // Requested: how many; ScanEnds: of all requests
	Bytes    int64         // of Ranges
	Rows     int64         // ScanEnds: that were returned
	Duration time.Duration // of what ended, or of the request
	Err      error         // of the scan or the request; nil: none
}

// watch reports a scan to Stats, Log and Trace. A nil watch does nothing.
type watch struct {
	ctx      context.Context
	id       uint64
	file     *File
	opts     Options // of the host
	stats    Stats   // of this scan alone
	start    time.Time
	hostTime time.Duration // that the host spent on batches
	err      error
}

// watch begins the report of a scan, and makes o collect what it needs. It returns nil if
// nobody wants a report, or if the scan is a part of one that is watched.
func (f *File) watch(ctx context.Context, o *Options) *watch {
	if o.watch != nil || !o.observed() {
		return nil
	}
	w := &watch{ctx: ctx, id: rand.Uint64(), file: f, start: time.Now()}
	o.watch = w
	w.opts = *o
	o.Stats = &w.stats
	o.trace(Event{Kind: ScanBegins, File: f.name, RowGroup: -1})
	return w
}

// observed reports whether anybody wants a report.
func (o *Options) observed() bool {
	return o.Stats != nil || o.Log != nil || o.Trace != nil || o.Pages != nil
}

func (o *Options) trace(e Event) {
	if o.Trace != nil {
		e.Context, e.Scan = o.watch.ctx, o.watch.id
		o.Trace(e)
	}
}

// yields returns yield, watched for the time that it takes and for errors.
func (w *watch) yields(yield func(*vector.Batch, error) bool) func(*vector.Batch, error) bool {
	if w == nil {
		return yield
	}
	return func(b *vector.Batch, err error) bool {
		if err != nil {
			w.err = err
		}
		start := time.Now()
		defer func() { w.hostTime += time.Since(start) }()
		return yield(b, err)
	}
}

// end reports the scan, with its error unless that was yielded.
func (w *watch) end(err *error) {
	if w == nil {
		return
	}
	if err != nil {
		w.err = *err
	}
	s := &w.stats
	s.Duration = time.Since(w.start) - w.hostTime
	if w.opts.Stats != nil {
		w.opts.Stats.add(s)
	}
	w.opts.trace(Event{
		Kind: ScanEnds, File: w.file.name, RowGroup: -1, Ranges: s.Ranges, Bytes: s.RequestedBytes, Rows: s.Rows, Duration: s.Duration, Err: w.err,
	})
	if w.opts.Log != nil {
		w.log(w.opts.Log)
	}
}

// log writes the record of the scan, one of invalid offset indexes, and the notes about the file.
func (w *watch) log(to *slog.Logger) {
	s := &w.stats
	level, message := slog.LevelDebug, "scan"
	if w.opts.SlowScan > 0 && s.Duration >= w.opts.SlowScan {
		level, message = slog.LevelWarn, "slow scan"
	}
	var pages [Fates]int64
	badIndexes := int64(0)
	for i := range s.Columns {
		badIndexes += s.Columns[i].BadIndexes
		for fate, n := range s.Columns[i].Pages {
			pages[fate] += n
		}
	}
	name := slog.String("file", w.file.name)
	if to.Enabled(w.ctx, level) {
		var fates []any
		for fate, n := range pages {
			fates = append(fates, slog.Int64(Fate(fate).String(), n))
		}
		attrs := []slog.Attr{
			name, slog.Uint64("scan", w.id), slog.Int64("rows", s.Rows), slog.Int64("batches", s.Batches), slog.Int64("bytes", s.Bytes),
			slog.Int64("requests", s.Requests), slog.Int64("ranges", s.Ranges), slog.Int64("requested_bytes", s.RequestedBytes),
			slog.Int64("metadata_bytes", s.Metadata), slog.Group("pages", fates...), slog.Duration("duration", s.Duration),
		}
		if w.err != nil {
			attrs = append(attrs, slog.Any("error", w.err))
		}
		to.LogAttrs(w.ctx, level, message, attrs...)
	}
	if badIndexes > 0 {
		to.LogAttrs(w.ctx, slog.LevelWarn, "invalid offset indexes were not used", name, slog.Uint64("scan", w.id), slog.Int64("indexes", badIndexes))
	}
	for _, note := range w.file.notes {
		to.LogAttrs(w.ctx, slog.LevelWarn, note, name)
	}
}

// source returns the source of the file's bytes for a scan in a row group, -1 for a
// prefetcher. It counts and traces requests if anybody wants a report.
func (q *workQueue) source(f *File, o *Options, rowGroup int) fetch.Source {
	if !o.observed() {
		return f.src
	}
	return observed{f.src, func(ranges int, bytes int64, took time.Duration, err error) {
		q.calls.Add(1)
		q.ranges.Add(int64(ranges))
		q.bytes.Add(bytes)
		o.trace(Event{Kind: Requested, File: f.name, RowGroup: rowGroup, Ranges: int64(ranges), Bytes: bytes, Duration: took, Err: err})
	}}
}

// observed is a source that calls done after each call.
type observed struct {
	fetch.Source
	done func(ranges int, bytes int64, took time.Duration, err error)
}

// ReadRanges implements fetch.Source.
func (o observed) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	bytes := int64(0)
	for _, r := range ranges {
		bytes += r.Len
	}
	start := time.Now()
	got, err := o.Source.ReadRanges(ctx, ranges, alloc)
	o.done(len(ranges), bytes, time.Since(start), err)
	return got, err
}
