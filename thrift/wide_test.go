package thrift

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// encode writes s as the Thrift library does.
func encode(tb testing.TB, s apache.TStruct) []byte {
	tb.Helper()
	buffer := apache.NewTMemoryBuffer()
	if err := s.Write(context.Background(), apache.NewTCompactProtocolConf(buffer, nil)); err != nil {
		tb.Fatal(err)
	}
	return buffer.Bytes()
}

// wideFooter is the footer of a file as common writers make them: statistics,
// encoding stats and page index for each chunk, of integers, floats and strings.
func wideFooter(columns, groups int) *wire.FileMetaData {
	version := "parquet-cpp-arrow version 21.0.0"
	m := &wire.FileMetaData{Version: 2, NumRows: int64(groups) * 1000, CreatedBy: &version}
	n := int32(columns)
	m.Schema = append(m.Schema, &wire.SchemaElement{Name: "schema", NumChildren: &n,
		RepetitionType: ptr(wire.FieldRepetitionType_REQUIRED)})
	for c := range columns {
		e := &wire.SchemaElement{Name: fmt.Sprintf("column_%05d", c), RepetitionType: ptr(wire.FieldRepetitionType_OPTIONAL)}
		switch c % 3 {
		case 0:
			e.Type = ptr(wire.Type_INT64)
		case 1:
			e.Type = ptr(wire.Type_DOUBLE)
		default:
			e.Type = ptr(wire.Type_BYTE_ARRAY)
			e.ConvertedType = ptr(wire.ConvertedType_UTF8)
			e.LogicalType = &wire.LogicalType{STRING: &wire.StringType{}}
		}
		m.Schema = append(m.Schema, e)
		m.ColumnOrders = append(m.ColumnOrders, &wire.ColumnOrder{TYPE_ORDER: &wire.TypeDefinedOrder{}})
	}
	offset := int64(4)
	for g := range groups {
		rg := &wire.RowGroup{NumRows: 1000, TotalByteSize: 9000 * int64(columns), FileOffset: ptr(offset), Ordinal: ptr(int16(g))}
		for c := range columns {
			rg.Columns = append(rg.Columns, wideChunk(m.Schema[c+1], c, offset))
			offset += 9000
		}
		m.RowGroups = append(m.RowGroups, rg)
	}
	return m
}

func wideChunk(e *wire.SchemaElement, c int, offset int64) *wire.ColumnChunk {
	low, high := make([]byte, 8), make([]byte, 8)
	binary.LittleEndian.PutUint64(low, uint64(c))
	binary.LittleEndian.PutUint64(high, uint64(offset))
	if *e.Type == wire.Type_BYTE_ARRAY {
		low, high = []byte("a string of some length"), []byte("some other string, it is longer")
	}
	exact := true
	return &wire.ColumnChunk{
		FileOffset:        offset,
		OffsetIndexOffset: ptr(offset * 2), OffsetIndexLength: ptr(int32(11)),
		ColumnIndexOffset: ptr(offset * 3), ColumnIndexLength: ptr(int32(50)),
		MetaData: &wire.ColumnMetaData{
			Type: *e.Type, Codec: wire.CompressionCodec_SNAPPY, NumValues: 1000, PathInSchema: []string{e.Name},
			Encodings:             []wire.Encoding{wire.Encoding_PLAIN, wire.Encoding_RLE, wire.Encoding_RLE_DICTIONARY},
			TotalUncompressedSize: 9700, TotalCompressedSize: 9000,
			DataPageOffset: offset + 4000, DictionaryPageOffset: ptr(offset),
			Statistics: &wire.Statistics{NullCount: ptr(int64(c)), MinValue: low, MaxValue: high,
				IsMinValueExact: &exact, IsMaxValueExact: &exact},
			EncodingStats: []*wire.PageEncodingStats{
				{PageType: wire.PageType_DICTIONARY_PAGE, Encoding: wire.Encoding_PLAIN, Count: 1},
				{PageType: wire.PageType_DATA_PAGE, Encoding: wire.Encoding_RLE_DICTIONARY, Count: 1}},
			SizeStatistics: &wire.SizeStatistics{DefinitionLevelHistogram: []int64{int64(c), 1000 - int64(c)}},
		},
	}
}

func ptr[T any](v T) *T { return &v }

// pageIndex is the page index of a chunk as common writers make it.
func pageIndex(pages int) (*wire.ColumnIndex, *wire.OffsetIndex) {
	x, o := &wire.ColumnIndex{BoundaryOrder: wire.BoundaryOrder_ASCENDING}, &wire.OffsetIndex{}
	at := int64(1 << 30)
	for i := range pages {
		low, high := make([]byte, 8), make([]byte, 8)
		binary.LittleEndian.PutUint64(low, uint64(i)*20000)
		binary.LittleEndian.PutUint64(high, uint64(i)*20000+19999)
		x.NullPages = append(x.NullPages, false)
		x.MinValues, x.MaxValues = append(x.MinValues, low), append(x.MaxValues, high)
		x.NullCounts = append(x.NullCounts, int64(i%3))
		x.DefinitionLevelHistograms = append(x.DefinitionLevelHistograms, int64(i%3), 20000-int64(i%3))
		size := int32(14000 + i*7919%5000)
		o.PageLocations = append(o.PageLocations, &wire.PageLocation{Offset: at, CompressedPageSize: size, FirstRowIndex: int64(i) * 20000})
		at += int64(size)
	}
	return x, o
}
