package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/thrift/wire"
)

const shapesText = `# Shapes

Files that are right, of physical shapes that writers make seldom or never, written by ` + "`go run ./internal/test/gen/mk`" + `.
` + "`NAME.jsonl`" + ` has the rows of ` + "`NAME.parquet`" + ` in the canonical form that ../README.md describes.
This file is written with them.

| file | what it is for |
| --- | --- |
`

func shapes() []sample {
	var all []sample
	all = append(all, encodingShapes()...)
	all = append(all, codecShapes()...)
	all = append(all, levelShapes()...)
	all = append(all, dictionaryShapes()...)
	all = append(all, pageShapes()...)
	all = append(all, indexShapes()...)
	all = append(all, statisticsShapes()...)
	all = append(all, nestedShapes()...)
	all = append(all, schemaShapes()...)
	all = append(all, typeShapes()...)
	return all
}

// one returns a file of one row group.
func one(schema []*gen.Node, rows []any, all gen.Column) gen.File {
	return gen.File{Schema: schema, RowGroups: []gen.RowGroup{{Rows: rows}}, All: all}
}

func str(name string) *gen.Node { return gen.Optional(name, gen.ByteArray).As(gen.StringType()) }

// typed is a column of each type of the given ones; number 5k is null.
func typed(types []gen.Type, n int) (schema []*gen.Node, rows []any) {
	names := []string{"", "bool", "int32", "int64", "int96", "float", "double", "binary", "fixed"}
	for _, t := range types {
		node := gen.Optional(names[t], t)
		if t == gen.FixedLenByteArray {
			node.Length = 5
		}
		if t == gen.ByteArray {
			node.As(gen.StringType())
		}
		schema = append(schema, node)
	}
	for i := range n {
		r := gen.Record{}
		for _, t := range types {
			if i%5 != 3 {
				r[names[t]] = value(t, i)
			}
		}
		rows = append(rows, r)
	}
	return schema, rows
}

// value returns the i-th value of a type: some repeat, some jump.
func value(t gen.Type, i int) any {
	switch t {
	case gen.Boolean:
		return i%7 < 3
	case gen.Int32:
		return int32(i/3)*int32(1-i%2*2) + int32(i%17)<<20
	case gen.Int64:
		return int64(i)*1_000_003 - int64(i%11)<<40
	case gen.Int96:
		return int96(i, 2_451_545+i/9)
	case gen.Float:
		return float32(i%50)/4 - 3
	case gen.Double:
		return float64(i)*1.5 - 100 + float64(i%3)/10
	case gen.ByteArray:
		return fmt.Sprintf("%s/%d", []string{"alpha", "alphabet", "beta", ""}[i%4], i/6)
	}
	return fmt.Sprintf("%05d", i/4*11)
}

// int96 is i seconds and nanoseconds into a Julian day.
func int96(i, day int) (v [12]byte) {
	nanos := uint64(i) * 1_000_000_001
	for k := range 8 {
		v[k] = byte(nanos >> (8 * k))
	}
	for k := range 4 {
		v[8+k] = byte(day >> (8 * k))
	}
	return v
}

