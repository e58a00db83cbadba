package detach

import (
	"context"
	"fmt"
	"sync"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// CancellableSource is a source whose reads return when their context is done,
// even where Source ignores contexts. It checks that Source returned what it was
// asked for.
type CancellableSource struct{ fetch.Source }

func (s CancellableSource) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	got, err := s.read(ctx, ranges, alloc)
	if err != nil {
		return nil, err
	}
	if len(got) != len(ranges) {
		return nil, fmt.Errorf("source: %d slices for %d ranges", len(got), len(ranges))
	}
	for i, r := range ranges {
		if int64(len(got[i])) != r.Len {
			return nil, fmt.Errorf("source: %d bytes for range %v", len(got[i]), r)
		}
	}
	return got, nil
}

func (s CancellableSource) read(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if ctx.Done() == nil {
		return s.Source.ReadRanges(ctx, ranges, alloc)
	}
	var mu sync.Mutex // of over, and of what alloc touches
	over := false
	own := func(n int) []byte {
		mu.Lock()
		defer mu.Unlock()
		if over || alloc == nil {
			return make([]byte, n, n+encoding.Padding)
		}
		return alloc(n)
	}
	var got [][]byte
	var fault error
	if err := Run(ctx, func() { got, fault = s.Source.ReadRanges(ctx, ranges, own) }); err != nil {
		mu.Lock()
		defer mu.Unlock()
		over = true
		return nil, err
	}
	return got, fault
}
