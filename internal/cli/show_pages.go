package cli

import (
	"context"
	"hash/crc32"
	"strconv"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/pageindex"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/scanner/fetch"
	"github.com/winnow-scan/winnow/thrift"
)

func pagesCommand(program string) *Command {
	return &Command{
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
		layout: true,
		takes:  takesSelect | takesLimit | takesRowGroup,
		run:    eachFile(showPages, nil),
	}
}

func showPages(ctx context.Context, f *input, o *options, r *Report) error {
	return eachChunk(f, o, func(c *scanner.Chunk) error { return chunkPages(ctx, f, c, o, r) }, r)
}

// eachChunk calls show for every selected chunk. A bad chunk does not stop the
// others; eachChunk returns the first error.
func eachChunk(f *input, o *options, show func(*scanner.Chunk) error, r *Report) error {
	groups, leaves, err := o.selected(f)
	if err != nil {
		return err
	}
	if r.tables() {
		r.heading(f.Name(), "")
	}
	var first error
	for _, g := range groups {
		for _, leaf := range leaves {
			c, err := f.Chunk(g, leaf)
			if err == nil {
				err = show(c)
			}
			if first == nil {
				first = err
			}
			if isOutsideFile(err) {
				return err
			}
		}
	}
	return first
}

func chunkPages(ctx context.Context, f *input, c *scanner.Chunk, o *options, r *Report) error {
	b := boundsOf(f, c)
	b.ofPages = true
	// On a narrow screen the last columns go first, so that encodings are whole.
	t := &table.Table{Indent: "  ", Columns: []table.Column{
		{Title: "page", Right: true}, {Title: "offset", Right: true}, {Title: "kind"}, {Title: "encoding", MinWidth: len("DELTA_BINARY_PACKED")}, {Title: "levels", Optional: true},
		{Title: "values", Right: true}, {Title: "nulls", Right: true}, {Title: "NaNs", Right: true, Optional: true}, {Title: "rows", Right: true, Optional: true},
		{Title: "size", Right: true}, {Title: "min", MinWidth: 11, Optional: true}, {Title: "max", MinWidth: 11, Optional: true}, {Title: "crc", Optional: true},
		{Title: "header", Right: true, Optional: true}, {Title: "unpacked", Right: true, Optional: true}, {Title: "ratio", Right: true, Optional: true},
	}}
	const crcColumn = 12 // which has room only if there is room, or a bad one to show
	listed, hidden := 0, 0
	rows := newRowCounter(ctx, f, c)
	var all pageTotal
	var bad error
	endedEarly := false
	for p, err := range pages(ctx, f, c) {
		if err != nil {
			endedEarly = true
			if bad == nil || ctx.Err() != nil {
				bad = err
			}
			break
		}
		all.add(c, p, rows)
		if o.limit >= 0 && int64(listed) >= o.limit {
			if !r.tables() {
				break
			}
			hidden++ // counting costs only headers
			continue
		}
		listed++
		crc, err := checksum(ctx, f, p)
		if err == nil && crc == "bad" {
			err = corrupt.At(-1, "page body: CRC does not match")
		}
		if err != nil {
			e := inPage(f.Name(), c, p.Number, p.Offset, err)
			if crc != "bad" {
				return e
			}
			if bad == nil {
				bad = e
			}
			t.Columns[crcColumn].Optional = false
		}
		if r.tables() {
			t.Add(pageRow(c, p, rows, crc, b)...)
		} else {
			r.object(func(o *object) { appendPage(o, f, c, p, rows, crc, b) })
		}
	}
	if r.tables() {
		chunkHeading(c, r)
		if listed+hidden > 1 && !endedEarly {
			all.row(t, c)
		}
		r.print(t)
		r.noteHidden("  ", hidden, "page")
	}
	return bad
}

// pageTotal adds up the pages of a chunk. Values, nulls and rows are those of data pages.
type pageTotal struct {
	values, nulls, rows, header, compressed, uncompressed total
}

func (t *pageTotal) add(c *scanner.Chunk, p *pageAt, rowCount rowCounter) {
	t.header.add(int64(p.HeaderSize), true)
	t.compressed.add(int64(p.CompressedSize), true)
	t.uncompressed.add(int64(p.UncompressedSize), true)
	if p.Number < 0 {
		return
	}
	t.values.add(int64(p.NumValues), true)
	t.nulls.add(nullsOf(c, p))
	t.rows.add(rowCount.of(p))
}

// row appends the total to the table of pages.
func (t *pageTotal) row(to *table.Table, c *scanner.Chunk) {
	to.Total("all", "", "", "", "", t.values.number(), t.nulls.number(), "", t.rows.number(), t.compressed.size(),
		"", "", "", t.header.number(), t.uncompressed.size(), ratioOf(c.Meta.Codec, t.uncompressed.n, t.compressed.n))
}

func chunkHeading(c *scanner.Chunk, r *Report) {
	r.blank()
	more := c.Leaf.Type.String()
	if c.HasMeta {
		more += ", " + table.Plural(c.Meta.NumValues, "value") + ", " + wirename.Codec(c.Meta.Codec)
	}
	r.heading("Row group "+strconv.Itoa(c.RowGroup)+"  column "+strconv.Itoa(c.Leaf.FirstLeaf)+"  "+c.Leaf.String(), more)
}

