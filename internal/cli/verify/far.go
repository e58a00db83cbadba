package verify

import (
	"context"

	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
)

const (
	farColumns = 16      // columns of far files that are read at the same time
	maxFetched = 8 << 20 // bytes of a column chunk that are fetched as one
)

// isFar reports whether the blocks that are read of the file are kept in memory.
func (v *verifier) isFar() bool {
	t := v.f.Source().Traits()
	return t.Latency > 0 && t.Identity.Known()
}

// fetch reads a far chunk, and what there is of indexes and Bloom filter, in one trip, so that headers, checksums
// and values find the bytes in memory. What it cannot read is left to these, who say what is wrong.
func (v *verifier) fetch(ctx context.Context, c *scanner.Chunk) {
	pages, _, err := c.Range()
	if err != nil || !v.isFar() {
		return
	}
	ranges := []fetch.Range{pages}
	if c.HasColumnIndex {
		ranges = append(ranges, fetch.Range{Off: c.ColumnIndexOffset, Len: int64(c.ColumnIndexLength)})
	}
	if c.HasOffsetIndex {
		ranges = append(ranges, fetch.Range{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)})
	}
	if c.Meta.HasBloomFilter && c.Meta.HasBloomLength {
		ranges = append(ranges, fetch.Range{Off: c.Meta.BloomFilterOffset, Len: int64(c.Meta.BloomFilterLength)})
	}
	for _, r := range ranges {
		if r.Len > maxFetched {
			return
		}
	}
	if fetch.Check(ranges, v.f.Source().Size()) == nil {
		_, _ = v.f.Source().ReadRanges(ctx, ranges, nil)
	}
}
