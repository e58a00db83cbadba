package hostile

import (
	"context"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/writer"
	"github.com/winnow-scan/winnow/filter/bloom"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// readAll reads what the part concerns: the metadata always, then one chunk or
// all. It goes on after errors where a program could. It returns how many
// values it met, in metadata and pages, and the first error.
func readAll(file []byte, p part) (values int, err error) {
	r := reader{ctx: context.Background()}
	f, err := withKeys().OpenSource(r.ctx, "specimen", fetch.FromBytes(file))
	if err != nil {
		return 0, err
	}
	r.metadata(f)
	for g := range f.Footer().RowGroups {
		for _, leaf := range f.Schema().Leaves() {
			if l := leaf.FirstLeaf; p.leaf < 0 || p.rowGroup == g && p.leaf == l {
				c, err := f.Chunk(g, l)
				if r.note(err); err == nil {
					r.chunk(f, c)
				}
			}
		}
	}
	return r.values, r.err
}

type reader struct {
	ctx    context.Context
	values int
	err    error
	text   []byte

	entries int32 // of the chunk's dictionary
}

func (r *reader) note(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) metadata(f *scanner.File) {
	pairs, err := f.Footer().KeyValues.Append(nil)
	r.note(err)
	r.values += len(pairs)
	s := f.Schema()
	for i := range s.Len() {
		n := s.Node(i)
		r.text = append(r.text[:0], n.String()...)
		if n.Kind != schema.Leaf {
			continue
		}
		if found := s.Find(n.Path()...); found != nil {
			r.values++
		}
		_, err := schema.ParsePath(n.String())
		r.note(err)
	}
}

func (r *reader) chunk(f *scanner.File, c *scanner.Chunk) {
	r.entries = 0
	if c.Meta.HasStatistics {
		r.bounds(c.Leaf.Type, c.Meta.Statistics)
	}
	r.indexes(f, c)
	if b, err := rawmeta.BloomFilter(r.ctx, f, c); err != nil {
		r.note(err)
	} else if b != nil {
		r.values += len(b.Bits) / 32
		filter, err := bloom.FromBytes(b.Bits)
		if r.note(err); err == nil {
			filter.Contains(uint64(len(b.Bits)) * 0x9e3779b97f4a7c15)
		}
	}
	r.pages(f, c)
}

func columnOf(f *scanner.File, leaf *schema.Node) pageindex.Column {
	return pageindex.ColumnOfFile(f.Footer(), writer.From(f.Footer().CreatedBy), leaf)
}

// indexes reads the chunk's page index and asks pageindex whether to believe
// it. That it must not be believed is an answer, no error.
func (r *reader) indexes(f *scanner.File, c *scanner.Chunk) {
	column := columnOf(f, c.Leaf)
	rows := f.Footer().RowGroups[c.RowGroup].NumRows
	r.judge(column, column.Statistics(&c.Meta.Statistics, c.Meta.NumValues))

	index, err := rawmeta.ColumnIndex(r.ctx, f, c)
	r.note(err)
	offsets, err := rawmeta.OffsetIndex(r.ctx, f, c)
	r.note(err)
	if index != nil {
		for _, bounds := range [][][]byte{index.MinValues, index.MaxValues} {
			for page, bound := range bounds {
				if page >= len(index.NullPages) || !index.NullPages[page] {
					r.value(c.Leaf.Type, bound)
				}
			}
		}
	}
	if offsets == nil || (&pageindex.Chunk{Footer: &c.ColumnChunk}).CheckOffsets(offsets, rows, f.FooterRange().Off) != nil {
		return
	}
	for i := range offsets.Pages {
		start, end := pageindex.PageRows(offsets.Pages, i, rows)
		if start < end && pageindex.PageOf(offsets.Pages, start) != i {
			panic("a page does not hold its first row")
		}
		r.values++
	}
	if index == nil || column.CheckIndex(index, offsets, rows) != nil {
		return
	}
	for i := range offsets.Pages {
		r.judge(column, column.Page(index, i))
	}
	column.BoundaryOrder(index)
}

// judge compares bounds that were found usable.
func (r *reader) judge(column pageindex.Column, b pageindex.Bounds) {
	if b.HasMin && b.HasMax && column.Compare(b.Min, b.Max) > 0 {
		panic("usable bounds are inverted")
	}
	r.text = append(r.text[:0], b.Why.String()...)
}

func (r *reader) bounds(t vector.Type, s thrift.Statistics) {
	for _, bound := range [][]byte{s.Min, s.Max, s.MinValue, s.MaxValue} {
		if bound != nil {
			r.value(t, bound)
		}
	}
}

// value writes a bound as text and as JSON.
func (r *reader) value(t vector.Type, plain []byte) {
	var err error
	for _, format := range []vector.Formatter{t.Text(), t.JSON()} {
		r.text, err = format.Append(r.text[:0], plain)
		r.note(err)
	}
	r.values++
}