// checksum reads a page's body, if it has a checksum, and compares.
func checksum(ctx context.Context, f *input, p *pageAt) (string, error) {
	if !p.HasCRC || p.CRC == 0 && p.CompressedSize > 0 { // scans take 0 for no checksum, too
		return "absent", nil
	}
	const step = 1 << 20
	sum := crc32.NewIEEE()
	buffer := make([]byte, min(step, p.body().Len))
	for r, end := (fetch.Range{Off: p.body().Off}), p.body().End(); r.Off < end; r.Off = r.End() {
		r.Len = min(step, end-r.Off)
		b, err := fetch.ReadRange(ctx, f.Source(), r, func(n int) []byte { return buffer[:n] })
		if err != nil {
			return "", err
		}
		sum.Write(b)
	}
	if sum.Sum32() != p.CRC {
		return "bad", nil
	}
	return "ok", nil
}

// rowCounter tells how many rows start on a page: by its header or, where that does
// not say, by the offset index.
type rowCounter struct {
	c     *scanner.Chunk
	index *thrift.OffsetIndex // nil if it is not needed, not there, or invalid
	total int64               // rows of the row group
}

func newRowCounter(ctx context.Context, f *input, c *scanner.Chunk) rowCounter {
	r := rowCounter{c: c, total: f.Footer().RowGroups[c.RowGroup].NumRows}
	if c.Leaf.MaxRep > 0 {
		x, err := rawmeta.OffsetIndex(ctx, f.File, c)
		if err == nil && x != nil && (&pageindex.Chunk{Footer: &c.ColumnChunk}).CheckOffsets(x, r.total, f.FooterRange().Off) == nil {
			r.index = x
		}
	}
	return r
}

func (r rowCounter) of(p *pageAt) (rows int64, known bool) {
	switch {
	case p.Type == thrift.DataPageV2 && (r.c.Leaf.MaxRep == 0 || p.NumRows < p.NumValues || p.NumValues == 0):
		return int64(p.NumRows), true // some writers put the values there, in a repeated column
	case p.Type != thrift.DataPage && p.Type != thrift.DataPageV2:
	case r.c.Leaf.MaxRep == 0:
		return int64(p.NumValues), true
	case r.index != nil && p.Number < len(r.index.Pages) && r.index.Pages[p.Number].Offset == p.Offset:
		start, end := pageindex.PageRows(r.index.Pages, p.Number, r.total)
		return end - start, true
	}
	return 0, false
}

// nullsOf returns the number of nulls on a page, if its header says it. In a nested
// column the count of a v2 header includes empty lists.
func nullsOf(c *scanner.Chunk, p *pageAt) (int64, bool) {
	switch {
	case p.Type == thrift.DataPageV2:
		return int64(p.NumNulls), true
	case p.Statistics.HasNullCount:
		return p.Statistics.NullCount, true
	case p.Type == thrift.DataPage && c.Leaf.MaxDef == 0:
		return 0, true
	}
	return 0, false
}

// appendPage appends the members of a record of a page.
func appendPage(o *object, f *input, c *scanner.Chunk, p *pageAt, rowCount rowCounter, crc string, b *bounds) {
	rows, hasRows := rowCount.of(p)
	nulls, hasNulls := nullsOf(c, p)
	v1, v2, dictionary := p.Type == thrift.DataPage, p.Type == thrift.DataPageV2, p.Type == thrift.DictionaryPage
	hasValues := v1 || v2 || dictionary
	appendPlace(o, f, c)
	o.intIf(p.Number >= 0, "page", int64(p.Number))
	o.int("offset", p.Offset)
	o.text("kind", wirename.PageType(p.Type))
	o.textIf(hasValues, "encoding", wirename.Encoding(p.Encoding))
	o.textIf(v1, "definition_level_encoding", wirename.Encoding(p.DefinitionEncoding))
	o.textIf(v1, "repetition_level_encoding", wirename.Encoding(p.RepetitionEncoding))
	o.intIf(hasValues, "values", int64(p.NumValues))
	o.intIf(hasNulls, "nulls", nulls)
	o.intIf(hasRows, "rows", rows)
	o.int("header_size", int64(p.HeaderSize))
	o.int("uncompressed_size", int64(p.UncompressedSize))
	o.int("compressed_size", int64(p.CompressedSize))
	o.intIf(v2, "definition_levels_size", int64(p.DefinitionLength))
	o.intIf(v2, "repetition_levels_size", int64(p.RepetitionLength))
	o.flagIf(v2, "is_compressed", p.IsCompressed)
	o.flagIf(dictionary && p.IsSorted != thrift.Absent, "is_sorted", p.IsSorted == thrift.True)
	o.text("crc", crc)
	if p.HasStatistics {
		appendStatistics(o, b, &p.Statistics, int64(p.NumValues))
	}
}

func pageRow(c *scanner.Chunk, p *pageAt, rowCount rowCounter, crc string, b *bounds) []any {
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
	rows, hasRows := rowCount.of(p)
	nulls, hasNulls := nullsOf(c, p)
	mark := table.Plain.Cell(crc)
	switch crc {
	case "absent":
		mark = table.Dim.Cell("-")
	case "ok":
		mark.Style = table.Green
	case "bad":
		mark = table.Red.Cell("BAD")
	}
	low, high := b.cells(&p.Statistics, int64(p.NumValues))
	return []any{name, strconv.FormatInt(p.Offset, 10), kind, encoding, table.Dim.Cell(levels), values, table.NumberIf(hasNulls, nulls),
		table.NumberIf(p.Statistics.HasNaNCount, p.Statistics.NaNCount), table.NumberIf(hasRows, rows), table.Size(int64(p.CompressedSize)), low, high, mark,
		table.Number(int64(p.HeaderSize)), table.Size(int64(p.UncompressedSize)), ratioOf(c.Meta.Codec, int64(p.UncompressedSize), int64(p.CompressedSize))}
}