//every:encoding sample file but BIT_PACKED (levels only)
func encodingShapes() []sample {
	var all []sample
	for _, e := range []struct {
		name string
		e    gen.Encoding
	}{
		{"plain", gen.Plain}, {"dictionary", gen.Dictionary}, {"plain_dictionary", gen.PlainDictionary}, {"rle", gen.RLE},
		{"delta_binary_packed", gen.DeltaBinaryPacked}, {"delta_length_byte_array", gen.DeltaLengthByteArray},
		{"delta_byte_array", gen.DeltaByteArray}, {"byte_stream_split", gen.ByteStreamSplit}, {"alp", gen.ALP},
	} {
		types := gen.TypesOf(e.e)
		if e.e == gen.PlainDictionary {
			types = []gen.Type{gen.Int32, gen.Double, gen.ByteArray}
		}
		for v := 1; v <= 2; v++ {
			schema, rows := typed(types, 500)
			all = append(all, sample{
				name: fmt.Sprintf("encoding_%s_v%d", e.name, v),
				what: fmt.Sprintf("%s, v%d pages, every type it takes, with nulls", strings.ToUpper(e.name), v),
				file: one(schema, rows, gen.Column{Codec: gen.Snappy, PageRows: []int{200},
					OldDictionary: e.e == gen.PlainDictionary, Shape: gen.Shape{Version: v, Encoding: e.e}}),
			})
		}
	}
	for _, d := range []struct {
		name, what string
		delta      encode.Delta
	}{
		{"padding", "the last miniblock is filled up with one bits, unneeded miniblocks have arbitrary widths", encode.Delta{Padding: true, UnneededWidth: 213}},
		{"width", "miniblocks wider than needed, minimum deltas lower than needed", encode.Delta{ExtraWidth: 3, LowerMin: 5}},
		{"wide", "INT32 deltas in 64-bit arithmetic, 33 bits wide", encode.Delta{Wide: true}},
		{"blocks", "blocks of 256 values in 8 miniblocks", encode.Delta{BlockSize: 256, Miniblocks: 8}},
	} {
		schema := []*gen.Node{gen.Required("int32", gen.Int32), gen.Required("int64", gen.Int64)}
		var rows []any
		for i := range 300 {
			ends := []int64{-1 << 63, 1<<63 - 1, 0, int64(i)}
			rows = append(rows, gen.Record{"int32": int32(ends[i%4] >> 32), "int64": ends[i/2%4]})
		}
		all = append(all, sample{
			name: "delta_" + d.name, what: "DELTA_BINARY_PACKED: " + d.what + "; differences that wrap around",
			file: one(schema, rows, gen.Column{Shape: gen.Shape{Encoding: gen.DeltaBinaryPacked, Delta: d.delta}}),
		})
	}
	for _, a := range []struct {
		name, what string
		alp        encode.ALP
	}{
		{"vectors", "vectors of 8 values", encode.ALP{LogVector: 3}},
		{"exceptions", "one vector, each third value an exception, the last one first", encode.ALP{LogVector: 15, Exceptions: 3, Backwards: true}},
		{"width", "integers wider than needed, above a frame lower than needed", encode.ALP{ExtraWidth: 3, LowerFrame: 1000}},
	} {
		schema, rows := typed([]gen.Type{gen.Float, gen.Double}, 300)
		all = append(all, sample{
			name: "alp_" + a.name, what: "ALP: " + a.what,
			file: one(schema, rows, gen.Column{Shape: gen.Shape{Encoding: gen.ALP, ALP: a.alp}}),
		})
	}
	return all
}

//every:codec sample file but LZO (refused)
func codecShapes() []sample {
	var all []sample
	schema, rows := typed([]gen.Type{gen.Int64, gen.ByteArray, gen.Double}, 300)
	for _, c := range []struct {
		name, what string
		codec      gen.Codec
	}{
		{"uncompressed", "no compression", gen.Uncompressed},
		{"snappy", "SNAPPY", gen.Snappy},
		{"gzip", "GZIP", gen.Gzip},
		{"gzip_members", "GZIP, each page in two members", gen.GzipMembers},
		{"zstd", "ZSTD", gen.Zstd},
		{"zstd_nosize", "ZSTD, frames without their content's size", gen.ZstdNoSize},
		{"brotli", "BROTLI", gen.Brotli},
		{"lz4_raw", "LZ4_RAW", gen.LZ4Raw},
		{"lz4_hadoop", "LZ4 in Hadoop's framing", gen.LZ4Hadoop},
		{"lz4_hadoop_blocks", "LZ4 in Hadoop's framing, two blocks a page", gen.LZ4HadoopBlocks},
		{"lz4_bare", "LZ4 without any framing", gen.LZ4Bare},
		{"lz4_frame", "LZ4 in the frame format", gen.LZ4Frame},
	} {
		all = append(all, sample{
			name: "codec_" + c.name, what: c.what,
			file: one(schema, rows, gen.Column{Codec: c.codec, PageRows: []int{120}, PageShapes: []gen.Shape{{}, {Version: 2}}}),
		})
	}
	return all
}

