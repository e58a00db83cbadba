package feed

import (
	"context"

	"github.com/winnow-scan/winnow/scanner/fetch"
)

// Parts of indexes and Bloom filters that lie no farther apart than metadataGap are
// read as one, up to metadataRead bytes: a read costs about as much as so many bytes.
const (
	metadataGap  = 4 << 10
	metadataRead = 1 << 20
)

// CoalesceMetadata returns a source that reads neighbouring parts of metadata at once.
func CoalesceMetadata(src fetch.Source) fetch.Source {
	return fetch.Coalesce(src, metadataGap, metadataRead)
}

// Counted is a source that adds the bytes that are read of it to Bytes.
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
