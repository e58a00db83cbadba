package record

import (
	"context"
	"strings"
	"sync"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Recorder is a source that forwards every call and records it. Safe for concurrent use.
type Recorder struct {
	src fetch.Source

	mu    sync.Mutex
	calls [][]fetch.Range
}

// Of returns a Recorder of src.
func Of(src fetch.Source) *Recorder { return &Recorder{src: src} }

// Size returns the size of the recorded source.
func (r *Recorder) Size() int64 { return r.src.Size() }

// Traits returns those of the recorded source.
func (r *Recorder) Traits() fetch.Traits { return r.src.Traits() }

// ReadRanges records the ranges and forwards the call.
func (r *Recorder) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	r.mu.Lock()
	r.calls = append(r.calls, append([]fetch.Range(nil), ranges...))
	r.mu.Unlock()
	return r.src.ReadRanges(ctx, ranges, alloc)
}

// Take returns the calls since the last Take.
func (r *Recorder) Take() [][]fetch.Range {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := r.calls
	r.calls = nil
	return calls
}

// Text returns the calls since the last Take as text, a line each:
//
//	read 940+65536
//	read 4+120 8192+77
func (r *Recorder) Text() string {
	var b strings.Builder
	for _, call := range r.Take() {
		b.WriteString("read")
		for _, r := range call {
			b.WriteByte(' ')
			b.WriteString(r.String())
		}
		b.WriteByte('\n')
	}
	return b.String()
}