func levelShapes() []sample {
	schema := []*gen.Node{
		str("s"), gen.List("tags", str("element")),
		gen.Optional("a", gen.Group, gen.Repeated("b", gen.Group, gen.Optional("c", gen.Int32))),
	}
	var rows []any
	for i := range 90 {
		r := gen.Record{}
		if i%4 > 0 {
			r["s"] = fmt.Sprint("s", i/10)
		}
		switch i / 3 % 4 {
		case 1:
			r["tags"], r["a"] = []any{}, gen.Record{}
		case 2:
			r["tags"] = []any{"x", nil, fmt.Sprint(i)}
			r["a"] = gen.Record{"b": []any{gen.Record{}, gen.Record{"c": i}, gen.Record{"c": -i}}}
		case 3:
			r["tags"] = []any{nil}
		}
		rows = append(rows, r)
	}
	shape := func(name, what string, c gen.Column) sample {
		return sample{name: name, what: what, file: one(schema, rows, c)}
	}
	dict := func(r gen.Runs, v int) gen.Column {
		return gen.Column{PageRows: []int{33}, Shape: gen.Shape{Runs: r, Encoding: gen.Dictionary, Version: v}}
	}
	return []sample{
		shape("runs_rle", "levels and codes in RLE runs alone", dict(gen.OnlyRLE, 1)),
		shape("runs_packed", "levels and codes in one bit-packed run", dict(gen.OnlyPacked, 2)),
		shape("runs_mixed", "levels and codes in runs of both kinds and many lengths", dict(gen.MixedRuns, 1)),
		shape("runs_cut", "bit-packed runs whose last group lacks its unused bytes", dict(gen.CutRuns, 1)),
		shape("levels_bit_packed", "BIT_PACKED levels, most significant bit first", gen.Column{Shape: gen.Shape{Levels: gen.BitPacked}}),
		shape("levels_bit_packed_lsb", "BIT_PACKED levels in the wrong bit order, as some old writers had it", gen.Column{Shape: gen.Shape{Levels: gen.BitPackedLSB}}),
		shape("midrow", "v1 pages of nested columns that start in mid-row; no offset index", gen.Column{PageSlots: []int{4, 1, 7}, Index: gen.NoIndex}),
		shape("midrow_column_index", "the same with a column index, which alone promises no row borders", gen.Column{PageSlots: []int{5}, Index: gen.ColumnIndex}),
	}
}

func dictionaryShapes() []sample {
	var rows, nulls []any
	for i := range 64 {
		rows = append(rows, gen.Record{"s": fmt.Sprint("word ", i%9)})
		nulls = append(nulls, gen.Record{})
	}
	schema := []*gen.Node{str("s")}
	dict := gen.Shape{Encoding: gen.Dictionary}
	var same []any
	for range 40 {
		same = append(same, gen.Record{"s": "same"})
	}
	return []sample{
		{name: "dictionary_fallback", what: "dictionary pages, then PLAIN ones, then v2 DELTA_BYTE_ARRAY ones",
			file: one(schema, rows, gen.Column{PageRows: []int{20}, PageShapes: []gen.Shape{dict, dict, {Encoding: gen.Plain}, {Encoding: gen.DeltaByteArray, Version: 2}}})},
		{name: "dictionary_wide_codes", what: "codes of 17 bits for 9 entries", file: one(schema, rows, gen.Column{IndexWidth: 17, Shape: dict})},
		{name: "dictionary_one_entry", what: "one entry, codes of 0 bits", file: one(schema, same, gen.Column{Shape: dict})},
		{name: "dictionary_empty", what: "all rows are null, the dictionary is empty", file: one(schema, nulls, gen.Column{Shape: dict})},
		{name: "dictionary_unused", what: "entries that no row has, and one entry twice",
			file: one(schema, rows[:9], gen.Column{Shape: dict, Dictionary: []string{"unused", "word 0", "word 1", "word 2", "word 1", "word 3", "word 4", "word 5", "word 6", "word 7", "word 8"}})},
		{name: "dictionary_no_offset", what: "no dictionary_page_offset; data_page_offset points to the dictionary",
			file: one(schema, rows, gen.Column{Shape: dict, HideDictionary: true})},
		{name: "dictionary_offset_zero", what: "dictionary_page_offset is 0; data_page_offset points to the dictionary",
			file: one(schema, rows, gen.Column{Shape: dict, HideDictionary: true, Meta: func(c *wire.ColumnChunk) { c.MetaData.DictionaryPageOffset = new(int64) }})},
		{name: "dictionary_short_chunk", what: "total_compressed_size leaves the dictionary page's header out, as parquet-mr before 1.2.9 did",
			file: gen.File{Schema: schema, RowGroups: []gen.RowGroup{{Rows: rows}}, CreatedBy: "parquet-mr version 1.2.8 (build deadbeef)",
				All: gen.Column{Shape: dict, Index: gen.NoIndex, Meta: func(c *wire.ColumnChunk) { c.MetaData.TotalCompressedSize -= 15 }}}},
	}
}

