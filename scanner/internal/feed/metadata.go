package feed

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Parts of indexes and Bloom filters with gaps of at most metadataGap bytes are read as
// one, up to metadataRead bytes: a read costs about as much as metadataGap bytes.
const (
	metadataGap  = 4 << 10
	metadataRead = 1 << 20
)

// CoalesceMetadata returns a source that reads neighbouring parts of metadata as one.
func CoalesceMetadata(src fetch.Source) fetch.Source {
	return fetch.Coalesce(src, metadataGap, metadataRead)
}

// Counted is a source that counts the bytes of the ranges it reads. It is for one goroutine.
type Counted struct {
	fetch.Source
	Bytes int64
}

// ReadRanges implements fetch.Source.
func (c *Counted) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	for _, r := range ranges {
		c.Bytes += r.Len
	}
	return c.Source.ReadRanges(ctx, ranges, alloc)
}

// Requests count the calls of a source. Safe for concurrent use.
type Requests struct{ calls, ranges, bytes atomic.Int64 }

// Take returns the counters since the last Take.
func (r *Requests) Take() (calls, ranges, bytes int64) {
	return r.calls.Swap(0), r.ranges.Swap(0), r.bytes.Swap(0)
}

// Observed is a source that counts its calls, and calls Done after each.
type Observed struct {
	fetch.Source
	Requests *Requests
	Done     func(ranges int, bytes int64, took time.Duration, err error)
}

// ReadRanges implements fetch.Source.
func (o Observed) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	bytes := int64(0)
	for _, r := range ranges {
		bytes += r.Len
	}
	start := time.Now()
	got, err := o.Source.ReadRanges(ctx, ranges, alloc)
	o.Requests.calls.Add(1)
	o.Requests.ranges.Add(int64(len(ranges)))
	o.Requests.bytes.Add(bytes)
	o.Done(len(ranges), bytes, time.Since(start), err)
	return got, err
}
