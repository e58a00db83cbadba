package chunks

import (
	"context"

	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// RowCounter tells how many rows start on a page: by its header or, where that does
// not say, by the offset index.
type RowCounter struct {
	c     *scanner.Chunk
	index *thrift.OffsetIndex // nil if it is not needed, not there, or invalid
	total int64               // rows of the row group
}

// NewRowCounter returns what counts the rows of the pages of a chunk.
func NewRowCounter(ctx context.Context, f *input.File, c *scanner.Chunk) RowCounter {
	r := RowCounter{c: c, total: f.Footer().RowGroups[c.RowGroup].NumRows}
	if c.Leaf.MaxRep > 0 {
		x, err := rawmeta.OffsetIndex(ctx, f.File, c)
		if err == nil && ValidOffsets(f, c, x) {
			r.index = x
		}
	}
	return r
}

// Of returns how many rows start on a page, if that is known.
func (r RowCounter) Of(p *Page) (rows int64, known bool) {
	switch {
	case p.Type == thrift.DataPageV2 && (r.c.Leaf.MaxRep == 0 || p.NumRows < p.NumValues || p.NumValues == 0):
		return int64(p.NumRows), true // some writers put the values there, in a repeated column
	case !p.Type.IsData():
	case r.c.Leaf.MaxRep == 0:
		return int64(p.NumValues), true
	case r.index != nil && p.Number < len(r.index.Pages) && r.index.Pages[p.Number].Offset == p.Offset:
		start, end := pageindex.PageRows(r.index.Pages, p.Number, r.total)
		return end - start, true
	}
	return 0, false
}

// NullsOf returns the number of nulls on a page, if its header says it. In a nested
// column the count of a v2 header includes empty lists.
func NullsOf(c *scanner.Chunk, p *Page) (int64, bool) {
	switch {
	case p.Type == thrift.DataPageV2:
		return int64(p.NumNulls), true
	case p.Statistics.HasNullCount:
		return p.Statistics.NullCount, true
	case p.Type == thrift.DataPage && c.Leaf.MaxDef == 0:
		return 0, true
	}
	return 0, false
}
