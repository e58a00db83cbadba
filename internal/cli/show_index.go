package cli

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

func indexCommand() *Command {
	return &Command{
		Name: "index", Args: "FILE...",
		Summary: "show column and offset index side by side: row ranges, bounds, nulls of each page",
		Detail: `
An index that contradicts itself or the footer is unusable, and it is said why: a scan
does without it. Rows are counted from 0 within the row group.

JSON records, by kind:
  index       file, row_group, column, path, pages, column_index and offset_index (offset, length),
              boundary_order,
              boundary_order_found (if the bounds have another), unusable (why, if it is)
  index_page  file, row_group, column, path, page, offset, size, first_row, rows,
              null_page, null_count, nan_count, min, max, unusable, unencoded_byte_array_bytes,
              repetition_level_histogram, definition_level_histogram`,
		Examples: []string{
			"index -n 4 -c ship_date lineitems.parquet",
		},
		layout: true,
		takes:  takesSelect | takesLimit | takesRowGroup,
		run:    eachFile(showIndex, nil),
	}
}

type indexRecord struct {
	Kind string `json:"kind"`
	chunkPlace
	Pages       int       `json:"pages"`
	ColumnIndex *location `json:"column_index,omitempty"`
	OffsetIndex *location `json:"offset_index,omitempty"`
	Order       string    `json:"boundary_order,omitempty"`
	OrderFound  string    `json:"boundary_order_found,omitempty"` // if it is another
	Unusable    string    `json:"unusable,omitempty"`
}

type indexPageRecord struct {
	Kind string `json:"kind"`
	chunkPlace
	Page       int             `json:"page"`
	Offset     *int64          `json:"offset,omitempty"`
	Size       *int32          `json:"size,omitempty"`
	FirstRow   *int64          `json:"first_row,omitempty"`
	Rows       *int64          `json:"rows,omitempty"`
	NullPage   *bool           `json:"null_page,omitempty"`
	Nulls      *int64          `json:"null_count,omitempty"`
	NaNs       *int64          `json:"nan_count,omitempty"`
	Min        json.RawMessage `json:"min,omitempty"`
	Max        json.RawMessage `json:"max,omitempty"`
	Unusable   string          `json:"unusable,omitempty"`
	Unencoded  *int64          `json:"unencoded_byte_array_bytes,omitempty"`
	Repetition []int64         `json:"repetition_level_histogram,omitempty"`
	Definition []int64         `json:"definition_level_histogram,omitempty"`
}

func showIndex(ctx context.Context, f *input, o *options, r *Report) error {
	found := false
	err := eachChunk(f, o, func(c *scanner.Chunk) error {
		if !c.HasColumnIndex && !c.HasOffsetIndex {
			return nil
		}
		found = true
		return chunkIndex(ctx, f, c, o, r)
	}, r)
	if err == nil && !found && r.tables() {
		r.say("no page indexes\n")
	}
	return err
}

// indexes are the column index and the offset index of a chunk. Their lists may
// have different lengths.
type indexes struct {
	column *thrift.ColumnIndex // nil: there is none
	offset *thrift.OffsetIndex // nil: there is none
	rows   int64               // of the row group
	pages  int
}

func chunkIndex(ctx context.Context, f *input, c *scanner.Chunk, o *options, r *Report) error {
	x := &indexes{rows: f.Footer().RowGroups[c.RowGroup].NumRows}
	var err error
	if x.column, err = rawmeta.ColumnIndex(ctx, f.File, c); err != nil {
		return err
	}
	if x.offset, err = rawmeta.OffsetIndex(ctx, f.File, c); err != nil {
		return err
	}
	if x.column != nil {
		x.pages = max(len(x.column.NullPages), len(x.column.MinValues), len(x.column.MaxValues))
	}
	if x.offset != nil {
		x.pages = max(x.pages, len(x.offset.Pages))
	}
	b := boundsOf(f, c)
	unusable := ""
	if fault := x.check(f, c, b); fault != nil {
		unusable = fault.Error()
	}
	shown := x.pages
	if o.limit >= 0 {
		shown = int(min(int64(shown), o.limit))
	}
	if r.tables() {
		printIndexes(x, c, b, shown, unusable, r)
		return nil
	}
	rec := indexRecord{
		Kind: "index", chunkPlace: placeOf(f, c), Pages: x.pages,
		ColumnIndex: locationOf(c.HasColumnIndex, c.ColumnIndexOffset, true, c.ColumnIndexLength),
		OffsetIndex: locationOf(c.HasOffsetIndex, c.OffsetIndexOffset, true, c.OffsetIndexLength),
		Unusable:    unusable,
	}
	rec.Order, rec.OrderFound = ordersOf(x, b, unusable == "")
	if err := r.record(rec); err != nil {
		return err
	}
	for i := range shown {
		if err := r.record(indexPageOf(x, f, c, i, b, unusable == "")); err != nil {
			return err
		}
	}
	return nil
}

// ordersOf returns the order that the bounds have by the column index and, if they
// have another one, that.
func ordersOf(x *indexes, b *bounds, valid bool) (claim, found string) {
	if x.column == nil {
		return "", ""
	}
	claim = wirename.BoundaryOrder(x.column.BoundaryOrder)
	if !valid {
		return claim, ""
	}
	if order := b.column.BoundaryOrder(x.column); order != x.column.BoundaryOrder {
		found = order.String()
	}
	return claim, found
}

// item returns item i of a list, if the list is that long.
func item[T any](list []T, i int) (found T, ok bool) {
	if i < len(list) {
		return list[i], true
	}
	return found, false
}

