package inspect

import (
	"context"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

func Index() *command.Command {
	return &command.Command{
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
		Layout: true,
		Takes:  command.TakesSelect | command.TakesLimit | command.TakesRowGroup,
		Run:    command.EachFile(showIndex, nil),
	}
}

func showIndex(ctx context.Context, f *input.File, o *command.Options, r *output.Report) error {
	found := false
	err := eachChunk(f, o, func(c *scanner.Chunk) error {
		if !c.HasColumnIndex && !c.HasOffsetIndex {
			return nil
		}
		found = true
		return chunkIndex(ctx, f, c, o, r)
	}, r)
	if err == nil && !found && r.Tables() {
		r.Say("no page indexes\n")
	}
	return err
}

func chunkIndex(ctx context.Context, f *input.File, c *scanner.Chunk, o *command.Options, r *output.Report) error {
	x := &chunks.Indexes{Rows: f.Footer().RowGroups[c.RowGroup].NumRows}
	var err error
	if x.Column, err = rawmeta.ColumnIndex(ctx, f.File, c); err != nil {
		return err
	}
	if x.Offset, err = rawmeta.OffsetIndex(ctx, f.File, c); err != nil {
		return err
	}
	if x.Column != nil {
		x.Pages = max(len(x.Column.NullPages), len(x.Column.MinValues), len(x.Column.MaxValues))
	}
	if x.Offset != nil {
		x.Pages = max(x.Pages, len(x.Offset.Pages))
	}
	b := chunks.BoundsOf(f, c)
	unusable := ""
	if fault := x.Check(f, c, b); fault != nil {
		unusable = fault.Error()
	}
	shown := o.Shown(x.Pages)
	if r.Tables() {
		printIndexes(x, c, b, shown, unusable, r)
		return nil
	}
	claim, found := ordersOf(x, b, unusable == "")
	record := append(output.Members{"kind", "index"}, place(f, c)...)
	record = append(append(record, "pages", x.Pages), indexLocations(c)...)
	r.Record(append(record, "boundary_order", output.OmitZero(claim), "boundary_order_found", output.OmitZero(found), "unusable", output.OmitZero(unusable))...)
	for i := range shown {
		r.Record(indexPageRecord(x, f, c, i, b, unusable == "")...)
	}
	return nil
}

// ordersOf returns the order that the bounds have by the column index and, if they
// have another one, that.
func ordersOf(x *chunks.Indexes, b *chunks.Bounds, valid bool) (claim, found string) {
	if x.Column == nil {
		return "", ""
	}
	claim = wirename.BoundaryOrder(x.Column.BoundaryOrder)
	if !valid {
		return claim, ""
	}
	if order := b.Column.BoundaryOrder(x.Column); order != x.Column.BoundaryOrder {
		found = order.String()
	}
	return claim, found
}

// indexPageRecord returns the record of page i.
func indexPageRecord(x *chunks.Indexes, f *input.File, c *scanner.Chunk, i int, b *chunks.Bounds, valid bool) output.Members {
	record := append(output.Members{"kind", "index_page"}, place(f, c)...)
	record = append(record, "page", i)
	at, located := x.Location(i)
	if located {
		record = append(record, "offset", at.Offset, "size", at.CompressedSize, "first_row", at.FirstRow, "rows", x.RowsOf(i))
	}
	if x.Column != nil {
		isNull, known := chunks.At(x.Column.NullPages, i)
		low, hasLow := chunks.At(x.Column.MinValues, i)
		high, hasHigh := chunks.At(x.Column.MaxValues, i)
		why := pageindex.Usable
		if hasLow && !isNull && valid {
			why = b.Column.Page(x.Column, i).Why
		}
		record = append(record, "null_page", output.If(known, isNull), "null_count", item(x.Column.NullCounts, i), "nan_count", item(x.Column.NaNCounts, i),
			"min", bound(b, low, hasLow && !isNull), "max", bound(b, high, hasHigh && !isNull), "unusable", output.If(why != pageindex.Usable, why.String()))
	}
	if located {
		record = append(record, "unencoded_byte_array_bytes", item(x.Offset.UnencodedBytes, i))
	}
	if x.Column != nil {
		record = append(record, "repetition_level_histogram", ifAny(chunks.HistogramOf(x.Column.RepetitionHistograms, i, c.Leaf.MaxRep)),
			"definition_level_histogram", ifAny(chunks.HistogramOf(x.Column.DefinitionHistograms, i, c.Leaf.MaxDef)))
	}
	return record
}

// item returns item i of a list, nil if it is not that long.
func item(list []int64, i int) any {
	n, known := chunks.At(list, i)
	return output.If(known, n)
}

func printIndexes(x *chunks.Indexes, c *scanner.Chunk, b *chunks.Bounds, shown int, unusable string, r *output.Report) {
	t := &table.Table{Indent: "  ", Columns: []table.Column{
		{Title: "page", Right: true}, {Title: "rows"}, {Title: "count", Right: true}, {Title: "offset", Right: true}, {Title: "size", Right: true},
		{Title: "nulls", Right: true}, {Title: "NaNs", Right: true}, {Title: "min", MinWidth: 11}, {Title: "max", MinWidth: 11},
	}}
	for i := range shown {
		row := []any{strconv.Itoa(i), "", "", "", "", "", "", "", ""}
		if p, ok := x.Location(i); ok {
			n := x.RowsOf(i)
			row[1] = strconv.FormatInt(p.FirstRow, 10) + "–" + strconv.FormatInt(p.FirstRow+n-1, 10)
			row[2], row[3], row[4] = table.Number(n), strconv.FormatInt(p.Offset, 10), table.Size(int64(p.CompressedSize))
		}
		if x.Column != nil {
			nulls, hasNulls := chunks.At(x.Column.NullCounts, i)
			nans, hasNaNs := chunks.At(x.Column.NaNCounts, i)
			row[5], row[6] = table.NumberIf(hasNulls, nulls), table.NumberIf(hasNaNs, nans)
			if null, _ := chunks.At(x.Column.NullPages, i); null {
				row[7] = table.Dim.Cell("all null")
			} else {
				look := table.Plain
				if unusable != "" || b.Column.Page(x.Column, i).Why != pageindex.Usable {
					look = table.Dim
				}
				if v, ok := chunks.At(x.Column.MinValues, i); ok {
					row[7] = b.Cell(v, thrift.Absent, look)
				}
				if v, ok := chunks.At(x.Column.MaxValues, i); ok {
					row[8] = b.Cell(v, thrift.Absent, look)
				}
			}
		}
		t.Add(row...)
	}
	r.Blank()
	more := c.Leaf.Type.String() + ", " + table.Plural(int64(x.Pages), "page")
	switch {
	case x.Column == nil:
		more += ", no column index"
	case x.Offset == nil:
		more += ", no offset index"
	}
	if claim, found := ordersOf(x, b, unusable == ""); found != "" {
		more += ", claims to be " + claim + ", is " + found
	} else if claim != "" {
		more += ", " + claim
	}
	r.Heading("Row group "+strconv.Itoa(c.RowGroup)+"  column "+strconv.Itoa(c.Leaf.FirstLeaf)+"  "+c.Leaf.String(), more)
	if unusable != "" {
		r.Say("  " + r.Screen.Paint(table.Red, table.Printable("unusable: "+unusable)) + "\n")
	}
	r.Print(t)
	r.NoteHidden("  ", x.Pages-shown, "page")
}
