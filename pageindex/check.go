package pageindex

import (
	"sort"

	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/thrift"
)

// CheckOffsets returns an error if an offset index must not be used for the chunk. Its
// pages must lie within the chunk and the first end bytes of the file, each after the
// one before, and their first rows must ascend from 0 and be less than rows.
func (c *Chunk) CheckOffsets(o *thrift.OffsetIndex, rows, end int64) error {
	err := checkOffsets(o, rows, end)
	if err == nil {
		err = c.checkPagesWithin(o)
	}
	return corrupt.Within(err, "offset index", 0)
}

// checkOffsets is CheckOffsets without the bounds of a chunk.
func checkOffsets(o *thrift.OffsetIndex, rows, end int64) error {
	if n := len(o.UnencodedBytes); n != 0 && n != len(o.Pages) {
		return corrupt.At(-1, n, " unencoded sizes of ", len(o.Pages), " pages")
	}
	if len(o.Pages) == 0 {
		if rows > 0 {
			return corrupt.At(-1, "no pages for ", rows, " rows")
		}
		return nil
	}
	if first := o.Pages[0].FirstRow; first != 0 {
		return corrupt.At(-1, "page 0 starts with row ", first)
	}
	previousEnd := int64(len(magic)) // end of the previous page, at first of the file's magic
	for i := range o.Pages {
		p := &o.Pages[i]
		switch {
		case p.CompressedSize <= 0:
			return corrupt.At(-1, "page ", i, " has ", p.CompressedSize, " bytes")
		case p.Offset < previousEnd:
			return corrupt.At(-1, "page ", i, " at offset ", p.Offset, " lies before ", previousEnd)
		case p.Offset > end-int64(p.CompressedSize):
			return corrupt.At(-1, "page ", i, " at offset ", p.Offset, " ends beyond ", end)
		case i > 0 && p.FirstRow <= o.Pages[i-1].FirstRow:
			return corrupt.At(-1, "page ", i, " starts with row ", p.FirstRow, ", the page before with ", o.Pages[i-1].FirstRow)
		}
		previousEnd = p.Offset + int64(p.CompressedSize)
	}
	if last := o.Pages[len(o.Pages)-1].FirstRow; last >= rows {
		return corrupt.At(-1, "the last page starts with row ", last, " of ", rows)
	}
	return nil
}

// magic fills the first bytes of a file: no page starts there.
const magic = "PAR1"

// PageRows returns the rows [start, end) of a page in a chunk of the given rows. The
// offset index of the pages must have passed CheckOffsets.
func PageRows(pages []thrift.PageLocation, page int, rows int64) (start, end int64) {
	start, end = pages[page].FirstRow, rows
	if page+1 < len(pages) {
		end = pages[page+1].FirstRow
	}
	return start, end
}

// PageOf returns the index of the page that holds a row of the chunk.
func PageOf(pages []thrift.PageLocation, row int64) int {
	return sort.Search(len(pages), func(i int) bool { return pages[i].FirstRow > row }) - 1
}

// CheckIndex returns an error if a column index must not be used with an offset
// index, which must have passed CheckOffsets. It does not check the bounds of
// pages: Page does.
func (c *Column) CheckIndex(x *thrift.ColumnIndex, o *thrift.OffsetIndex, rows int64) error {
	return corrupt.Within(c.checkIndex(x, o, rows), "column index", 0)
}

func (c *Column) checkIndex(x *thrift.ColumnIndex, o *thrift.OffsetIndex, rows int64) error {
	pages := len(o.Pages)
	for _, list := range []struct {
		name     string
		n        int
		each     int // entries for each page
		optional bool
	}{
		{"null_pages", len(x.NullPages), 1, false},
		{"min_values", len(x.MinValues), 1, false},
		{"max_values", len(x.MaxValues), 1, false},
		{"null_counts", len(x.NullCounts), 1, true},
		{"nan_counts", len(x.NaNCounts), 1, true},
		{"repetition_level_histograms", len(x.RepetitionHistograms), c.Leaf.MaxRep + 1, true},
		{"definition_level_histograms", len(x.DefinitionHistograms), c.Leaf.MaxDef + 1, true},
	} {
		if int64(list.n) != int64(pages)*int64(list.each) && !(list.optional && list.n == 0) {
			return corrupt.At(-1, list.name, " has ", list.n, " entries for ", pages, " pages")
		}
	}
	for i, nulls := range x.NullCounts {
		start, end := PageRows(o.Pages, i, rows)
		switch {
		case nulls < 0: // some writers store -1 for "not counted"
		case x.NullPages[i] && nulls == 0:
			return corrupt.At(-1, "page ", i, " of nulls only has none")
		case c.Leaf.MaxRep > 0: // a row may have any number of nulls
		case nulls > end-start:
			return corrupt.At(-1, "page ", i, " has ", nulls, " nulls in ", end-start, " rows")
		case x.NullPages[i] != (nulls == end-start):
			return corrupt.At(-1, "page ", i, " has ", nulls, " nulls in ", end-start, " rows, its null_pages says otherwise")
		}
	}
	return nil
}

// BoundaryOrder returns the boundary order that the index claims if the pages'
// bounds have it, else UNORDERED. Pages of nulls are skipped. A page whose bounds
// are not usable makes the index UNORDERED.
func (c *Column) BoundaryOrder(x *thrift.ColumnIndex) thrift.BoundaryOrder {
	claim := x.BoundaryOrder
	if claim != thrift.Ascending && claim != thrift.Descending {
		return thrift.Unordered
	}
	var last Bounds
	for i := range x.NullPages {
		b := c.Page(x, i)
		if b.Why == AllNulls {
			continue
		}
		if b.Why != Usable {
			return thrift.Unordered
		}
		if last.HasMin {
			mins, maxs := c.Compare(last.Min, b.Min), c.Compare(last.Max, b.Max)
			if claim == thrift.Descending {
				mins, maxs = -mins, -maxs
			}
			if mins > 0 || maxs > 0 {
				return thrift.Unordered
			}
		}
		last = b
	}
	return claim
}
