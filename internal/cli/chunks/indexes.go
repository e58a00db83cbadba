package chunks

import (
	"errors"

	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// Indexes are the column index and the offset index of a chunk. Their lists may
// have different lengths.
type Indexes struct {
	Column *thrift.ColumnIndex // nil: there is none
	Offset *thrift.OffsetIndex // nil: there is none
	Rows   int64               // of the row group
	Pages  int
}

// At returns item i of a list, if the list is that long.
func At[T any](list []T, i int) (found T, ok bool) {
	if i < len(list) {
		return list[i], true
	}
	return found, false
}

// Location returns the entry of page i in the offset index, if there is one.
func (x *Indexes) Location(i int) (thrift.PageLocation, bool) {
	if x.Offset == nil {
		return thrift.PageLocation{}, false
	}
	return At(x.Offset.Pages, i)
}

// RowsOf returns the number of rows that start on page i.
func (x *Indexes) RowsOf(i int) int64 {
	this, _ := x.Location(i)
	end := x.Rows
	if next, ok := x.Location(i + 1); ok {
		end = next.FirstRow
	}
	return end - this.FirstRow
}

// HistogramOf returns the histogram of page i, out of those of all pages.
func HistogramOf(all []int64, i, maxLevel int) []int64 {
	from, to := i*(maxLevel+1), (i+1)*(maxLevel+1)
	if to > len(all) {
		return nil
	}
	return all[from:to]
}

// ValidOffsets reports whether a scan uses an offset index of a chunk; a nil one, it does not.
func ValidOffsets(f *input.File, c *scanner.Chunk, x *thrift.OffsetIndex) bool {
	return x != nil && (&Indexes{Offset: x, Rows: f.Footer().RowGroups[c.RowGroup].NumRows}).checkOffsets(f, c) == nil
}

func (x *Indexes) checkOffsets(f *input.File, c *scanner.Chunk) error {
	return (&pageindex.Chunk{Footer: &c.ColumnChunk}).CheckOffsets(x.Offset, x.Rows, f.FooterRange().Off)
}

// Check returns why a scan does not use these indexes, nil if it uses them.
func (x *Indexes) Check(f *input.File, c *scanner.Chunk, b *Bounds) error {
	if x.Offset == nil {
		return errors.New("column index: of no use without an offset index")
	}
	if err := x.checkOffsets(f, c); err != nil {
		return err
	}
	if x.Column == nil {
		return nil
	}
	return b.Column.CheckIndex(x.Column, x.Offset, x.Rows)
}
