package chunks

import (
	"errors"

	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

// Bounds shows the statistics of one column's chunks and pages.
type Bounds struct {
	Column  pageindex.Column
	Valuer  *output.Valuer
	Number  bool // the bounds are numbers
	OfPages bool // the statistics are those of pages, not of the chunk
}

// BoundsOf returns what shows the statistics of a chunk and its pages.
func BoundsOf(f *input.File, c *scanner.Chunk) *Bounds {
	return &Bounds{Column: pageindex.ColumnOfFile(f.Footer(), f.Writer(), c.Leaf).In(&c.ColumnChunk), Valuer: output.NewValuer(c.Leaf.Type), Number: table.IsNumber(c.Leaf.Type)}
}

// Reason returns whether the bounds of statistics can be used, and if not, why.
func (b *Bounds) Reason(s *thrift.Statistics, slots int64) pageindex.Reason {
	if b.OfPages {
		return b.Column.PageStatistics(s, slots).Why
	}
	return b.Column.Statistics(s, slots).Why
}

// BoundBytes returns the bounds of statistics, and whether they stand in the old
// fields min and max.
func BoundBytes(s *thrift.Statistics) (low, high []byte, deprecated bool) {
	if s.MinValue != nil || s.MaxValue != nil {
		return s.MinValue, s.MaxValue, false
	}
	return s.Min, s.Max, s.Min != nil || s.Max != nil
}

// Cells returns the bounds for a table: in parentheses if they cannot be used, and
// with "~" after one that was cut and is no value.
func (b *Bounds) Cells(s *thrift.Statistics, slots int64) (low, high table.Cell) {
	lowBytes, highBytes, _ := BoundBytes(s)
	look := table.Plain
	if b.Reason(s, slots) != pageindex.Usable {
		look = table.Dim
	}
	return b.Cell(lowBytes, s.MinExact, look), b.Cell(highBytes, s.MaxExact, look)
}

// Cell returns one bound for a table; see Cells.
func (b *Bounds) Cell(v []byte, exact thrift.Flag, look table.Style) table.Cell {
	if v == nil {
		return table.Cell{}
	}
	text := table.QuotedIfBlank(b.Valuer.Text(v))
	if exact == thrift.False {
		text += "~"
	}
	if look == table.Dim { // not every reader sees colours
		text = "(" + text + ")"
	}
	shown := table.Cell{Text: text, Style: look}
	if b.Number {
		shown.Cut = table.CutDigits
	}
	return shown
}

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
