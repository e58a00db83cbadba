package scanner

import (
	"context"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/filter"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// Parts of indexes and Bloom filters that lie no farther apart are read as one:
// a read costs about as much as so many bytes.
const (
	indexGap  = 4 << 10
	indexRead = 1 << 20 // at most, at once
)

// judge has the metadata of a row group looked at, for the wanted rows and the
// conditions of a program; if it is to be brief, what the footer has of them.
func (c *condition) judge(program *filter.Program, rowGroup int, wanted vector.Ranges, brief bool) (*pageindex.Judge, error) {
	s := c.scan
	group := pageindex.Group{
		Rows: s.file.footer.RowGroups[rowGroup].NumRows, Wanted: wanted, End: s.file.footerStart,
		Chunk: func(leaf *schema.Node) (*pageindex.Chunk, error) {
			l := s.leafOf(leaf)
			if err := l.find(s.file, rowGroup); err != nil {
				return nil, err
			}
			return &l.judged, nil
		},
		NextPart: s.file.nextPart,
	}
	if s.ctx.Done() != nil {
		group.Stop = func() error { return context.Cause(s.ctx) }
	}
	off := &s.opts.Without
	j := &c.judging
	j.Start(program, group, pageindex.Options{NoStatistics: off.Statistics, NoIndex: off.PageIndex || brief, NoBloom: off.Bloom || brief})
	by := ByStatistics
	for {
		before := j.Rows()
		needs, err := j.Step()
		if err != nil {
			return nil, s.file.wrap(rowGroup, "", -1, err)
		}
		s.lost.add(by, before.AndNot(j.Rows()))
		if len(needs) == 0 {
			return j, nil
		}
		by = reasonOf(needs[0].Part)
		ranges := make([]fetch.Range, len(needs))
		for i, n := range needs {
			ranges[i] = fetch.Range{Off: n.Off, Len: n.Len}
		}
		parts, err := s.metadata(ranges)
		if err != nil {
			return nil, s.file.wrap(rowGroup, "", -1, err)
		}
		for i, n := range needs {
			chunk := s.leafOf(n.Leaf).chunk
			b, err := page.Open(&chunk.Crypto, module(n.Part), rowGroup, n.Leaf.FirstLeaf, -1, parts[i])
			j.Supply(n, b, chunk.wrap(n.Off, err))
		}
	}
}

// metadata reads parts of indexes and Bloom filters. While filters may still
// come, what was read is kept for the row group: it will be asked for again.
func (s *scan) metadata(ranges []fetch.Range) ([][]byte, error) {
	var src fetch.Source = &tally{s.source(nil), &s.stats.Metadata}
	if s.share.ahead == nil { // which does it itself, of what is not there
		src = fetch.Coalesce(src, indexGap, indexRead)
	}
	if len(s.opts.Runtime) == 0 {
		return src.ReadRanges(s.ctx, ranges, nil)
	}
	var missing []fetch.Range
	for _, r := range ranges {
		if _, known := s.known[r]; !known {
			missing = append(missing, r)
		}
	}
	parts, err := src.ReadRanges(s.ctx, missing, nil)
	if err != nil {
		return nil, err
	}
	if s.known == nil {
		s.known = map[fetch.Range][]byte{}
	}
	for i, r := range missing {
		s.known[r] = parts[i]
	}
	parts = parts[:0:0]
	for _, r := range ranges {
		parts = append(parts, s.known[r])
	}
	return parts, nil
}

// tally is a source that adds up what is read.
type tally struct {
	fetch.Source
	bytes *int64
}

func (c *tally) ReadRanges(ctx context.Context, ranges []fetch.Range, alloc fetch.Alloc) ([][]byte, error) {
	for _, r := range ranges {
		*c.bytes += r.Len
	}
	return c.Source.ReadRanges(ctx, ranges, alloc)
}

// judgeHeaders returns what judges pages of a leaf by their headers, where there
// is no index. Nulls that v2 headers count are not relied on: writers have been
// seen to get them wrong.
func (c *condition) judgeHeaders(l *leaf) column.Judge {
	return func(t *pred.Test, stats *thrift.Statistics, slots, _ int64) column.Verdict {
		if st := c.asking; st.pred == t && st.leaf == l {
			switch l.judged.Column.PageVerdict(st.node.Test, stats, slots, pageindex.Unknown) {
			case filter.None:
				return column.NonePass
			case filter.All:
				return column.AllPass
			}
		}
		return column.SomePass
	}
}

func module(p pageindex.Part) page.Module {
	switch p {
	case pageindex.ColumnIndex:
		return page.ColumnIndex
	case pageindex.OffsetIndex:
		return page.OffsetIndex
	case pageindex.BloomHeader:
		return page.BloomFilterHeader
	}
	return page.BloomFilterBitset
}

// ColumnOf returns how the values of a leaf compare, by what the footer says and
// what is known of the file's writer.
func (f *File) ColumnOf(leaf *schema.Node) pageindex.Column {
	order := thrift.Arm(0)
	if orders := f.footer.ColumnOrders; leaf.FirstLeaf < len(orders) {
		order = orders[leaf.FirstLeaf]
	}
	return pageindex.ColumnOf(leaf, order).WrittenBy(f.writer)
}
