package restriction

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/scanner"
)

// Groups returns the row groups of a file in the order of their positions, with all of their
// rows. read reports whether a scan reads a leaf.
func Groups(f *scanner.File, read func(leaf *schema.Node) bool) ([]Group, error) {
	groups := make([]Group, len(f.Footer().RowGroups))
	total := int64(0)
	for i := range groups {
		n := f.Footer().RowGroups[i].NumRows
		if n < 0 || n > math.MaxInt64-total {
			return nil, &scanner.Error{File: f.Name(), RowGroup: i, Page: -1, Offset: -1, Err: fmt.Errorf("the row group has %d rows: %w", n, scanner.ErrCorrupt)}
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

// measure sets Middle, as package scanner takes it for Options.Split, Bytes and PageRows.
func (g *Group) measure(f *scanner.File, read func(leaf *schema.Node) bool) error {
	footer := f.FooterRange().Off
	first, end := footer, int64(0)
	largest := int64(0) // the bytes of the column that PageRows is about
	for leaf, node := range f.Schema().Leaves() {
		c, err := f.Chunk(g.RowGroup, leaf)
		if err != nil {
			return err
		}
		from := min(max(start(c), 0), footer)
		size := min(max(c.Meta.CompressedSize, 0), footer-from)
		first, end = min(first, from), max(end, from+size)
		if !read(node) {
			continue
		}
		g.Bytes += min(size, math.MaxInt64/2-g.Bytes)
		if pages := dataPages(c); c.HasOffsetIndex && pages > 0 && size > largest {
			largest, g.PageRows = size, (g.NumRows-1)/pages+1
		}
	}
	g.Middle = min(max(first+(max(end, first)-first)/2, 0), f.Source().Size()-1)
	return nil
}

// start returns the offset of a chunk's first page. Some writers give an offset of 0 where there is no
// such page, or a dictionary's offset that lies after the first data page.
func start(c *scanner.Chunk) int64 {
	data, dictionary := c.Meta.DataPageOffset, c.Meta.DictionaryOffset
	if c.Meta.HasDictionaryOffset && dictionary > 0 && (dictionary < data || data == 0) {
		return dictionary
	}
	return data
}

// dataPages returns the number of a chunk's data pages, 0 if the footer does not have it.
func dataPages(c *scanner.Chunk) (pages int64) {
	const v1, v2 = 0, 3 // the format's numbers of the two kinds of data pages
	for _, s := range c.Meta.EncodingStats {
		if s.PageType == v1 || s.PageType == v2 {
			pages += max(int64(s.Count), 0)
		}
	}
	return min(pages, math.MaxInt32)
}
