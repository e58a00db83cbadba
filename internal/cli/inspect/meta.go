package inspect

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/command"
	"github.com/winnow-scan/winnow/internal/cli/input"
	"github.com/winnow-scan/winnow/internal/cli/output"
	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/internal/rawmeta"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

func Meta() *command.Command {
	return &command.Command{
		Name: "meta", Args: "FILE...",
		Summary: "show what the footer says: the file, row groups, column chunks and their statistics",
		Detail: `
With one column selected, each of its chunks is shown in full. In tables, bounds in
parentheses must not be relied on, and the JSON says why (unusable); "~" stands for a
bound that was cut and is no value. Behind the bounds: B Bloom filter, C column index,
O offset index, S size statistics.

JSON records, by kind:
  file       file, size, footer_size, version, created_by, rows, row_groups, columns, encryption,
             not_authenticated (what can be altered unnoticed although it is encrypted), key_values
  row_group  file, row_group, rows, columns, uncompressed_size, compressed_size, file_offset, ordinal, sorting
  chunk      file, row_group, column, path, physical_type, logical_type, crs (reference system), edges, encodings,
             codec, values, uncompressed_size, compressed_size, data_page_offset, dictionary_page_offset, index_page_offset,
             file_path, encrypted, statistics, encoding_stats, size_statistics, geospatial, bloom_filter,
             column_index, offset_index, key_values`,
		Examples: []string{
			"meta lineitems.parquet",
			"meta -c ship_date lineitems.parquet",
		},
		Layout: true,
		Takes:  command.TakesSelect | command.TakesLimit | command.TakesRowGroup,
		Run:    command.EachFile(showMeta, nil),
	}
}

func showMeta(_ context.Context, f *input.File, o *command.Options, r *output.Report) error {
	groups, leaves, err := o.Selected(f)
	if err != nil {
		return err
	}
	footer := f.Footer()
	keyValues, err := footer.KeyValues.Append(nil)
	if err != nil {
		return corrupt.Within(err, "footer", 0)
	}
	if r.Tables() {
		fileBlock(f, keyValues, o.Keys.Path != "", r)
		rowGroupTable(f, groups, o, r)
	} else {
		r.Record("kind", "file", "file", f.Name(), "size", f.Source().Size(), "footer_size", f.FooterRange().Len, "version", footer.Version,
			"created_by", footer.CreatedBy, "rows", footer.NumRows, "row_groups", len(footer.RowGroups), "columns", len(f.Schema().Leaves()),
			"encryption", output.OmitZero(encryptionName(footer.Encryption)), "not_authenticated", output.OmitZero(notAuthenticated(footer)),
			"key_values", keyValuesOf(keyValues))
	}
	var first error // of the first bad chunk; the others are shown nevertheless
	for _, g := range groups {
		if !r.Tables() {
			r.Record(rowGroupRecord(f, g)...)
		}
		var chunks []*scanner.Chunk
		for _, leaf := range leaves[:o.Shown(len(leaves))] {
			c, err := f.Chunk(g, leaf)
			if err == nil {
				chunks = append(chunks, c)
				_, _, err = c.Range()
			}
			first = cmp.Or(first, err)
		}
		if r.Tables() {
			if len(leaves) > 0 {
				r.Blank()
				r.Heading("Row group "+strconv.Itoa(g), table.Plural(footer.RowGroups[g].NumRows, "row"))
				if len(leaves) == 1 && len(chunks) == 1 {
					chunkDetail(f, chunks[0], r)
					continue
				}
				r.Print(chunkTable(f, chunks))
				r.NoteHidden("  ", len(leaves)-len(chunks), "column")
			}
			continue
		}
		for _, c := range chunks {
			r.Record(chunkRecord(f, c)...)
		}
	}
	return first
}

func encryptionName(a thrift.Arm) string {
	if a == 0 {
		return ""
	}
	return cmp.Or(map[thrift.Arm]string{1: "AES_GCM_V1", 2: "AES_GCM_CTR_V1"}[a], "unknown")
}

// notAuthenticated returns what of an encrypted file can be altered unnoticed by whoever may
// write to it, "" if there is no such thing.
func notAuthenticated(m *thrift.Footer) string {
	switch {
	case m.Encryption == 2:
		return "pages"
	case rawmeta.IsDuckDB(m):
		return "places of pages and indexes, as DuckDB encrypts"
	}
	return ""
}

