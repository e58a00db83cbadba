package cli

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

func int64Bytes(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }

// inFooterOf and the functions below change the footer, or the second row group, of a file.
func inFooterOf(change func(*wire.FileMetaData)) func(*gen.File) {
	return func(f *gen.File) { f.Footer = change }
}

func inGroup(change func(*wire.RowGroup)) func(*gen.File) {
	return func(f *gen.File) {
		right := f.RowGroups[1].Meta
		f.RowGroups[1].Meta = func(g *wire.RowGroup) { right(g); change(g) }
	}
}

func inEntry(leaf int, change func(*wire.ColumnChunk)) func(*gen.File) {
	return func(f *gen.File) {
		c := &f.RowGroups[1].Columns[leaf]
		right := c.Meta
		c.Meta = func(c *wire.ColumnChunk) {
			if right != nil {
				right(c)
			}
			change(c)
		}
	}
}

func inMeta(leaf int, change func(*wire.ColumnMetaData)) func(*gen.File) {
	return inEntry(leaf, func(c *wire.ColumnChunk) { change(c.MetaData) })
}

func inStatistics(leaf int, change func(*wire.Statistics)) func(*gen.File) {
	return inMeta(leaf, func(m *wire.ColumnMetaData) { change(m.Statistics) })
}

func inColumnIndex(leaf int, change func(*wire.ColumnIndex)) func(*gen.File) {
	return func(f *gen.File) { f.RowGroups[1].Columns[leaf].ColumnIndex = change }
}

func inOffsetIndex(leaf int, change func(*wire.OffsetIndex)) func(*gen.File) {
	return func(f *gen.File) { f.RowGroups[1].Columns[leaf].OffsetIndex = change }
}

// inValues changes a row.
func inValues(row int, change func(gen.Record)) func(*gen.File) {
	return func(f *gen.File) { change(f.RowGroups[1].Rows[row].(gen.Record)) }
}

// inHeader makes a column one page of a version, with statistics, and changes its header.
func inHeader(leaf, version int, change func(*wire.PageHeader)) func(*gen.File) {
	return func(f *gen.File) {
		data, err := gen.Shred(f.Schema, f.RowGroups[1].Rows)
		if err != nil {
			panic(err)
		}
		shape := gen.Shape{Version: version, PageStats: gen.MinMax | gen.NullCount | gen.NaNCount}
		f.RowGroups[1].Columns[leaf].Pages = []gen.Page{{Shape: shape, Data: data[leaf], Header: change}}
	}
}

