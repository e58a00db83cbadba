package detach

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

// CancellableSource is a source whose reads return when their context is done,
// even if Source ignores contexts. It checks that Source returned ranges of the right
// number and lengths.
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
	var mu sync.Mutex // guards over, and memory that alloc uses
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
	return got, WithEnd(ctx, fault)
}

// WithEnd returns err, an error of a host's function that was given ctx. If ctx has ended,
// the result also matches what fetch.Ended returns: a host may report the cause
// alone, ctx.Err() alone, or an error of its own.
func WithEnd(ctx context.Context, err error) error {
	end, cause := ctx.Err(), context.Cause(ctx)
	if err == nil || end == nil {
		return err
	}
	switch hasEnd, hasCause := errors.Is(err, end), errors.Is(err, cause); {
	case hasEnd && hasCause:
		return err
	case hasEnd:
		return fmt.Errorf("%w: %w", err, cause)
	case hasCause:
		return fmt.Errorf("%w: %w", end, err)
	}
	return fmt.Errorf("%w; %w", err, fetch.Ended(ctx))
}