// rowGroupRecord returns the record of a row group.
func rowGroupRecord(f *input.File, g int) output.Members {
	rg := &f.Footer().RowGroups[g]
	var sorting []output.Members
	for _, s := range rg.Sorting {
		sorting = append(sorting, output.Members{"column", s.Column, "descending", s.Descending, "nulls_first", s.NullsFirst})
	}
	return output.Members{"kind", "row_group", "file", f.Name(), "row_group", g, "rows", rg.NumRows, "columns", rg.NumColumns, "uncompressed_size", rg.TotalByteSize,
		"compressed_size", output.If(rg.HasTotalCompressedSize, rg.TotalCompressedSize), "file_offset", output.If(rg.HasFileOffset, rg.FileOffset),
		"ordinal", output.If(rg.HasOrdinal, rg.Ordinal), "sorting", ifAny(sorting)}
}

// fileBlock shows the facts about the whole file, a line each. keys says that there are keys.
func fileBlock(f *input.File, keyValues []thrift.KeyValue, keys bool, r *output.Report) {
	footer := f.Footer()
	r.Heading(f.Name(), "")
	t := &table.Table{Columns: []table.Column{{}, {MinWidth: 20}}}
	line := func(name, text string) {
		if text != "" {
			t.Add(table.Dim.Cell(name), text)
		}
	}
	numbers := func(name, text string) { t.Add(table.Dim.Cell(name), table.Cell{Text: text, Cut: table.NeverCut}) }
	numbers("size", table.Size(f.Source().Size())+", footer "+table.Size(f.FooterRange().Len))
	numbers("rows", table.Number(footer.NumRows)+" in "+table.Plural(int64(len(footer.RowGroups)), "row group")+", "+table.Plural(int64(len(f.Schema().Leaves())), "column"))
	line("created by", footer.CreatedBy)
	line("version", strconv.Itoa(int(footer.Version)))
	line("encryption", encryptionName(footer.Encryption))
	line("not authenticated", notAuthenticated(footer))
	switch {
	case footer.HasSigningKey && keys:
		line("footer", "signed, verified")
	case footer.HasSigningKey:
		line("footer", "signed, not verified")
	}
	for _, kv := range keyValues {
		text := kv.Value
		if len(text) > 200 && r.Screen.Width > 0 {
			text = table.Plural(int64(len(text)), "byte") + ": " + strings.ToValidUTF8(text[:200], "")
		}
		line("key "+kv.Key, text)
	}
	r.Print(t)
}

func rowGroupTable(f *input.File, groups []int, o *command.Options, r *output.Report) {
	if len(groups) == 0 {
		return
	}
	t := &table.Table{Columns: []table.Column{
		{Title: "row group", Right: true}, {Title: "rows", Right: true}, {Title: "size", Right: true},
		{Title: "unpacked", Right: true}, {Title: "ratio", Right: true}, {Title: "offset", Right: true}, {Title: "sorted by", MinWidth: 8},
	}}
	leaves := f.Schema().Leaves()
	shown := groups[:o.Shown(len(groups))]
	for _, g := range shown {
		rg := &f.Footer().RowGroups[g]
		var sorted []string
		for _, s := range rg.Sorting {
			name := strconv.Itoa(int(s.Column))
			if s.Column >= 0 && int(s.Column) < len(leaves) {
				name = leaves[s.Column].String()
			}
			if s.Descending {
				name += " desc"
			}
			if s.NullsFirst {
				name += " nulls first"
			}
			sorted = append(sorted, name)
		}
		compressed := ""
		if rg.HasTotalCompressedSize {
			compressed = table.Size(rg.TotalCompressedSize)
		}
		t.Add(strconv.Itoa(g), table.Number(rg.NumRows), compressed, table.Size(rg.TotalByteSize), table.Ratio(rg.TotalByteSize, rg.TotalCompressedSize),
			offsetIf("", rg.HasFileOffset, rg.FileOffset), strings.Join(sorted, ", "))
	}
	if len(groups) > 1 {
		t.Total(rowGroupTotal(f, groups)...)
	}
	r.Blank()
	r.Print(t)
	r.NoteHidden("", len(groups)-len(shown), "row group")
}

// rowGroupTotal adds up row groups. What cannot be added up, or is not known of each,
// is empty.
func rowGroupTotal(f *input.File, groups []int) []string {
	var rows, compressed, uncompressed total
	for _, g := range groups {
		rg := &f.Footer().RowGroups[g]
		rows.add(rg.NumRows, true)
		compressed.add(rg.TotalCompressedSize, rg.HasTotalCompressedSize)
		uncompressed.add(rg.TotalByteSize, true)
	}
	ratio := ""
	if !compressed.unknown && !uncompressed.unknown {
		ratio = table.Ratio(uncompressed.n, compressed.n)
	}
	return []string{"total", rows.number(), compressed.size(), uncompressed.size(), ratio, "", ""}
}
