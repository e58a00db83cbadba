package cli

import (
	"strconv"
	"strings"

	"github.com/winnow-scan/winnow/internal/cli/table"
	"github.com/winnow-scan/winnow/internal/cli/wirename"
	"github.com/winnow-scan/winnow/scanner"
	"github.com/winnow-scan/winnow/thrift"
)

type chunkRecord struct {
	Kind string `json:"kind"`
	chunkPlace
	Physical     string   `json:"physical_type"`
	Logical      string   `json:"logical_type,omitempty"`
	Encodings    []string `json:"encodings,omitempty"`
	Codec        string   `json:"codec,omitempty"`
	Values       *int64   `json:"values,omitempty"`
	Uncompressed *int64   `json:"uncompressed_size,omitempty"`
	Compressed   *int64   `json:"compressed_size,omitempty"`
	pageOffsets
	FilePath       string           `json:"file_path,omitempty"`
	Encrypted      bool             `json:"encrypted,omitempty"`
	Statistics     *statsRecord     `json:"statistics,omitempty"`
	EncodingStats  []encodingStat   `json:"encoding_stats,omitempty"`
	SizeStatistics *sizeStats       `json:"size_statistics,omitempty"`
	Geospatial     *geospatialStats `json:"geospatial,omitempty"`
	Bloom          *location        `json:"bloom_filter,omitempty"`
	ColumnIndex    *location        `json:"column_index,omitempty"`
	OffsetIndex    *location        `json:"offset_index,omitempty"`
	KeyValues      []keyValue       `json:"key_values,omitempty"`
}

type pageOffsets struct {
	DataPage       *int64 `json:"data_page_offset,omitempty"`
	DictionaryPage *int64 `json:"dictionary_page_offset,omitempty"`
	IndexPage      *int64 `json:"index_page_offset,omitempty"`
}

// chunkPlace is the start of records about a column chunk.
type chunkPlace struct {
	File     string `json:"file"`
	RowGroup int    `json:"row_group"`
	Column   int    `json:"column"` // the ordinal of the leaf
	Path     string `json:"path"`
}

func placeOf(f *input, c *scanner.Chunk) chunkPlace {
	return chunkPlace{f.Name(), c.RowGroup, c.Leaf.FirstLeaf, c.Leaf.String()}
}

type location struct {
	Offset int64  `json:"offset"`
	Length *int32 `json:"length,omitempty"`
}

type encodingStat struct {
	Page     string `json:"page"`
	Encoding string `json:"encoding"`
	Count    int32  `json:"count"`
}

type sizeStats struct {
	UnencodedBytes *int64  `json:"unencoded_byte_array_bytes,omitempty"`
	Repetition     []int64 `json:"repetition_level_histogram,omitempty"`
	Definition     []int64 `json:"definition_level_histogram,omitempty"`
}

type geospatialStats struct {
	X     []float64 `json:"x,omitempty"`
	Y     []float64 `json:"y,omitempty"`
	Z     []float64 `json:"z,omitempty"`
	M     []float64 `json:"m,omitempty"`
	Types []int32   `json:"types,omitempty"`
}

func (f *input) chunkRecord(c *scanner.Chunk) chunkRecord {
	rec := chunkRecord{
		Kind: "chunk", chunkPlace: placeOf(f, c),
		Physical: c.Leaf.Type.Physical.String(), Logical: c.Leaf.Type.Annotation(),
		FilePath: c.FilePath, Encrypted: c.Encrypted(),
		ColumnIndex: locationOf(c.HasColumnIndex, c.ColumnIndexOffset, true, c.ColumnIndexLength),
		OffsetIndex: locationOf(c.HasOffsetIndex, c.OffsetIndexOffset, true, c.OffsetIndexLength),
	}
	if !c.HasMeta {
		return rec
	}
	m := &c.Meta
	rec.Encodings, rec.Codec = encodingNames(m.Encodings), wirename.Codec(m.Codec)
	rec.Values, rec.Uncompressed, rec.Compressed = &m.NumValues, &m.UncompressedSize, &m.CompressedSize
	rec.pageOffsets = pageOffsets{
		&m.DataPageOffset, optional(m.HasDictionaryOffset, m.DictionaryOffset), optional(m.HasIndexPageOffset, m.IndexPageOffset),
	}
	rec.Bloom = locationOf(m.HasBloomFilter, m.BloomFilterOffset, m.HasBloomLength, m.BloomFilterLength)
	if m.HasStatistics {
		rec.Statistics = f.bounds(c).record(&m.Statistics, m.NumValues)
	}
	for _, s := range m.EncodingStats {
		rec.EncodingStats = append(rec.EncodingStats, encodingStat{wirename.PageType(s.PageType), wirename.Encoding(s.Encoding), s.Count})
	}
	if m.HasSizeStatistics {
		s := &m.SizeStatistics
		rec.SizeStatistics = &sizeStats{optional(s.HasUnencodedBytes, s.UnencodedBytes), s.RepetitionHistogram, s.DefinitionHistogram}
	}
	if m.HasGeospatial {
		rec.Geospatial = geospatialRecord(&m.Geospatial)
	}
	if keyValues, err := m.KeyValues.Append(nil); err == nil && len(keyValues) > 0 {
		rec.KeyValues = keyValueRecords(keyValues)
	}
	return rec
}

