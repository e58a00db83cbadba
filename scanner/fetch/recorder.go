package fetch

import (
	"context"
	"strings"
	"sync"
)

// Recorder is a source that forwards every call and records it, for tests of what is
// read and what is not. Safe for concurrent use.
type Recorder struct {
	src Source

	mu    sync.Mutex
	calls [][]Range
}

// Record returns a Recorder of src.
func Record(src Source) *Recorder { return &Recorder{src: src} }

// Size returns the size of the recorded source.
func (r *Recorder) Size() int64 { return r.src.Size() }

// Traits returns those of the recorded source.
func (r *Recorder) Traits() Traits { return r.src.Traits() }

// ReadRanges records the ranges and forwards the call.
func (r *Recorder) ReadRanges(ctx context.Context, ranges []Range, alloc Alloc) ([][]byte, error) {
	r.mu.Lock()
	r.calls = append(r.calls, append([]Range(nil), ranges...))
	r.mu.Unlock()
	return r.src.ReadRanges(ctx, ranges, alloc)
}

// Take returns the calls since the last Take.
func (r *Recorder) Take() [][]Range {
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
