package main

import (
	"context"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"

	arrowscan "github.com/winnow-scan/winnow/adapters/arrow"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/dataset"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// scan is a described scan. It may run any number of times, also at the same time.
type scan struct {
	files      *dataset.Files
	open       dataset.Opener
	far        farFiles
	options    scanner.Options
	arrow      arrowscan.Options
	where      string        // the text of options.Filter
	memory     int64         // that a run may take; 0: any
	wanted     *arrow.Schema // of which options.Want are the columns; nil: the files' own
	anyStrings bool          // whether strings may come as dictionaries, too
	stats      scanner.Stats
	progress   progress

	mu      sync.Mutex
	running context.Context // of all that runs
	stop    func()          // ends it
}

// begin returns a context that ends when end is called, or all that runs is cancelled.
func (s *scan) begin() (ctx context.Context, end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil || s.running.Err() != nil {
		s.running, s.stop = context.WithCancel(context.Background())
	}
	ctx, end = context.WithCancel(s.running)
	if s.memory > 0 {
		boundHeap(s.memory)
		context.AfterFunc(ctx, func() { boundHeap(-s.memory) })
	}
	return ctx, end
}

// cancel ends all that runs.
func (s *scan) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		s.stop()
	}
}

// table opens what a stream reads: a file that has no partition columns as it is, so that its
// schema and its rows are of the same state of it, or else all files. close follows the use.
func (s *scan) table(ctx context.Context) (t scanner.Table, close func() error, err error) {
	names := s.files.Names()
	if len(names) != 1 || len(s.files.Columns()) > 0 || s.options.Split != (fetch.Range{}) {
		return s.files, func() error { return nil }, nil
	}
	f, err := s.open(ctx, names[0])
	if err != nil {
		return nil, nil, err
	}
	return f, f.Close, nil
}

// schema returns the schema of streams.
func (s *scan) schema(ctx context.Context) (*arrow.Schema, error) {
	r, err := s.reader(ctx, s.files, nil)
	if err != nil {
		return nil, err
	}
	defer r.Release()
	return r.Schema(), nil
}
