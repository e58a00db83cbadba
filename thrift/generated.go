package thrift

import (
	"reflect"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// The functions of this file turn what generated code read into what the lean readers must
// have read. They share no code with the readers.

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func flagOf(p *bool) Flag {
	switch {
	case p == nil:
		return Absent
	case *p:
		return True
	}
	return False
}

// each returns what of makes of each element of a list.
func each[W, L any](list []W, of func(W) L) (all []L) {
	for _, w := range list {
		all = append(all, of(w))
	}
	return all
}

// armOf returns the arm of a generated union, whose fields are the arms in the
// order of their ids. Unknown arms look like none.
func armOf[U any](union *U) Arm {
	v := reflect.ValueOf(union).Elem()
	arm, set := Ambiguous, 0
	for i := range v.NumField() {
		if !v.Field(i).IsNil() {
			arm = Arm(i + 1)
			set++
		}
	}
	if set != 1 {
		return Ambiguous
	}
	return arm
}

func statisticsOf(s *wire.Statistics) Statistics {
	if s == nil {
		return Statistics{}
	}
	return Statistics{
		Min: s.Min, Max: s.Max, MinValue: s.MinValue, MaxValue: s.MaxValue,
		MinExact: flagOf(s.IsMinValueExact), MaxExact: flagOf(s.IsMaxValueExact),
		HasNullCount: s.NullCount != nil, NullCount: value(s.NullCount),
		HasDistinctCount: s.DistinctCount != nil, DistinctCount: value(s.DistinctCount),
		HasNaNCount: s.NanCount != nil, NaNCount: value(s.NanCount),
	}
}

func pageHeaderOf(w *wire.PageHeader) PageHeader {
	h := PageHeader{Type: PageType(w.Type), UncompressedSize: w.UncompressedPageSize, CompressedSize: w.CompressedPageSize,
		HasCRC: w.Crc != nil, CRC: uint32(value(w.Crc)), IsCompressed: true}
	var s *wire.Statistics
	switch w.Type {
	case wire.PageType_DATA_PAGE:
		d := w.DataPageHeader
		h.NumValues, h.Encoding = d.NumValues, Encoding(d.Encoding)
		h.DefinitionEncoding, h.RepetitionEncoding = Encoding(d.DefinitionLevelEncoding), Encoding(d.RepetitionLevelEncoding)
		s = d.Statistics
	case wire.PageType_DICTIONARY_PAGE:
		d := w.DictionaryPageHeader
		h.NumValues, h.Encoding, h.IsSorted = d.NumValues, Encoding(d.Encoding), flagOf(d.IsSorted)
	case wire.PageType_DATA_PAGE_V2:
		d := w.DataPageHeaderV2
		h.NumValues, h.NumNulls, h.NumRows, h.Encoding = d.NumValues, d.NumNulls, d.NumRows, Encoding(d.Encoding)
		h.DefinitionLength, h.RepetitionLength = d.DefinitionLevelsByteLength, d.RepetitionLevelsByteLength
		h.IsCompressed = d.IsCompressed
		s = d.Statistics
	}
	h.HasStatistics, h.Statistics = s != nil, statisticsOf(s)
	return h
}

func columnIndexOf(w *wire.ColumnIndex) ColumnIndex {
	return ColumnIndex{NullPages: w.NullPages, MinValues: w.MinValues, MaxValues: w.MaxValues,
		BoundaryOrder: BoundaryOrder(w.BoundaryOrder), NullCounts: w.NullCounts, NaNCounts: w.NanCounts,
		RepetitionHistograms: w.RepetitionLevelHistograms, DefinitionHistograms: w.DefinitionLevelHistograms}
}

func offsetIndexOf(w *wire.OffsetIndex) OffsetIndex {
	return OffsetIndex{UnencodedBytes: w.UnencodedByteArrayDataBytes,
		Pages: each(w.PageLocations, func(p *wire.PageLocation) PageLocation {
			return PageLocation{Offset: p.Offset, FirstRow: p.FirstRowIndex, CompressedSize: p.CompressedPageSize}
		})}
}

func bloomFilterHeaderOf(w *wire.BloomFilterHeader) BloomFilterHeader {
	return BloomFilterHeader{NumBytes: w.NumBytes, Algorithm: armOf(w.Algorithm), Hash: armOf(w.Hash), Compression: armOf(w.Compression)}
}

func schemaElementOf(w *wire.SchemaElement) SchemaElement {
	e := SchemaElement{Name: w.Name,
		Type: Type(value(w.Type)), HasType: w.Type != nil,
		Repetition: Repetition(value(w.RepetitionType)), HasRepetition: w.RepetitionType != nil,
		Converted: ConvertedType(value(w.ConvertedType)), HasConverted: w.ConvertedType != nil,
		TypeLength: value(w.TypeLength), HasTypeLength: w.TypeLength != nil,
		NumChildren: value(w.NumChildren), HasNumChildren: w.NumChildren != nil,
		Scale: value(w.Scale), HasScale: w.Scale != nil,
		Precision: value(w.Precision), HasPrecision: w.Precision != nil,
		FieldID: value(w.FieldID), HasFieldID: w.FieldID != nil}
	l := w.LogicalType
	if l == nil {
		return e
	}
	t := &e.Logical
	if t.Kind = armOf(l); t.Kind >= 9 {
		t.Kind++ // there is no arm 9
	}
	switch t.Kind {
	case LogicalDecimal:
		t.Scale, t.Precision = l.DECIMAL.Scale, l.DECIMAL.Precision
	case LogicalTime:
		t.AdjustedToUTC, t.Unit = l.TIME.IsAdjustedToUTC, armOf(l.TIME.Unit)
	case LogicalTimestamp:
		t.AdjustedToUTC, t.Unit = l.TIMESTAMP.IsAdjustedToUTC, armOf(l.TIMESTAMP.Unit)
	case LogicalInteger:
		t.BitWidth, t.Signed = l.INTEGER.BitWidth, l.INTEGER.IsSigned
	case LogicalVariant:
		t.Version = value(l.VARIANT.SpecificationVersion)
	case LogicalGeometry:
		t.CRS = value(l.GEOMETRY.Crs)
	case LogicalGeography:
		t.CRS, t.Edges = value(l.GEOGRAPHY.Crs), EdgeInterpolation(value(l.GEOGRAPHY.Algorithm))
	}
	return e
}

func columnChunkOf(w *wire.ColumnChunk) ColumnChunk {
	c := ColumnChunk{HasFilePath: w.FilePath != nil, FilePath: value(w.FilePath), FileOffset: w.FileOffset,
		HasMeta:        w.MetaData != nil,
		HasOffsetIndex: w.OffsetIndexOffset != nil, OffsetIndexOffset: value(w.OffsetIndexOffset), OffsetIndexLength: value(w.OffsetIndexLength),
		HasColumnIndex: w.ColumnIndexOffset != nil, ColumnIndexOffset: value(w.ColumnIndexOffset), ColumnIndexLength: value(w.ColumnIndexLength),
		EncryptedMeta: w.EncryptedColumnMetadata}
	if y := w.CryptoMetadata; y != nil {
		c.Crypto.Kind = armOf(y)
		if k := y.ENCRYPTION_WITH_COLUMN_KEY; k != nil {
			c.Crypto.Path, c.Crypto.KeyMetadata = k.PathInSchema, k.KeyMetadata
		}
	}
	if w.MetaData != nil {
		c.Meta = columnMetaDataOf(w.MetaData)
	}
	return c
}

func columnMetaDataOf(w *wire.ColumnMetaData) ColumnMetaData {
	m := ColumnMetaData{Type: Type(w.Type), Codec: Codec(w.Codec), Path: w.PathInSchema, NumValues: w.NumValues,
		UncompressedSize: w.TotalUncompressedSize, CompressedSize: w.TotalCompressedSize, DataPageOffset: w.DataPageOffset,
		HasIndexPageOffset: w.IndexPageOffset != nil, IndexPageOffset: value(w.IndexPageOffset),
		HasDictionaryOffset: w.DictionaryPageOffset != nil, DictionaryOffset: value(w.DictionaryPageOffset),
		HasBloomFilter: w.BloomFilterOffset != nil, BloomFilterOffset: value(w.BloomFilterOffset),
		HasBloomLength: w.BloomFilterLength != nil, BloomFilterLength: value(w.BloomFilterLength),
		HasStatistics: w.Statistics != nil, Statistics: statisticsOf(w.Statistics),
		Encodings: each(w.Encodings, func(e wire.Encoding) Encoding { return Encoding(e) }),
		EncodingStats: each(w.EncodingStats, func(s *wire.PageEncodingStats) PageEncodingStats {
			return PageEncodingStats{PageType: PageType(s.PageType), Encoding: Encoding(s.Encoding), Count: s.Count}
		})}
	if s := w.SizeStatistics; s != nil {
		m.HasSizeStatistics = true
		m.SizeStatistics = SizeStatistics{HasUnencodedBytes: s.UnencodedByteArrayDataBytes != nil, UnencodedBytes: value(s.UnencodedByteArrayDataBytes),
			RepetitionHistogram: s.RepetitionLevelHistogram, DefinitionHistogram: s.DefinitionLevelHistogram}
	}
	if g := w.GeospatialStatistics; g != nil {
		m.HasGeospatial = true
		m.Geospatial.Types = g.GeospatialTypes
		if x := g.Bbox; x != nil {
			m.Geospatial.HasBox = true
			m.Geospatial.Box = BoundingBox{XMin: x.Xmin, XMax: x.Xmax, YMin: x.Ymin, YMax: x.Ymax,
				ZMin: value(x.Zmin), ZMax: value(x.Zmax), MMin: value(x.Mmin), MMax: value(x.Mmax),
				HasZMin: x.Zmin != nil, HasZMax: x.Zmax != nil, HasMMin: x.Mmin != nil, HasMMax: x.Mmax != nil}
		}
	}
	return m
}

func keyValueOf(w *wire.KeyValue) KeyValue {
	return KeyValue{Key: w.Key, Value: value(w.Value), HasValue: w.Value != nil}
}

func rowGroupOf(w *wire.RowGroup) RowGroup {
	return RowGroup{NumRows: w.NumRows, TotalByteSize: w.TotalByteSize, NumColumns: len(w.Columns),
		HasFileOffset: w.FileOffset != nil, FileOffset: value(w.FileOffset),
		HasTotalCompressedSize: w.TotalCompressedSize != nil, TotalCompressedSize: value(w.TotalCompressedSize),
		HasOrdinal: w.Ordinal != nil, Ordinal: value(w.Ordinal),
		Sorting: each(w.SortingColumns, func(s *wire.SortingColumn) SortingColumn {
			return SortingColumn{Column: s.ColumnIdx, Descending: s.Descending, NullsFirst: s.NullsFirst}
		})}
}

func footerOf(w *wire.FileMetaData) Footer {
	f := Footer{Version: w.Version, NumRows: w.NumRows, CreatedBy: value(w.CreatedBy),
		SigningKey: w.FooterSigningKeyMetadata, HasSigningKey: w.FooterSigningKeyMetadata != nil,
		Schema: each(w.Schema, schemaElementOf), RowGroups: each(w.RowGroups, rowGroupOf),
		ColumnOrders: each(w.ColumnOrders, armOf[wire.ColumnOrder])}
	if x := w.EncryptionAlgorithm; x != nil {
		f.Encryption = armOf(x)
		if g := x.AES_GCM_V1; f.Encryption == 1 {
			f.AAD = AAD{g.AadPrefix, g.AadFileUnique, value(g.SupplyAadPrefix)}
		}
		if g := x.AES_GCM_CTR_V1; f.Encryption == 2 {
			f.AAD = AAD{g.AadPrefix, g.AadFileUnique, value(g.SupplyAadPrefix)}
		}
	}
	return f
}
