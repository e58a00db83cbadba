package thrift

import (
	"math"
	"strings"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// The functions of this file make structs in which every field is set, and
// differently so.

func fullStatistics() *wire.Statistics {
	yes, no := true, false
	return &wire.Statistics{Min: []byte("a"), Max: []byte("bb"), MinValue: []byte{}, MaxValue: []byte("dddd"),
		NullCount: ptr(int64(0)), DistinctCount: ptr(int64(1 << 40)), NanCount: ptr(int64(-1)),
		IsMinValueExact: &yes, IsMaxValueExact: &no}
}

func pageHeaders() []*wire.PageHeader {
	yes := true
	v1 := &wire.DataPageHeader{NumValues: 1, Encoding: 8, DefinitionLevelEncoding: 3, RepetitionLevelEncoding: 4, Statistics: fullStatistics()}
	dictionary := &wire.DictionaryPageHeader{NumValues: 300, Encoding: wire.Encoding_PLAIN, IsSorted: &yes}
	v2 := &wire.DataPageHeaderV2{NumValues: 70000, NumNulls: 2, NumRows: 3, Encoding: wire.Encoding_ALP,
		DefinitionLevelsByteLength: 5, RepetitionLevelsByteLength: 6, IsCompressed: false, Statistics: fullStatistics()}
	head := func(t wire.PageType) *wire.PageHeader {
		return &wire.PageHeader{Type: t, UncompressedPageSize: math.MaxInt32, CompressedPageSize: 100}
	}
	var all []*wire.PageHeader
	for range 8 {
		all = append(all, head(wire.PageType_DATA_PAGE))
	}
	all[0].DataPageHeader = v1
	all[1].Type, all[1].DictionaryPageHeader, all[1].Crc = wire.PageType_DICTIONARY_PAGE, dictionary, ptr(int32(-5))
	all[2].Type, all[2].DataPageHeaderV2 = wire.PageType_DATA_PAGE_V2, v2
	all[3].Type, all[3].IndexPageHeader = wire.PageType_INDEX_PAGE, &wire.IndexPageHeader{}
	all[4].Type = 99
	// Parts of all types at once: that of the page's own type counts.
	for i, t := range []wire.PageType{wire.PageType_DATA_PAGE, wire.PageType_DICTIONARY_PAGE} {
		h := all[5+i]
		h.Type, h.DataPageHeader, h.DictionaryPageHeader, h.DataPageHeaderV2 = t, v1, dictionary, v2
	}
	all[7].DataPageHeader = &wire.DataPageHeader{NumValues: 20000, Encoding: 8, DefinitionLevelEncoding: 3, RepetitionLevelEncoding: 3}
	return all
}

func columnIndex(pages int) *wire.ColumnIndex {
	x := &wire.ColumnIndex{BoundaryOrder: wire.BoundaryOrder_DESCENDING}
	for i := range pages {
		x.NullPages = append(x.NullPages, i%3 == 0)
		x.MinValues = append(x.MinValues, []byte{byte(i), 2, 3, 4}[:i%5])
		x.MaxValues = append(x.MaxValues, []byte{byte(i), 9, 9, 9, 9, 9, 9, 9}[:i%9])
		x.NullCounts = append(x.NullCounts, int64(i)<<(i%60))
		x.NanCounts = append(x.NanCounts, int64(-i))
		x.RepetitionLevelHistograms = append(x.RepetitionLevelHistograms, 1, int64(i)*1000)
		x.DefinitionLevelHistograms = append(x.DefinitionLevelHistograms, 2, int64(i)*100, 4)
	}
	return x
}

func offsetIndex(pages int) *wire.OffsetIndex {
	x := &wire.OffsetIndex{}
	for i := range pages {
		x.PageLocations = append(x.PageLocations, &wire.PageLocation{
			Offset: int64(i) << (i % 60), CompressedPageSize: int32(i) * 1001, FirstRowIndex: int64(i) * 20000})
		x.UnencodedByteArrayDataBytes = append(x.UnencodedByteArrayDataBytes, int64(i)*7)
	}
	return x
}

func bloomFilterHeader() *wire.BloomFilterHeader {
	return &wire.BloomFilterHeader{NumBytes: 1 << 20,
		Algorithm:   &wire.BloomFilterAlgorithm{BLOCK: &wire.SplitBlockAlgorithm{}},
		Hash:        &wire.BloomFilterHash{XXHASH: &wire.XxHash{}},
		Compression: &wire.BloomFilterCompression{UNCOMPRESSED: &wire.Uncompressed{}}}
}

//every:logical footer test
func logicalTypes() []*wire.LogicalType {
	unit := func(i int) *wire.TimeUnit {
		return []*wire.TimeUnit{{MILLIS: &wire.MilliSeconds{}}, {MICROS: &wire.MicroSeconds{}}, {NANOS: &wire.NanoSeconds{}}}[i]
	}
	karney := wire.EdgeInterpolationAlgorithm_KARNEY
	return []*wire.LogicalType{
		{STRING: &wire.StringType{}}, {MAP: &wire.MapType{}}, {LIST: &wire.ListType{}}, {ENUM: &wire.EnumType{}},
		{DECIMAL: &wire.DecimalType{Scale: -3, Precision: 38}}, {DATE: &wire.DateType{}},
		{TIME: &wire.TimeType{IsAdjustedToUTC: true, Unit: unit(0)}}, {TIME: &wire.TimeType{Unit: unit(1)}},
		{TIMESTAMP: &wire.TimestampType{Unit: unit(2)}}, {TIMESTAMP: &wire.TimestampType{IsAdjustedToUTC: true, Unit: unit(1)}},
		{INTEGER: &wire.IntType{BitWidth: 64, IsSigned: true}}, {INTEGER: &wire.IntType{BitWidth: -8}},
		{UNKNOWN: &wire.NullType{}}, {JSON: &wire.JsonType{}}, {BSON: &wire.BsonType{}}, {UUID: &wire.UUIDType{}},
		{FLOAT16: &wire.Float16Type{}}, {VARIANT: &wire.VariantType{}}, {VARIANT: &wire.VariantType{SpecificationVersion: ptr(int8(1))}},
		{GEOMETRY: &wire.GeometryType{Crs: ptr("EPSG:1")}}, {GEOMETRY: &wire.GeometryType{}},
		{GEOGRAPHY: &wire.GeographyType{Crs: ptr("srid:4326"), Algorithm: &karney}}, {FILE: &wire.FileType{}},
	}
}

// fullFooter has every field of every struct below FileMetaData.
func fullFooter() *wire.FileMetaData {
	m := wideFooter(3, 2)
	for i, t := range logicalTypes() {
		n := int32(i)
		m.Schema = append(m.Schema, &wire.SchemaElement{Name: strings.Repeat("n", i), LogicalType: t, Type: ptr(wire.Type(i)),
			TypeLength: ptr(n + 1), RepetitionType: ptr(wire.FieldRepetitionType(i)), NumChildren: ptr(n + 3),
			ConvertedType: ptr(wire.ConvertedType(i)), Scale: ptr(n + 5), Precision: ptr(n + 6), FieldID: ptr(-n)})
	}
	m.KeyValueMetadata = []*wire.KeyValue{{Key: "a", Value: ptr("b")}, {Key: "", Value: nil}, {Key: "c", Value: ptr("")}}
	m.ColumnOrders = append(m.ColumnOrders, &wire.ColumnOrder{IEEE_754_TOTAL_ORDER: &wire.IEEE754TotalOrder{}},
		&wire.ColumnOrder{INT96_TIMESTAMP_ORDER: &wire.Int96TimestampOrder{}})
	yes := true
	m.EncryptionAlgorithm = &wire.EncryptionAlgorithm{AES_GCM_CTR_V1: &wire.AesGcmCtrV1{
		AadPrefix: []byte("p"), AadFileUnique: []byte("u"), SupplyAadPrefix: &yes}}
	m.FooterSigningKeyMetadata = []byte{}
	g := m.RowGroups[0]
	g.TotalCompressedSize = ptr(int64(-1))
	g.Ordinal = ptr(int16(math.MinInt16))
	g.SortingColumns = []*wire.SortingColumn{{ColumnIdx: 2, Descending: true}, {ColumnIdx: -1, NullsFirst: true}}
	noPath := fullChunk()
	noPath.MetaData.PathInSchema = nil
	g.Columns = append(g.Columns, fullChunk(), noPath, &wire.ColumnChunk{FilePath: ptr(""), FileOffset: -1,
		CryptoMetadata:          &wire.ColumnCryptoMetaData{ENCRYPTION_WITH_FOOTER_KEY: &wire.EncryptionWithFooterKey{}},
		EncryptedColumnMetadata: []byte("sealed")})
	return m
}

func fullChunk() *wire.ColumnChunk {
	statistics := fullStatistics()
	statistics.DistinctCount = ptr(int64(math.MaxInt64))
	z, inf, nan := 0.0, math.Inf(1), math.NaN()
	return &wire.ColumnChunk{FilePath: ptr("other.parquet"), FileOffset: math.MinInt64,
		OffsetIndexOffset: ptr(int64(1)), OffsetIndexLength: ptr(int32(2)), ColumnIndexOffset: ptr(int64(3)), ColumnIndexLength: ptr(int32(-4)),
		CryptoMetadata: &wire.ColumnCryptoMetaData{ENCRYPTION_WITH_COLUMN_KEY: &wire.EncryptionWithColumnKey{
			PathInSchema: []string{"a", "b"}, KeyMetadata: []byte("key")}},
		MetaData: &wire.ColumnMetaData{Type: wire.Type_INT96, Codec: 77, NumValues: 5, PathInSchema: []string{"a", "list", "element"},
			Encodings: []wire.Encoding{0, 8, 99}, TotalUncompressedSize: 6, TotalCompressedSize: 7,
			KeyValueMetadata: []*wire.KeyValue{{Key: "k"}}, DataPageOffset: 8, IndexPageOffset: ptr(int64(9)), DictionaryPageOffset: ptr(int64(0)),
			Statistics: statistics, EncodingStats: []*wire.PageEncodingStats{{PageType: 1, Encoding: 2, Count: 3}},
			BloomFilterOffset: ptr(int64(10)), BloomFilterLength: ptr(int32(11)),
			SizeStatistics: &wire.SizeStatistics{UnencodedByteArrayDataBytes: ptr(int64(12)),
				RepetitionLevelHistogram: []int64{1, 2}, DefinitionLevelHistogram: []int64{3, 4, 5}},
			GeospatialStatistics: &wire.GeospatialStatistics{GeospatialTypes: []int32{1, 3007}, Bbox: &wire.BoundingBox{
				Xmin: -1.5, Xmax: inf, Ymin: math.Copysign(0, -1), Ymax: 4, Zmin: &z, Zmax: &inf, Mmin: &nan, Mmax: &nan}},
		}}
}
