package feed

import (
	"context"

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

// Counted is a source that adds the lengths of the ranges it reads to Bytes.
type Counted struct {
	fetch.Source
	Bytes *int64
}

// ReadRanges implements fetch.Source.
func (c Counted) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	for _, r := range ranges {
		*c.Bytes += r.Len
	}
	return c.Source.ReadRanges(ctx, ranges, alloc)
}