func liesOfFooters() []lie {
	type (
		file  = wire.FileMetaData
		group = wire.RowGroup
		meta  = wire.ColumnMetaData
		entry = wire.ColumnChunk
	)
	sorted := func(columns ...*wire.SortingColumn) func(*gen.File) {
		return inGroup(func(g *group) { g.SortingColumns = columns })
	}
	const tags = "tags.list.element"
	return []lie{
		{"rows", inFooterOf(func(m *file) { m.NumRows = 81 }), nil, "", "footer: 81 rows, those of the row groups are 80", ""},
		{"version", inFooterOf(func(m *file) { m.Version = 7 }), nil, "", "footer: version 7, there are 1 and 2", ""},
		{"column orders", inFooterOf(func(m *file) { m.ColumnOrders = m.ColumnOrders[1:] }), nil, "", "footer: column_orders for 14 columns, there are 15", "file names no column order"},
		{"created by", inFooterOf(func(m *file) { m.CreatedBy = ptr("me\xff") }), nil, "", "footer: created_by is not UTF-8", ""},
		{"a key twice", inFooterOf(func(m *file) { m.KeyValueMetadata[1].Key = "one" }), nil, "", "footer: key_value_metadata: two values of the key one", ""},
		{"a value in Latin", inFooterOf(func(m *file) { m.KeyValueMetadata[1].Value = ptr("\xe4") }), nil, "", "footer: key_value_metadata: not UTF-8 at the key two", ""},
		{"field ids", inFooterOf(func(m *file) { m.Schema[2].FieldID = ptr(int32(1)) }), nil, "s", "footer: field_id 1 is that of k, too", ""},
		{"annotations", inFooterOf(func(m *file) { m.Schema[2].ConvertedType = ptr(wire.ConvertedType_JSON) }), nil, "s", "footer: converted_type says BYTE_ARRAY JSON, the logical type BYTE_ARRAY STRING", ""},

		{"ordinal", inGroup(func(g *group) { g.Ordinal = ptr(int16(0)) }), nil, "", "footer: ordinal 0", ""},
		{"total size", inGroup(func(g *group) { g.TotalByteSize++ }), nil, "", "footer: total_byte_size", ""},
		{"total compressed size", inGroup(func(g *group) { *g.TotalCompressedSize-- }), nil, "", "footer: total_compressed_size", ""},
		{"file offset", inGroup(func(g *group) { g.FileOffset = ptr(int64(4)) }), nil, "", "footer: file_offset 4, the first page is at", ""},
		{"descending", sorted(&wire.SortingColumn{ColumnIdx: inK, Descending: true}), nil, "", "footer: sorting_columns: rows are said to be sorted by k, but row 1 and the one before are not", ""},
		{"NULLs first", sorted(&wire.SortingColumn{ColumnIdx: inS, NullsFirst: true}), nil, "", "footer: sorting_columns: rows are said to be sorted by s, but row 3 and", ""},
		{"NULLs last", sorted(&wire.SortingColumn{ColumnIdx: inS}), nil, "", "sorting_columns: rows are said to be sorted by s, but row 1 and", ""},
		{"second column", sorted(&wire.SortingColumn{ColumnIdx: inKind}, &wire.SortingColumn{ColumnIdx: inK, Descending: true}), nil, "", "sorting_columns: rows are said to be sorted by kind, k, but row 1", ""},
		{"no such column", sorted(&wire.SortingColumn{ColumnIdx: 15}), nil, "", "sorting_columns: column 15, there are 15", ""},

		{"path", inMeta(inTags, func(m *meta) { m.PathInSchema = []string{"tags", "bag", "element"} }), nil, tags, "footer: path_in_schema is tags.bag.element", ""},
		{"path of another", inMeta(inK, func(m *meta) { m.PathInSchema = []string{"s"} }), nil, "k", "footer: path_in_schema is s", ""},
		{"keys of columns", inMeta(inK, func(m *meta) { m.KeyValueMetadata = []*wire.KeyValue{{Key: "a"}, {Key: "a"}} }), nil, "k", "two values of the key a", ""},
		{"type", inMeta(inK, func(m *meta) { m.Type = wire.Type_DOUBLE }), nil, "k", "footer: column chunk of type DOUBLE, the schema says INT64", ""},
		{"values", inMeta(inK, func(m *meta) { m.NumValues++ }), nil, "k", "its pages hold 40 values, its metadata says 41", ""},
		{"codec", inMeta(inK, func(m *meta) { m.Codec = wire.CompressionCodec_ZSTD }), nil, "k", "ZSTD", ""},
		{"size", inMeta(inK, func(m *meta) { m.TotalUncompressedSize++ }), nil, "", "footer: total_byte_size", "bytes decompressed, the footer says"},
		{"compressed size", inMeta(inNone, func(m *meta) { m.TotalCompressedSize += 2 }), nil, "", "footer: total_compressed_size", "bytes, the footer says"},
		{"encodings", inMeta(inK, func(m *meta) { m.Encodings = []wire.Encoding{wire.Encoding_RLE} }), nil, "k", "page in encoding PLAIN, which is not among the footer's", ""},
		{"only a dictionary's encodings", inMeta(inK, func(m *meta) { m.Encodings = []wire.Encoding{wire.Encoding_RLE_DICTIONARY} }), nil, "k", "page in encoding PLAIN, which is not among the footer's", ""},
		{"no stats of an encoding", inMeta(inD, func(m *meta) { m.EncodingStats = m.EncodingStats[:1] }), nil, "d", "encoding_stats: 0 data pages in RLE_DICTIONARY, there are 4", ""},
		{"too few stats", inMeta(inK, func(m *meta) { m.EncodingStats[0].Count = 3 }), nil, "k", "encoding_stats: 3 data pages in PLAIN, there are 4", ""},
		{"too many stats", inMeta(inK, func(m *meta) { m.EncodingStats[0].Count = 5 }), nil, "k", "encoding_stats: 5 data pages in PLAIN, there are 4", ""},
		{"another encoding's stats", inMeta(inK, func(m *meta) { m.EncodingStats[0].Encoding = wire.Encoding_RLE_DICTIONARY }), nil, "k", "encoding_stats: 0 data pages in PLAIN, there are 4", "encoding_stats: 4 data pages in RLE_DICTIONARY, there are 0"},
		{"stats of other pages", inMeta(inK, func(m *meta) { m.EncodingStats[0].PageType = wire.PageType_INDEX_PAGE }), nil, "k", "encoding_stats: 0 data pages in PLAIN, there are 4", "encoding_stats: 4 other pages, there are 0"},
		{"negative dictionary", inMeta(inK, func(m *meta) { m.DictionaryPageOffset = ptr(int64(-1)) }), nil, "k", "the footer says that the dictionary is at -1, there is none", ""},
		{"pages at the dictionary", inMeta(inD, func(m *meta) { m.DataPageOffset = *m.DictionaryPageOffset }), nil, "d", "the footer says that the first data page is at", ""},
		{"pages at the second", func(f *gen.File) {
			second := int64(0)
			inOffsetIndex(inD, func(x *wire.OffsetIndex) { second = x.PageLocations[1].Offset })(f)
			inMeta(inD, func(m *meta) { m.DataPageOffset = second })(f)
		}, nil, "d", "the footer says that the first data page is at", ""},
		{"no dictionary", inMeta(inK, func(m *meta) { m.DictionaryPageOffset = ptr(m.DataPageOffset) }), nil, "k", "the footer says that the dictionary is at", ""},
		{"no index page", inMeta(inK, func(m *meta) { m.IndexPageOffset = ptr(m.DataPageOffset) }), nil, "k", "the footer says that an index page is at", ""},
		{"length of a Bloom filter", inMeta(inK, func(m *meta) { *m.BloomFilterLength-- }), nil, "k", "Bloom filter: 272 bytes, the footer says 271", ""},
		{"length of an offset index", inEntry(inK, func(c *entry) { *c.OffsetIndexLength++ }), nil, "k", "offset index: ", ""},
		{"length of a column index", inEntry(inK, func(c *entry) { *c.ColumnIndexLength += 3 }), nil, "k", "column index: ", ""},
		{"short index", inEntry(inK, func(c *entry) { *c.ColumnIndexLength-- }), nil, "k", "column index", ""},
	}
}