func locationOf(has bool, offset int64, hasLength bool, length int32) *location {
	if !has {
		return nil
	}
	return &location{offset, optional(hasLength, length)}
}

func geospatialRecord(g *thrift.GeospatialStatistics) *geospatialStats {
	rec := &geospatialStats{Types: g.Types}
	interval := func(has bool, low, high float64) []float64 {
		if !has || low != low || high != high || low-low != 0 || high-high != 0 { // JSON has no NaN and no infinity
			return nil
		}
		return []float64{low, high}
	}
	b := &g.Box
	rec.X, rec.Y = interval(g.HasBox, b.XMin, b.XMax), interval(g.HasBox, b.YMin, b.YMax)
	rec.Z = interval(g.HasBox && b.HasZMin && b.HasZMax, b.ZMin, b.ZMax)
	rec.M = interval(g.HasBox && b.HasMMin && b.HasMMax, b.MMin, b.MMax)
	return rec
}

func (f *input) chunkTable(chunks []*scanner.Chunk) *table.Table {
	t := &table.Table{Indent: "  ", Columns: []table.Column{
		{Title: "#", Right: true}, {Title: "column", MinWidth: 16, CutFront: true}, {Title: "type", MinWidth: 12}, {Title: "codec", Optional: true},
		{Title: "encodings", MinWidth: 10, Optional: true}, {Title: "values", Right: true, Optional: true}, {Title: "nulls", Right: true}, {Title: "NaNs", Right: true, Optional: true},
		{Title: "distinct", Right: true, Optional: true}, {Title: "compressed", Right: true}, {Title: "ratio", Right: true, Optional: true},
		{Title: "offset", Right: true, Optional: true}, {Title: "min", MinWidth: 11}, {Title: "max", MinWidth: 11}, {Title: "has", Optional: true},
	}}
	for _, c := range chunks {
		ordinal := strconv.Itoa(c.Leaf.FirstLeaf)
		typ := shortType(c)
		if c.Encrypted() || !c.HasMeta {
			what := "no metadata"
			if c.Encrypted() {
				what = "encrypted"
			}
			t.Add(ordinal, c.Leaf.String(), table.Cyan.Cell(typ), table.Red.Cell(what), "", "", "", "", "", "", "", "", "", "", "")
			continue
		}
		m := &c.Meta
		s := &m.Statistics
		low, high := f.bounds(c).cells(s, m.NumValues)
		t.Add(ordinal, c.Leaf.String(), table.Cyan.Cell(typ), wirename.Codec(m.Codec), shortEncodings(m.Encodings, c.Leaf.Type.Physical),
			table.Number(m.NumValues), table.NumberIf(s.HasNullCount, s.NullCount), table.NumberIf(s.HasNaNCount, s.NaNCount),
			table.NumberIf(s.HasDistinctCount, s.DistinctCount), table.Size(m.CompressedSize), ratioOf(m.Codec, m.UncompressedSize, m.CompressedSize),
			strconv.FormatInt(m.DataPageOffset, 10), low, high, extras(c))
	}
	return t
}

// shortType is the logical type, or the physical one where that is all.
func shortType(c *scanner.Chunk) string {
	t := c.Leaf.Type
	if a := t.Annotation(); a != "" {
		return a
	}
	return t.String()
}

// extras returns a letter for each structure that a chunk has besides its pages:
// see the help of meta.
func extras(c *scanner.Chunk) string {
	var s []string
	for _, e := range []struct {
		has  bool
		name string
	}{{c.Meta.HasBloomFilter, "B"}, {c.HasColumnIndex, "C"}, {c.HasOffsetIndex, "O"}, {c.Meta.HasSizeStatistics, "S"}} {
		if e.has {
			s = append(s, e.name)
		}
	}
	return strings.Join(s, "")
}
