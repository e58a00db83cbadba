package restriction

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

// Groups returns the row groups of a file in the order of their positions, with all of their
// rows. read reports whether a scan reads a leaf.
func Groups(f *scanner.File, read func(leaf *schema.Node) bool) ([]Group, error) {
	groups := make([]Group, len(f.Footer().RowGroups))
	total := int64(0)
	for i := range groups {
		n := f.Footer().RowGroups[i].NumRows
		if n < 0 || n > math.MaxInt64-total {
			return nil, &scanner.Error{File: f.Name(), RowGroup: i, Page: -1, Offset: -1, Err: corrupt.At(-1, "the row group has ", n, " rows")}
		}
		total += n
		groups[i] = Group{RowGroup: i, NumRows: n, Rows: vector.All(n)}
		if err := groups[i].measure(f, read); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Middle, b.Middle), cmp.Compare(a.RowGroup, b.RowGroup))
	})
	for i := 1; i < len(groups); i++ {
		if before := &groups[i-1]; before.Middle == groups[i].Middle {
			groups[i].Before = before.Before + before.NumRows
		}
	}
	return groups, nil
}

// measure sets Middle, as package scanner takes it for Options.Split, and Bytes.
func (g *Group) measure(f *scanner.File, read func(leaf *schema.Node) bool) error {
	footer := f.FooterRange().Off
	first, end := footer, int64(0)
	for leaf, node := range f.Schema().Leaves() {
		c, err := f.Chunk(g.RowGroup, leaf)
		if err != nil {
			return err
		}
		from := min(max(pageindex.PagesStart(&c.Meta), 0), footer)
		size := min(max(c.Meta.CompressedSize, 0), footer-from)
		first, end = min(first, from), max(end, from+size)
		if read(node) {
			g.Bytes += min(size, math.MaxInt64/2-g.Bytes)
		}
	}
	g.Middle = min(max(first+(max(end, first)-first)/2, 0), f.Source().Size()-1)
	return nil
}

// FindPages sets the Pages of those groups that have rows in r: the borders of the pages of the
// largest column that is read and has an offset index. It makes one request. A missing or
// broken index leaves nil: the scan tells, if it needs the index.
func FindPages(ctx context.Context, f *scanner.File, groups []Group, r Restriction, read func(leaf *schema.Node) bool) error {
	var of []*Group
	var chunks []*scanner.Chunk
	var ranges []fetch.Range
	for i := range groups {
		g := &groups[i]
		within := g.Within(r.From, r.To)
		if !g.Rows.Meets(within.From, within.To) {
			continue
		}
		c, err := largest(f, g.RowGroup, read)
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		index := fetch.Range{Off: c.OffsetIndexOffset, Len: int64(c.OffsetIndexLength)}
		if fetch.Check([]fetch.Range{index}, f.FooterRange().Off) == nil {
			of, chunks, ranges = append(of, g), append(chunks, c), append(ranges, index)
		}
	}
	if len(ranges) == 0 {
		return nil
	}
	data, err := f.Source().ReadRanges(ctx, ranges, nil)
	if err != nil {
		return &scanner.Error{File: f.Name(), RowGroup: of[0].RowGroup, Page: -1, Offset: ranges[0].Off, Err: err}
	}
	for i, g := range of {
		g.Pages = starts(chunks[i], data[i], g.NumRows)
	}
	return nil
}

// largest returns the chunk with the most bytes of those that are read and have an offset
// index, nil if there is none.
func largest(f *scanner.File, group int, read func(leaf *schema.Node) bool) (best *scanner.Chunk, err error) {
	for leaf, node := range f.Schema().Leaves() {
		if !read(node) {
			continue
		}
		c, err := f.Chunk(group, leaf)
		if err != nil {
			return nil, err
		}
		if c.HasOffsetIndex && !c.Encrypted() && (best == nil || c.Meta.CompressedSize > best.Meta.CompressedSize) {
			best = c
		}
	}
	return best, nil
}

// starts returns the first rows of the pages that an offset index names, if these ascend.
// Any row is a correct place to cut, so no other check is needed.
func starts(c *scanner.Chunk, index []byte, rows int64) []int64 {
	data, err := c.Decrypt(uint8(page.OffsetIndex), -1, index)
	if err != nil {
		return nil
	}
	var x thrift.OffsetIndex
	if _, err := thrift.ReadOffsetIndex(data, &x); err != nil {
		return nil
	}
	first := make([]int64, 0, len(x.Pages))
	for _, p := range x.Pages {
		if n := len(first); p.FirstRow < 0 || p.FirstRow >= rows || n > 0 && p.FirstRow <= first[n-1] {
			return nil
		}
		first = append(first, p.FirstRow)
	}
	return first
}
