package web

import (
	"context"
	"sync"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

const (
	// maxGap is the largest gap between two ranges of one request. Its bytes are received
	// and dropped: at 100 MB/s they take 0.7 ms, less than a request.
	maxGap = 64 << 10

	// maxRequest is the longest request: longer ranges are several requests at once. Stores
	// of objects advise 8 to 16 MiB.
	maxRequest = 8 << 20
)

// ReadRanges implements fetch.Source. The bytes are in memory of alloc, which ranges that are near each
// other share.
func (f *File) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	if err := fetch.Ended(ctx); err != nil {
		return nil, err
	}
	if err := fetch.Check(ranges, f.Size()); err != nil {
		return nil, &Error{Name: f.name, Err: err}
	}
	if f.changed.Load() && len(ranges) > 0 {
		return nil, &Error{Name: f.name, Range: "bytes=" + bounds(ranges[0]), Err: fetch.ErrChanged}
	}
	if alloc == nil {
		alloc = func(n int) []byte { return make([]byte, n) }
	}
	return fetch.Coalesce(apart{f}, maxGap, maxRequest).ReadRanges(ctx, ranges, alloc)
}

// apart is a File that reads ranges which are far from each other.
type apart struct{ *File }

// request is memory for bytes of the file, from an offset on, that one request reads, or several if it is repeated.
type request struct {
	off int64
	dst []byte
}

func (f apart) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	tail, err := f.tailFor(ctx, ranges)
	if err != nil {
		return nil, err
	}
	tailStart := f.Size() - int64(len(tail))
	out := make([][]byte, len(ranges))
	var requests []request
	for i, r := range ranges {
		out[i] = alloc(int(r.Len))[:r.Len]
		rest := request{r.Off, out[i][:max(min(r.Len, tailStart-r.Off), 0)]}
		copy(out[i][len(rest.dst):], tail[max(r.Off-tailStart, 0):])
		for parts := (len(rest.dst) + maxRequest - 1) / maxRequest; parts > 0; parts-- {
			n := len(rest.dst) / parts
			requests = append(requests, request{rest.off, rest.dst[:n]})
			rest = request{rest.off + int64(n), rest.dst[n:]}
		}
	}
	return out, f.readAll(ctx, requests)
}

// readAll makes requests, several at once, and returns when no goroutine is left.
func (f *File) readAll(ctx context.Context, requests []request) error {
	if len(requests) == 1 {
		return f.read(ctx, requests[0])
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var workers sync.WaitGroup
	panics := make(chan any, len(requests)) // of the host's client, whose caller may recover
	for _, q := range requests {
		workers.Go(func() {
			defer func() {
				if cause := recover(); cause != nil {
					panics <- cause
					cancel(nil)
				}
			}()
			if err := f.read(inner, q); err != nil {
				cancel(err)
			}
		})
	}
	workers.Wait()
	select {
	case cause := <-panics:
		panic(cause)
	default:
	}
	if err := fetch.Ended(ctx); err != nil {
		return err
	}
	return context.Cause(inner)
}