func (x *indexes) location(i int) (thrift.PageLocation, bool) {
	if x.offset == nil {
		return thrift.PageLocation{}, false
	}
	return item(x.offset.Pages, i)
}

// rowsOf returns the number of rows that start on page i.
func (x *indexes) rowsOf(i int) int64 {
	this, _ := x.location(i)
	end := x.rows
	if next, ok := x.location(i + 1); ok {
		end = next.FirstRow
	}
	return end - this.FirstRow
}

func indexPageOf(x *indexes, f *input, c *scanner.Chunk, i int, b *bounds, valid bool) indexPageRecord {
	rec := indexPageRecord{
		Kind: "index_page", chunkPlace: placeOf(f, c), Page: i,
	}
	if p, ok := x.location(i); ok {
		rows := x.rowsOf(i)
		rec.Offset, rec.Size, rec.FirstRow, rec.Rows = &p.Offset, &p.CompressedSize, &p.FirstRow, &rows
		n, ok := item(x.offset.UnencodedBytes, i)
		rec.Unencoded = optional(ok, n)
	}
	if x.column == nil {
		return rec
	}
	null, ok := item(x.column.NullPages, i)
	rec.NullPage = optional(ok, null)
	nulls, ok := item(x.column.NullCounts, i)
	rec.Nulls = optional(ok, nulls)
	nans, ok := item(x.column.NaNCounts, i)
	rec.NaNs = optional(ok, nans)
	if low, ok := item(x.column.MinValues, i); ok && !null {
		rec.Min = b.valuer.appendJSON(nil, low)
		if valid {
			rec.Unusable = reasonText(b.column.Page(x.column, i).Why)
		}
	}
	if high, ok := item(x.column.MaxValues, i); ok && !null {
		rec.Max = b.valuer.appendJSON(nil, high)
	}
	rec.Repetition = histogram(x.column.RepetitionHistograms, i, c.Leaf.MaxRep)
	rec.Definition = histogram(x.column.DefinitionHistograms, i, c.Leaf.MaxDef)
	return rec
}

// histogram returns the histogram of page i, out of those of all pages.
func histogram(all []int64, i, maxLevel int) []int64 {
	from, to := i*(maxLevel+1), (i+1)*(maxLevel+1)
	if to > len(all) {
		return nil
	}
	return all[from:to]
}

func printIndexes(x *indexes, c *scanner.Chunk, b *bounds, shown int, unusable string, r *Report) {
	t := &table.Table{Indent: "  ", Columns: []table.Column{
		{Title: "page", Right: true}, {Title: "rows"}, {Title: "count", Right: true}, {Title: "offset", Right: true}, {Title: "size", Right: true},
		{Title: "nulls", Right: true}, {Title: "NaNs", Right: true}, {Title: "min", MinWidth: 11}, {Title: "max", MinWidth: 11},
	}}
	for i := range shown {
		row := []any{strconv.Itoa(i), "", "", "", "", "", "", "", ""}
		if p, ok := x.location(i); ok {
			n := x.rowsOf(i)
			row[1] = strconv.FormatInt(p.FirstRow, 10) + "–" + strconv.FormatInt(p.FirstRow+n-1, 10)
			row[2], row[3], row[4] = table.Number(n), strconv.FormatInt(p.Offset, 10), table.Size(int64(p.CompressedSize))
		}
		if x.column != nil {
			if n, ok := item(x.column.NullCounts, i); ok {
				row[5] = table.Number(n)
			}
			if n, ok := item(x.column.NaNCounts, i); ok {
				row[6] = table.Number(n)
			}
			if null, _ := item(x.column.NullPages, i); null {
				row[7] = table.Dim.Cell("all null")
			} else {
				look := table.Plain
				if unusable != "" || b.column.Page(x.column, i).Why != pageindex.Usable {
					look = table.Dim
				}
				if v, ok := item(x.column.MinValues, i); ok {
					row[7] = b.cell(v, thrift.Absent, look)
				}
				if v, ok := item(x.column.MaxValues, i); ok {
					row[8] = b.cell(v, thrift.Absent, look)
				}
			}
		}
		t.Add(row...)
	}
	r.blank()
	more := c.Leaf.Type.String() + ", " + table.Plural(int64(x.pages), "page")
	switch {
	case x.column == nil:
		more += ", no column index"
	case x.offset == nil:
		more += ", no offset index"
	}
	if claim, found := ordersOf(x, b, unusable == ""); found != "" {
		more += ", claims to be " + claim + ", is " + found
	} else if claim != "" {
		more += ", " + claim
	}
	r.heading("Row group "+strconv.Itoa(c.RowGroup)+"  column "+strconv.Itoa(c.Leaf.FirstLeaf)+"  "+c.Leaf.String(), more)
	if unusable != "" {
		r.say("  " + r.screen.Paint(table.Red, table.Printable("unusable: "+unusable)) + "\n")
	}
	r.print(t)
	r.noteHidden("  ", x.pages-shown, "page")
}

// check returns why a scan does not use these indexes, nil if it uses them.
func (x *indexes) check(f *input, c *scanner.Chunk, b *bounds) error {
	if x.offset == nil {
		return errors.New("column index: of no use without an offset index")
	}
	if err := (&pageindex.Chunk{Footer: &c.ColumnChunk}).CheckOffsets(x.offset, x.rows, f.FooterRange().Off); err != nil {
		return err
	}
	if x.column == nil {
		return nil
	}
	return b.column.CheckIndex(x.column, x.offset, x.rows)
}