func liesOfStatistics() []lie {
	type (
		stats = wire.Statistics
		meta  = wire.ColumnMetaData
	)
	size := func(leaf int, change func(*wire.SizeStatistics)) func(*gen.File) {
		return inMeta(leaf, func(m *meta) { change(m.SizeStatistics) })
	}
	geo := func(change func(*wire.GeospatialStatistics)) func(*gen.File) {
		return inMeta(inPlace, func(m *meta) { change(m.GeospatialStatistics) })
	}
	const tags, sku = "tags.list.element", "items.list.element.sku"
	return []lie{
		{"min", inStatistics(inK, func(s *stats) { s.MinValue = int64Bytes(101) }), nil, "k", "statistics: min 101, there is 100", ""},
		{"max", inStatistics(inK, func(s *stats) { s.MaxValue = int64Bytes(138) }), nil, "k", "statistics: max 138, there is 139", ""},
		{"old min", inStatistics(inK, func(s *stats) { s.Min, s.Max = int64Bytes(101), int64Bytes(139) }), nil, "k", "old statistics: min 101, there is 100", ""},
		{"min not exact", inStatistics(inK, func(s *stats) { s.MinValue = int64Bytes(99) }), nil, "k", "statistics: min 99 is said to be exact; the least value is 100", ""},
		{"max not exact", inStatistics(inS, func(s *stats) { s.MaxValue = []byte("textile") }), nil, "s", "statistics: max textile is said to be exact; the greatest value is text xxxxxx", ""},
		{"inverted", inStatistics(inK, func(s *stats) { s.MinValue = int64Bytes(1000) }), nil, "k", "statistics: min is above max", ""},
		{"misfit", inStatistics(inK, func(s *stats) { s.MinValue = []byte{1, 2} }), nil, "k", "statistics: bound does not fit the type", ""},
		{"misfit of fixed length", inStatistics(inFixed, func(s *stats) { s.MinValue = s.MinValue[:2] }), nil, "fixed", "statistics: bound does not fit the type", ""},
		{"NaN bound", inStatistics(inF, func(s *stats) { s.MaxValue = int64Bytes(-1) }), nil, "f", "statistics: bound is NaN", ""},
		{"nulls", inStatistics(inS, func(s *stats) { *s.NullCount = 13 }), nil, "s", "statistics: 13 nulls, there are 14", ""},
		{"no nulls", inStatistics(inS, func(s *stats) { *s.NullCount = 0 }), nil, "s", "statistics: 0 nulls, there are 14", ""},
		{"only nulls", inStatistics(inS, func(s *stats) { *s.NullCount = 40 }), nil, "s", "statistics: 40 nulls, there are 14", ""},
		{"many nulls", inStatistics(inS, func(s *stats) { *s.NullCount = 41 }), nil, "s", "statistics: 41 nulls, there are 14", ""},
		{"nulls of lists", inStatistics(inTags, func(s *stats) { *s.NullCount = 20 }), nil, tags, "statistics: 20 nulls, there are 30", ""},
		{"NaNs", inStatistics(inF, func(s *stats) { *s.NanCount = 3 }), nil, "f", "statistics: 3 NaNs, there are 4", ""},
		{"many NaNs", inStatistics(inF, func(s *stats) { *s.NanCount = 41 }), nil, "f", "statistics: 41 NaNs, there are 4", ""},
		{"NaNs of integers", inStatistics(inK, func(s *stats) { s.NanCount = ptr(int64(1)) }), nil, "k", "statistics: 1 NaNs, there are 0", ""},
		{"more distinct", inStatistics(inS, func(s *stats) { *s.DistinctCount = 8 }), nil, "s", "statistics: 8 distinct values, there are 7", ""},
		{"fewer distinct", inStatistics(inD, func(s *stats) { *s.DistinctCount = 2 }), nil, "d", "statistics: 2 distinct values, there are 3", ""},
		{"distinct floats", inStatistics(inF, func(s *stats) { *s.DistinctCount = 35 }), nil, "f", "statistics: 35 distinct values, there are 37", ""},

		{"unencoded bytes", size(inS, func(s *wire.SizeStatistics) { *s.UnencodedByteArrayDataBytes++ }), nil, "s", "size_statistics: ", ""},
		{"unencoded bytes of integers", size(inK, func(s *wire.SizeStatistics) { s.UnencodedByteArrayDataBytes = ptr(int64(320)) }), nil, "k", "size_statistics: 320 unencoded bytes, there are 0", ""},
		{"levels without NULL", size(inS, func(s *wire.SizeStatistics) { s.DefinitionLevelHistogram = []int64{0, 40} }), nil, "s", "size_statistics: 0 slots at definition level 0, there are 14", "size_statistics: 40 slots at definition level 1, there are 26"},
		{"levels without empty lists", size(inTags, func(s *wire.SizeStatistics) {
			s.DefinitionLevelHistogram[2] += s.DefinitionLevelHistogram[1]
			s.DefinitionLevelHistogram[1] = 0
		}), nil, tags, "size_statistics: 0 slots at definition level 1, there are 10", "slots at definition level 2"},
		{"levels of rows", size(inTags, func(s *wire.SizeStatistics) { s.RepetitionLevelHistogram[0]-- }), nil, tags, "size_statistics: 39 slots at repetition level 0, there are 40", ""},
		{"too few levels", size(inSku, func(s *wire.SizeStatistics) { s.DefinitionLevelHistogram = s.DefinitionLevelHistogram[1:] }), nil, sku, "size_statistics: a histogram of 4 definition levels, there are 5", ""},

		{"types of geometries", geo(func(g *wire.GeospatialStatistics) { g.GeospatialTypes = []int32{3} }), nil, "place", "geospatial_statistics: geometries of type 3, there are none", "geospatial_statistics: no geometries of type 1, there are some"},
		{"extent", geo(func(g *wire.GeospatialStatistics) { g.Bbox.Ymax = 77 }), nil, "place", "geospatial_statistics: y from 0 to 77, there is 78", ""},
		{"extent around the globe", geo(func(g *wire.GeospatialStatistics) { g.Bbox.Xmin, g.Bbox.Xmax = 38, 1 }), nil, "place", "geospatial_statistics: x from 38 to 1, there is 2", ""},
		{"geometries of integers", inMeta(inK, func(m *meta) { m.GeospatialStatistics = &wire.GeospatialStatistics{} }), nil, "k", "geospatial_statistics of a column of type", ""},
	}
}

