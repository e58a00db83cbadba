package gen

import (
	"encoding/binary"
	"fmt"

	"github.com/winnow-scan/winnow/thrift/wire"
)

// Wide returns a file that is all footer: columns × rowGroups column chunks
// with full metadata and no pages behind it. It is made for tests and
// benchmarks of footers, and fast: the chunks' offsets are made up but
// plausible. Of each four columns, one is INT32, one DOUBLE, one a string and
// one INT64.
func Wide(columns, rowGroups int) ([]byte, error) {
	m := WideFooter(columns, rowGroups)
	footer, err := Thrift(m)
	if err != nil {
		return nil, err
	}
	out := append([]byte("PAR1"), footer...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(footer)))
	return append(out, "PAR1"...), nil
}

// WideFooter returns the footer of Wide.
func WideFooter(columns, rowGroups int) *wire.FileMetaData {
	const rows = 10_000
	types := []wire.Type{wire.Type_INT32, wire.Type_DOUBLE, wire.Type_BYTE_ARRAY, wire.Type_INT64}
	width := []int{4, 8, 7, 8}
	count, by := int32(columns), "winnow gen"
	m := &wire.FileMetaData{
		Version: 2, NumRows: int64(rowGroups) * rows, CreatedBy: &by,
		Schema:       []*wire.SchemaElement{{Name: "schema", NumChildren: &count}},
		RowGroups:    make([]*wire.RowGroup, rowGroups),
		ColumnOrders: make([]*wire.ColumnOrder, columns),
	}
	optional, utf8 := wire.FieldRepetitionType_OPTIONAL, wire.ConvertedType_UTF8
	for i := range columns {
		e := &wire.SchemaElement{Name: wideName(i), Type: &types[i%4], RepetitionType: &optional}
		if types[i%4] == wire.Type_BYTE_ARRAY {
			e.ConvertedType, e.LogicalType = &utf8, StringType().thrift()
		}
		m.Schema = append(m.Schema, e)
		m.ColumnOrders[i] = TypeOrder.thrift()
	}
	encodings := []wire.Encoding{wire.Encoding_PLAIN, wire.Encoding_RLE, wire.Encoding_RLE_DICTIONARY}
	encodingStats := []*wire.PageEncodingStats{
		{PageType: wire.PageType_DICTIONARY_PAGE, Encoding: wire.Encoding_PLAIN, Count: 1},
		{PageType: wire.PageType_DATA_PAGE, Encoding: wire.Encoding_RLE_DICTIONARY, Count: 1},
	}
	at, indexAt := int64(4), int64(1)<<40
	nulls, exact := int64(0), true
	for g := range rowGroups {
		start, ordinal := at, int16(g)
		rg := &wire.RowGroup{Columns: make([]*wire.ColumnChunk, columns), NumRows: rows, FileOffset: &start, Ordinal: &ordinal}
		for i := range columns {
			size := int64(9000 + (g*columns+i)%2500)
			dict, columnIndex, offsetIndex, indexLength := at, indexAt, indexAt+40, int32(40)
			least, most := make([]byte, width[i%4]), make([]byte, width[i%4])
			copy(most, fmt.Sprintf("word%03d", (g+i)%200))
			if types[i%4] == wire.Type_BYTE_ARRAY {
				copy(least, "word000")
			} else {
				most[len(most)-1] &= 0x3f
			}
			rg.Columns[i] = &wire.ColumnChunk{
				MetaData: &wire.ColumnMetaData{
					Type: types[i%4], Encodings: encodings, PathInSchema: []string{wideName(i)},
					Codec: wire.CompressionCodec_SNAPPY, NumValues: rows,
					TotalUncompressedSize: size * 2, TotalCompressedSize: size,
					DataPageOffset: at + size/3, DictionaryPageOffset: &dict,
					Statistics: &wire.Statistics{
						MinValue: least, MaxValue: most, NullCount: &nulls,
						IsMinValueExact: &exact, IsMaxValueExact: &exact,
					},
					EncodingStats: encodingStats,
				},
				ColumnIndexOffset: &columnIndex, ColumnIndexLength: &indexLength,
				OffsetIndexOffset: &offsetIndex, OffsetIndexLength: &indexLength,
			}
			at += size
			indexAt += 80
			rg.TotalByteSize += size * 2
		}
		size := at - start
		rg.TotalCompressedSize = &size
		m.RowGroups[g] = rg
	}
	return m
}

func wideName(i int) string { return fmt.Sprintf("c%05d", i) }