func pageShapes() []sample {
	schema := []*gen.Node{gen.Required("id", gen.Int32), str("s"), gen.List("l", gen.Optional("element", gen.Int64))}
	var rows []any
	for i := range 60 {
		r := gen.Record{"id": i}
		if i < 20 || i >= 40 {
			r["s"], r["l"] = fmt.Sprint("text ", i), []any{i, nil}
		}
		rows = append(rows, r)
	}
	other := func(t wire.PageType) []gen.Page {
		return []gen.Page{
			{Data: gen.Data{Values: []int32{1, 2}}},
			{Body: []byte("nothing that a reader knows"), Data: gen.Data{Values: []int32{}}, Header: func(h *wire.PageHeader) {
				h.Type, h.DataPageHeader = t, nil
				if t == wire.PageType_INDEX_PAGE {
					h.IndexPageHeader = &wire.IndexPageHeader{}
				}
			}},
			{Data: gen.Data{Values: []int32{3}}},
		}
	}
	ids := []*gen.Node{gen.Required("id", gen.Int32)}
	three := []any{gen.Record{"id": 1}, gen.Record{"id": 2}, gen.Record{"id": 3}}
	foreign := func(t wire.PageType) gen.File {
		return gen.File{Schema: ids, RowGroups: []gen.RowGroup{{Rows: three, Columns: []gen.Column{{Pages: other(t), Index: gen.NoIndex, NoEncodingStats: true}}}}}
	}
	misaligned := one(schema, rows, gen.Column{Codec: gen.Snappy})
	misaligned.RowGroups[0].Columns = []gen.Column{{PageRows: []int{7}}, {PageRows: []int{1, 2, 3, 25}}, {PageRows: []int{16, 16, 1}}}
	return []sample{
		{name: "pages_null_v1", what: "pages that are all null in the middle, v1", file: one(schema, rows, gen.Column{Codec: gen.Snappy, PageRows: []int{20}})},
		{name: "pages_null_v2", what: "the same, v2", file: one(schema, rows, gen.Column{Codec: gen.Snappy, PageRows: []int{20}, Shape: gen.Shape{Version: 2}})},
		{name: "pages_empty", what: "pages of no values at the front, in the middle and at the end; no page index", file: one(schema, rows, gen.Column{PageRows: []int{0, 30, 0, 0, 30, 0}, Index: gen.NoIndex})},
		{name: "pages_null_v2_no_body", what: "an all-null v2 page whose compressed part has no byte at all",
			file: func() gen.File {
				f := one([]*gen.Node{str("s")}, []any{gen.Record{}, gen.Record{}}, gen.Column{})
				def := encode.Hybrid(nil, 1, []uint32{0, 0})
				f.RowGroups[0].Columns = []gen.Column{{Codec: gen.Snappy, Pages: []gen.Page{{
					Shape: gen.Shape{Version: 2}, Data: gen.Data{Def: []uint32{0, 0}, Values: []string{}}, Compressed: def,
				}}}}
				return f
			}()},
		{name: "pages_v2_uncompressed", what: "v2 pages with is_compressed false in a compressed column", file: one(schema, rows, gen.Column{Codec: gen.Zstd, PageRows: []int{25}, Shape: gen.Shape{Version: 2}, PageShapes: []gen.Shape{{Uncompressed: true}}})},
		{name: "pages_v2_nulls", what: "a v2 page whose num_nulls is above num_values: nothing needs it", file: miscounted(func(h *wire.DataPageHeaderV2) { h.NumNulls = 99 })},
		{name: "pages_v2_rows", what: "v2 pages of a list whose num_rows is num_values, as several writers have it", file: miscounted(func(h *wire.DataPageHeaderV2) { h.NumRows = h.NumValues })},
		{name: "pages_both_versions", what: "v1 and v2 pages in one column", file: one(schema, rows, gen.Column{Codec: gen.Gzip, PageRows: []int{25}, PageShapes: []gen.Shape{{Version: 2}, {Version: 1}}})},
		{name: "pages_no_crc", what: "pages without checksums", file: one(schema, rows, gen.Column{PageRows: []int{25}, Shape: gen.Shape{CRC: gen.NoCRC}})},
		{name: "pages_zero_crc", what: "pages whose checksum is 0, as Parquet.jl writes all of them", file: one(schema, rows, gen.Column{Codec: gen.Snappy, PageRows: []int{25}, Shape: gen.Shape{CRC: gen.ZeroCRC, Encoding: gen.Dictionary}})},
		{name: "pages_index_page", what: "an index page between data pages", file: foreign(wire.PageType_INDEX_PAGE)},
		{name: "pages_gap", what: "an index page between data pages, and an offset index that passes over it", file: func() gen.File {
			f := foreign(wire.PageType_INDEX_PAGE)
			c := &f.RowGroups[0].Columns[0]
			c.Index, c.OffsetIndex = gen.OffsetIndex, func(x *wire.OffsetIndex) { x.PageLocations = slices.Delete(x.PageLocations, 1, 2) }
			return f
		}()},
		{name: "pages_unknown_type", what: "a page of an unknown type between data pages", file: foreign(77)},
		{name: "pages_misaligned", what: "every column has other page borders", file: misaligned},
		{name: "pages_one_row", what: "a page for each row", file: one(schema, rows, gen.Column{PageRows: []int{1}})},
		{name: "pages_statistics", what: "statistics in the page headers", file: one(schema, rows, gen.Column{PageRows: []int{20}, Shape: gen.Shape{PageStats: gen.MinMax | gen.NullCount | gen.Exactness}})},
	}
}

// miscounted has a list in two v2 pages whose headers are edited.
func miscounted(edit func(*wire.DataPageHeaderV2)) gen.File {
	page := func(rep, def []uint32, values ...int32) gen.Page {
		return gen.Page{Shape: gen.Shape{Version: 2}, Data: gen.Data{Rep: rep, Def: def, Values: values}, Header: func(h *wire.PageHeader) { edit(h.DataPageHeaderV2) }}
	}
	row := func(elements ...any) gen.Record { return gen.Record{"a": elements} }
	return gen.File{
		Schema: []*gen.Node{gen.List("a", gen.Optional("element", gen.Int32))},
		RowGroups: []gen.RowGroup{{
			Rows: []any{row(1, 2, nil), row(3, 4), row(), row(5, 6)},
			Columns: []gen.Column{{Codec: gen.Snappy, Index: gen.NoIndex, Pages: []gen.Page{
				page([]uint32{0, 1, 1, 0, 1}, []uint32{3, 3, 2, 3, 3}, 1, 2, 3, 4),
				page([]uint32{0, 0, 1}, []uint32{1, 3, 3}, 5, 6),
			}}},
		}},
	}
}