func liesOfIndexes() []lie {
	type (
		columns = wire.ColumnIndex
		offsets = wire.OffsetIndex
	)
	const tags = "tags.list.element"
	shifted := func(leaf int, by int64) func(*gen.File) {
		return inOffsetIndex(leaf, func(x *offsets) {
			for _, p := range x.PageLocations[1:] {
				p.FirstRowIndex += by
			}
		})
	}
	return []lie{
		{"page max", inColumnIndex(inK, func(x *columns) { x.MaxValues[1] = int64Bytes(118) }), nil, "k", "column index: max 118, there is 119", ""},
		{"page min", inColumnIndex(inTags, func(x *columns) { x.MinValues[3] = []byte("aa") }), nil, tags, "column index: min aa, there is a", ""},
		{"page nulls", inColumnIndex(inS, func(x *columns) { x.NullCounts[1]-- }), nil, "s", "column index: 2 nulls, there are 3", ""},
		{"page nulls of lists", inColumnIndex(inTags, func(x *columns) { x.NullCounts[1] = 1000 }), nil, tags, "column index: 1000 nulls, there are", ""},
		{"page NaNs", inColumnIndex(inF, func(x *columns) { x.NanCounts[0] = 0 }), nil, "f", "column index: 0 NaNs, there are 1", ""},
		{"a null page", inColumnIndex(inS, func(x *columns) { x.NullCounts, x.NullPages[2] = nil, true }), nil, "s", "column index: no values, there are 7", ""},
		{"no null page", inColumnIndex(inJSON, func(x *columns) { x.NullCounts, x.NullPages[1], x.BoundaryOrder = nil, false, 0 }), nil, "json", "column index: not a null page, it has no values", ""},
		{"order", inColumnIndex(inK, func(x *columns) { x.BoundaryOrder = wire.BoundaryOrder_DESCENDING }), nil, "k", "column index: bounds are said to be DESCENDING, but those of this page and the one before are not", ""},
		{"no order", inColumnIndex(inK, func(x *columns) { x.BoundaryOrder = 9 }), nil, "k", "column index: bounds are said to be order 9, which is no order", ""},
		{"short lists", inColumnIndex(inK, func(x *columns) { x.MaxValues = x.MaxValues[1:] }), nil, "k", "column index: max_values has 3 entries for 4 pages", ""},
		{"page levels without NULL items", inColumnIndex(inTags, func(x *columns) {
			h := x.DefinitionLevelHistograms[4:8]
			h[3], h[2] = h[3]+h[2], 0
			x.NullCounts = nil
		}), nil, tags, "column index: 0 slots at definition level 2, there are", "definition level 3"},
		{"page levels without empty lists", inColumnIndex(inTags, func(x *columns) {
			h := x.DefinitionLevelHistograms[4:8]
			h[2], h[1] = h[2]+h[1], 0
		}), nil, tags, "column index: 0 slots at definition level 1, there are", "definition level 2"},
		{"page levels of rows", inColumnIndex(inTags, func(x *columns) { x.RepetitionLevelHistograms[0]++ }), nil, tags, "column index: 11 slots at repetition level 0, there are 10", ""},

		{"page place", inOffsetIndex(inK, func(x *offsets) { x.PageLocations[3].Offset++; x.PageLocations[3].CompressedPageSize-- }), nil, "k", "offset index: the page is at", ""},
		{"page size", inOffsetIndex(inK, func(x *offsets) { x.PageLocations[1].CompressedPageSize-- }), nil, "k", "offset index: a page of", ""},
		{"first row goes back", inOffsetIndex(inTags, func(x *offsets) { x.PageLocations[1].FirstRowIndex = 0 }), nil, tags, "offset index: page 1 starts with row 0", ""},
		{"first row", inOffsetIndex(inK, func(x *offsets) { x.PageLocations[2].FirstRowIndex++ }), nil, "k", "offset index: 21 rows before this page, there are 20", ""},
		{"first row of lists", inOffsetIndex(inTags, func(x *offsets) { x.PageLocations[2].FirstRowIndex-- }), nil, tags, "offset index: 19 rows before this page, there are 20", ""},
		{"all first rows", shifted(inK, 1), nil, "k", "offset index: 11 rows before this page, there are 10", "rows before this page, there are"},
		{"all first rows of lists", shifted(inTags, -1), nil, tags, "offset index: 9 rows before this page, there are 10", "rows before this page, there are"},
		{"within a row", func(f *gen.File) {
			f.RowGroups[1].Columns[inTags].PageSlots, f.All.PageRows = []int{31}, nil
			for leaf := range f.RowGroups[1].Columns {
				if leaf != inTags {
					f.RowGroups[1].Columns[leaf].PageRows = []int{10}
				}
				f.RowGroups[0].Columns[leaf].PageRows = []int{10}
			}
			inOffsetIndex(inTags, func(*offsets) {})(f)
		}, nil, tags, "offset index: the page starts within a row", ""},
		{"pages", inOffsetIndex(inK, func(x *offsets) { x.PageLocations = x.PageLocations[:3] }), nil, "k", "column index: null_pages has 4 entries for 3 pages", "offset index: 3 pages, there are 4"},
		{"page's unencoded bytes", inOffsetIndex(inS, func(x *offsets) { x.UnencodedByteArrayDataBytes[1]-- }), nil, "s", "offset index: ", "unencoded bytes, there are"},
	}
}

