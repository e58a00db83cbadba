package web

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

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

// request is a range of the file that one request reads, or several if it is repeated.
type request struct {
	fetch.Range
	segments []segment // where its bytes go; by offset, and apart
}

// segment is memory for bytes of the file.
type segment struct {
	off int64
	dst []byte
}

// ReadRanges implements fetch.Source. The bytes are in memory of alloc.
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
	out := make([][]byte, len(ranges))
	for i, r := range ranges {
		out[i] = alloc(int(r.Len))[:r.Len]
	}
	tail, err := f.tailFor(ctx, ranges)
	if err != nil {
		return nil, err
	}
	requests, finish := f.plan(ranges, out, tail)
	if err := f.readAll(ctx, requests); err != nil {
		return nil, err
	}
	finish()
	return out, nil
}

// plan returns the requests that read ranges into the memory of out. finish fills in, once they are
// done, what several ranges share, and what the tail has.
func (f *File) plan(ranges []fetch.Range, out [][]byte, tail []byte) (requests []*request, finish func()) {
	order := make([]int, len(ranges))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranges[a].Off, ranges[b].Off) })

	var copies [][2][]byte // to, from
	tailStart := f.Size() - int64(len(tail))
	last := fetch.Range{Off: -1} // the range before that ends last, as far as it is before the tail
	var lastBytes []byte
	for _, i := range order {
		r, dst := ranges[i], out[i]
		if n := r.End() - max(tailStart, r.Off); n > 0 {
			copies = append(copies, [2][]byte{dst[r.Len-n:], tail[r.End()-n-tailStart:]})
			r.Len -= n
		}
		from := r.Off
		if shared := min(last.End(), r.End()) - from; shared > 0 {
			copies = append(copies, [2][]byte{dst[:shared], lastBytes[from-last.Off:]})
			from += shared
		}
		if from >= r.End() {
			continue
		}
		requests = addSegment(requests, segment{from, dst[from-r.Off : r.Len]})
		last, lastBytes = r, dst
	}
	return requests, func() {
		for _, c := range copies {
			copy(c[0], c[1])
		}
	}
}

// addSegment adds a segment after all others to the last request, or to new ones.
func addSegment(requests []*request, s segment) []*request {
	parts := (len(s.dst)-1)/maxRequest + 1
	for k := range parts {
		n := len(s.dst) / (parts - k)
		part := segment{s.off, s.dst[:n]}
		s = segment{s.off + int64(n), s.dst[n:]}
		end := part.off + int64(n)
		if i := len(requests) - 1; i >= 0 {
			if q := requests[i]; part.off-q.End() <= maxGap && end-q.Off <= maxRequest {
				q.Len, q.segments = end-q.Off, append(q.segments, part)
				continue
			}
		}
		requests = append(requests, &request{fetch.Range{Off: part.off, Len: int64(n)}, []segment{part}})
	}
	return requests
}

// readAll makes requests, several at once, and returns when no goroutine is left.
func (f *File) readAll(ctx context.Context, requests []*request) error {
	if len(requests) == 0 {
		return nil
	}
	if len(requests) == 1 {
		return f.read(ctx, requests[0])
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		workers sync.WaitGroup
		next    atomic.Int64
		first   sync.Once // the failure that ends the others
		fault   error
		panics  any
	)
	fail := func(err error, cause any) {
		first.Do(func() { fault, panics = err, cause })
		cancel()
	}
	work := func() {
		defer func() {
			if cause := recover(); cause != nil { // of the host's client: its caller may recover
				fail(nil, cause)
			}
		}()
		for inner.Err() == nil {
			i := next.Add(1) - 1
			if i >= int64(len(requests)) {
				return
			}
			if err := f.read(inner, requests[i]); err != nil {
				fail(err, nil)
			}
		}
	}
	for range min(len(requests), cap(f.slots)) {
		workers.Go(work)
	}
	workers.Wait()
	if panics != nil {
		panic(panics)
	}
	if err := fetch.Ended(ctx); err != nil {
		return err
	}
	return fault
}
