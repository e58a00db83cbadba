package inspect

import (
	"cmp"
	"context"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/chunks"
	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/fault"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

func Pages(program string) *command.Command {
	return &command.Command{
		Name: "pages", Args: "FILE...",
		Summary: "show every page: place, encoding, values, sizes, checksum, statistics",
		Detail: `
Pages are found by their headers; bodies are read only where there is a checksum to
verify. Data pages are numbered from 0 in each chunk, as offset indexes and
"` + program + ` dump --page" number them. A wrong checksum is shown, and the exit code is 1.
A table's last line adds up all pages, with -n too; values and rows are of data pages.

JSON records, one a page: file, row_group, column, path, page (data pages), offset, kind,
encoding, definition_level_encoding and repetition_level_encoding (v1), values, nulls, rows,
header_size, uncompressed_size, compressed_size, definition_levels_size and
repetition_levels_size (v2), is_compressed (v2), is_sorted (dictionaries),
crc (absent, ok, bad), statistics. Nulls are left out where the header does not tell, rows
where neither header nor offset index does.`,
		Examples: []string{
			"pages --row-group 0 -c ship_date lineitems.parquet",
		},
		Layout: true,
		Takes:  command.TakesSelect | command.TakesLimit | command.TakesRowGroup,
		Run:    command.EachFile(showPages, nil),
	}
}

func showPages(ctx context.Context, f *input.File, o *command.Options, r *output.Report) error {
	return eachChunk(f, o, func(c *scanner.Chunk) error { return chunkPages(ctx, f, c, o, r) }, r)
}

func chunkPages(ctx context.Context, f *input.File, c *scanner.Chunk, o *command.Options, r *output.Report) error {
	b := chunks.BoundsOf(f, c)
	b.OfPages = true
	// On a narrow screen the last columns go first, so that encodings are whole.
	t := &table.Table{Indent: "  ", Columns: []table.Column{
		{Title: "page", Right: true}, {Title: "offset", Right: true}, {Title: "kind"}, {Title: "encoding", MinWidth: len("DELTA_BINARY_PACKED")}, {Title: "levels", Optional: true},
		{Title: "values", Right: true}, {Title: "nulls", Right: true}, {Title: "NaNs", Right: true, Optional: true}, {Title: "rows", Right: true, Optional: true},
		{Title: "size", Right: true}, {Title: "min", MinWidth: 11, Optional: true}, {Title: "max", MinWidth: 11, Optional: true}, {Title: "crc", Optional: true},
		{Title: "header", Right: true, Optional: true}, {Title: "unpacked", Right: true, Optional: true}, {Title: "ratio", Right: true, Optional: true},
	}}
	const crcColumn = 12 // which has room only if there is room, or a bad one to show
	listed, hidden := 0, 0
	rows := chunks.NewRowCounter(ctx, f, c)
	var all pageTotal
	var bad error
	endedEarly := false
	for p, err := range chunks.Pages(ctx, f, c) {
		if err != nil {
			endedEarly = true
			if bad == nil || ctx.Err() != nil {
				bad = err
			}
			break
		}
		all.add(c, p, rows)
		if o.Limit >= 0 && int64(listed) >= o.Limit {
			if !r.Tables() {
				break
			}
			hidden++ // counting costs only headers
			continue
		}
		listed++
		crc, err := chunks.Checksum(ctx, f, p)
		if err == nil && crc == "bad" {
			err = corrupt.At(-1, "page body: CRC does not match")
		}
		if err != nil {
			e := fault.InPage(f.Name(), c, p.Number, p.Offset, err)
			if crc != "bad" {
				return e
			}
			bad = cmp.Or(bad, e)
			t.Columns[crcColumn].Optional = false
		}
		if r.Tables() {
			t.Add(pageRow(c, p, rows, crc, b)...)
		} else {
			r.Record(pageRecord(f, c, p, rows, crc, b)...)
		}
	}
	if r.Tables() {
		chunkHeading(c, r)
		if listed+hidden > 1 && !endedEarly {
			all.row(t, c)
		}
		r.Print(t)
		r.NoteHidden("  ", hidden, "page")
	}
	return bad
}

// pageTotal adds up the pages of a chunk. Values, nulls and rows are those of data pages.
type pageTotal struct {
	values, nulls, rows, header, compressed, uncompressed total
}

func (t *pageTotal) add(c *scanner.Chunk, p *chunks.Page, rowCount chunks.RowCounter) {
	t.header.add(int64(p.HeaderSize), true)
	t.compressed.add(int64(p.CompressedSize), true)
	t.uncompressed.add(int64(p.UncompressedSize), true)
	if p.Number < 0 {
		return
	}
	t.values.add(int64(p.NumValues), true)
	t.nulls.add(chunks.NullsOf(c, p))
	t.rows.add(rowCount.Of(p))
}

// row appends the total to the table of pages.
func (t *pageTotal) row(to *table.Table, c *scanner.Chunk) {
	to.Total("all", "", "", "", "", t.values.number(), t.nulls.number(), "", t.rows.number(), t.compressed.size(),
		"", "", "", t.header.number(), t.uncompressed.size(), ratioOf(c.Meta.Codec, t.uncompressed.n, t.compressed.n))
}

func chunkHeading(c *scanner.Chunk, r *output.Report) {
	r.Blank()
	more := c.Leaf.Type.String()
	if c.HasMeta {
		more += ", " + table.Plural(c.Meta.NumValues, "value") + ", " + wirename.Codec(c.Meta.Codec)
	}
	r.Heading("Row group "+strconv.Itoa(c.RowGroup)+"  column "+strconv.Itoa(c.Leaf.FirstLeaf)+"  "+c.Leaf.String(), more)
}

// pageRecord returns the record of a page.
func pageRecord(f *input.File, c *scanner.Chunk, p *chunks.Page, rowCount chunks.RowCounter, crc string, b *chunks.Bounds) output.Members {
	rows, hasRows := rowCount.Of(p)
	nulls, hasNulls := chunks.NullsOf(c, p)
	v1, v2, dictionary := p.Type == thrift.DataPage, p.Type == thrift.DataPageV2, p.Type == thrift.DictionaryPage
	hasValues := v1 || v2 || dictionary
	record := append(place(f, c), "page", output.If(p.Number >= 0, p.Number), "offset", p.Offset, "kind", wirename.PageType(p.Type),
		"encoding", output.If(hasValues, wirename.Encoding(p.Encoding)),
		"definition_level_encoding", output.If(v1, wirename.Encoding(p.DefinitionEncoding)), "repetition_level_encoding", output.If(v1, wirename.Encoding(p.RepetitionEncoding)),
		"values", output.If(hasValues, p.NumValues), "nulls", output.If(hasNulls, nulls), "rows", output.If(hasRows, rows),
		"header_size", p.HeaderSize, "uncompressed_size", p.UncompressedSize, "compressed_size", p.CompressedSize,
		"definition_levels_size", output.If(v2, p.DefinitionLength), "repetition_levels_size", output.If(v2, p.RepetitionLength), "is_compressed", output.If(v2, p.IsCompressed),
		"is_sorted", output.If(dictionary && p.IsSorted != thrift.Absent, p.IsSorted == thrift.True), "crc", crc)
	if p.HasStatistics {
		record = append(record, "statistics", statistics(b, &p.Statistics, int64(p.NumValues)))
	}
	return record
}

func pageRow(c *scanner.Chunk, p *chunks.Page, rowCount chunks.RowCounter, crc string, b *chunks.Bounds) []any {
	name, kind, encoding, levels, values := "", wirename.PageType(p.Type), wirename.Encoding(p.Encoding), "", table.Number(int64(p.NumValues))
	switch p.Type {
	case thrift.DataPage:
		kind = "v1"
		if c.Leaf.MaxDef > 0 {
			levels = wirename.Encoding(p.DefinitionEncoding)
		}
		if c.Leaf.MaxRep > 0 && p.RepetitionEncoding != p.DefinitionEncoding {
			levels = wirename.Encoding(p.RepetitionEncoding) + "/" + levels
		}
	case thrift.DataPageV2:
		kind = "v2"
		if c.Leaf.MaxDef > 0 {
			levels = "RLE"
		}
	case thrift.DictionaryPage:
		name, kind = "dict", "dict"
	default:
		encoding, values = "", ""
	}
	if p.Number >= 0 {
		name = strconv.Itoa(p.Number)
	}
	rows, hasRows := rowCount.Of(p)
	nulls, hasNulls := chunks.NullsOf(c, p)
	mark := table.Plain.Cell(crc)
	switch crc {
	case "absent":
		mark = table.Dim.Cell("-")
	case "ok":
		mark.Style = table.Green
	case "bad":
		mark = table.Red.Cell("BAD")
	}
	low, high := b.Cells(&p.Statistics, int64(p.NumValues))
	return []any{name, strconv.FormatInt(p.Offset, 10), kind, encoding, table.Dim.Cell(levels), values, table.NumberIf(hasNulls, nulls),
		table.NumberIf(p.Statistics.HasNaNCount, p.Statistics.NaNCount), table.NumberIf(hasRows, rows), table.Size(int64(p.CompressedSize)), low, high, mark,
		table.Number(int64(p.HeaderSize)), table.Size(int64(p.UncompressedSize)), ratioOf(c.Meta.Codec, int64(p.UncompressedSize), int64(p.CompressedSize))}
}