func liesOfPages() []lie {
	type header = wire.PageHeader
	const tags, count = "tags.list.element", "items.list.element.count"
	pageStats := func(leaf, version int, change func(*wire.Statistics)) func(*gen.File) {
		return inHeader(leaf, version, func(h *header) {
			if version == 2 {
				change(h.DataPageHeaderV2.Statistics)
				return
			}
			change(h.DataPageHeader.Statistics)
		})
	}
	v2 := func(leaf int, change func(*wire.DataPageHeaderV2)) func(*gen.File) {
		return inHeader(leaf, 2, func(h *header) { change(h.DataPageHeaderV2) })
	}
	return []lie{
		{"checksum", func(f *gen.File) { f.RowGroups[1].Columns[inK].Shape.CRC = gen.WrongCRC }, nil, "k", "page body: CRC does not match", ""},
		{"min in a header", pageStats(inK, 1, func(s *wire.Statistics) { s.MinValue = int64Bytes(101) }), nil, "k", "page statistics: min 101, there is 100", ""},
		{"nulls in a header", pageStats(inS, 2, func(s *wire.Statistics) { *s.NullCount = 50 }), nil, "s", "page statistics: 50 nulls, there are 14", ""},
		{"NaNs in a header", pageStats(inF, 1, func(s *wire.Statistics) { *s.NanCount = 0 }), nil, "f", "page statistics: 0 NaNs, there are 4", ""},
		{"NULLs of v2", v2(inS, func(h *wire.DataPageHeaderV2) { h.NumNulls = 0 }), nil, "s", "page header: 0 nulls, there are 14", ""},
		{"NULLs of lists in v2", v2(inTags, func(h *wire.DataPageHeaderV2) { h.NumNulls += 3 }), nil, tags, "page header: 33 nulls, there are 30", ""},
		{"rows of v2", v2(inS, func(h *wire.DataPageHeaderV2) { h.NumRows-- }), nil, "s", "page header: 39 rows, there are 40", ""},
		{"values for rows", v2(inTags, func(h *wire.DataPageHeaderV2) { h.NumRows = h.NumValues }), nil, tags, "page header: 70 rows, there are 40", ""},
		{"sorted dictionary", func(f *gen.File) {
			f.RowGroups[1].Columns[inD].DictionaryHeader = func(h *header) { h.DictionaryPageHeader.IsSorted = ptr(true) }
			f.RowGroups[1].Columns[inD].Dictionary = []string{"blue", "red", "green"}
		}, nil, "d", "dictionary: it is said to be sorted, but entry 2, green, is less than red", ""},
		{"fewer entries", func(f *gen.File) {
			f.RowGroups[1].Columns[inD].Dictionary = []string{"blue", "red", "green", "never"}
			f.RowGroups[1].Columns[inD].DictionaryHeader = func(h *header) { h.DictionaryPageHeader.NumValues = 3 }
		}, nil, "d", "dictionary: 9 bytes after its 3 entries", ""},
		{"text", inValues(5, func(r gen.Record) { r["s"] = "\xff\xfe" }), nil, "s", "values: a text that is not UTF-8, in hex fffe", ""},
		{"text in a dictionary", inValues(5, func(r gen.Record) { r["d"] = "gr\xfcn" }), nil, "d", "values: a text that is not UTF-8, in hex 6772fc6e", ""},
		{"text in a list", inValues(3, func(r gen.Record) { r["tags"] = []any{"a", "\x80"} }), nil, tags, "values: a text that is not UTF-8, in hex 80", ""},
		{"text of JSON", inValues(3, func(r gen.Record) { r["json"] = "\"\xc3\"" }), nil, "json", "values: a text that is not UTF-8, in hex 22c322", ""},
		{"text of ENUM", inValues(19, func(r gen.Record) { r["kind"] = "bi\xe9" }), nil, "kind", "values: a text that is not UTF-8, in hex 6269e9", ""},
		{"large decimal", inValues(3, func(r gen.Record) { r["money"] = "\x00\x27\x10" }), nil, "money", "values: 10000 is out of the range of", ""},
		{"small decimal", inValues(3, func(r gen.Record) { r["money"] = "\x80\x00\x00" }), nil, "money", "values: -8388608 is out of the range of", ""},
		{"25 hours", inValues(3, func(r gen.Record) { r["clock"] = 25 * 3600 * 1000 }), nil, "clock", "values: 90000000 is out of the range of", ""},
		{"large byte", func(f *gen.File) {
			f.RowGroups[1].Columns[inSmall].Stats, f.RowGroups[1].Columns[inSmall].Index = gen.NoStats, gen.NoIndex
			inValues(3, func(r gen.Record) { r["small"] = 300 })(f)
		}, nil, "small", "values: 300 is out of the range of", ""},
		{"values of NULL", inValues(3, func(r gen.Record) { r["none"] = int32(7) }), nil, "none", "values: there are 1, but the type says that all are NULL", ""},
		{"lists of two lengths", func(f *gen.File) {
			rows := slices.Clone(f.RowGroups[1].Rows)
			row := maps.Clone(rows[5].(gen.Record))
			rows[5], row["items"] = row, []any{gen.Record{"count": 1}, gen.Record{"count": 1}, gen.Record{"count": 1}}
			data, err := gen.Shred(f.Schema, rows)
			if err != nil {
				panic(err)
			}
			f.RowGroups[1].Columns[inCount].Data = &data[inCount]
		}, nil, count, "levels: NULLs or lists of items", ""},
		{"Bloom filter", func(*gen.File) {}, func(w gen.Written) {
			at := *w.Footer.RowGroups[1].Columns[inK].MetaData.BloomFilterOffset
			clear(w.Bytes[at+64 : at+200])
		}, "k", "Bloom filter: without the value 1", ""},
	}
}

func ptr[T any](v T) *T { return &v }
