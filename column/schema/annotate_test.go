package schema

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/thrift"
)

//every:logical schema test but MAP FILE (of groups)
func TestTypesOfLeaves(t *testing.T) {
	type E = thrift.SchemaElement
	type L = thrift.LogicalType
	converted := func(c thrift.ConvertedType) E { return E{HasConverted: true, Converted: c} }
	const other = "(unrecognised annotation)"
	for _, test := range []struct {
		physical thrift.Type
		length   int32
		e        E
		want     string
	}{
		// Neither.
		{thrift.TypeBoolean, 0, E{}, "BOOLEAN"},
		{thrift.TypeInt96, 0, E{}, "INT96"},
		{thrift.TypeFixedLenByteArray, 5, E{}, "FIXED_LEN_BYTE_ARRAY(5)"},
		{thrift.TypeInt32, 7, E{}, "INT32"}, // a length that means nothing

		// ConvertedType only: each of its names.
		{thrift.TypeByteArray, 0, converted(thrift.ConvertedUTF8), "BYTE_ARRAY STRING"},
		{thrift.TypeByteArray, 0, converted(thrift.ConvertedEnum), "BYTE_ARRAY ENUM"},
		{thrift.TypeByteArray, 0, converted(thrift.ConvertedJSON), "BYTE_ARRAY JSON"},
		{thrift.TypeByteArray, 0, converted(thrift.ConvertedBSON), "BYTE_ARRAY BSON"},
		{thrift.TypeInt32, 0, converted(thrift.ConvertedDate), "INT32 DATE"},
		{thrift.TypeInt32, 0, converted(thrift.ConvertedTimeMillis), "INT32 TIME(MILLIS,UTC)"},
		{thrift.TypeInt64, 0, converted(thrift.ConvertedTimeMicros), "INT64 TIME(MICROS,UTC)"},
		{thrift.TypeInt64, 0, converted(thrift.ConvertedTimestampMillis), "INT64 TIMESTAMP(MILLIS,UTC)"},
		{thrift.TypeInt64, 0, converted(thrift.ConvertedTimestampMicros), "INT64 TIMESTAMP(MICROS,UTC)"},
		{thrift.TypeInt32, 0, converted(thrift.ConvertedUint8), "INT32 UINT(8)"},
		{thrift.TypeInt32, 0, converted(thrift.ConvertedUint16), "INT32 UINT(16)"},
		{thrift.TypeInt32, 0, converted(thrift.ConvertedUint32), "INT32 UINT(32)"},
		{thrift.TypeInt64, 0, converted(thrift.ConvertedUint64), "INT64 UINT(64)"},
		{thrift.TypeInt32, 0, converted(thrift.ConvertedInt8), "INT32 INT(8)"},
		{thrift.TypeInt32, 0, converted(thrift.ConvertedInt16), "INT32 INT(16)"},
		{thrift.TypeInt32, 0, converted(thrift.ConvertedInt32), "INT32 INT(32)"},
		{thrift.TypeInt64, 0, converted(thrift.ConvertedInt64), "INT64 INT(64)"},
		{thrift.TypeFixedLenByteArray, 12, converted(thrift.ConvertedInterval), "FIXED_LEN_BYTE_ARRAY(12) INTERVAL"},
		{thrift.TypeInt32, 0, E{HasConverted: true, Converted: thrift.ConvertedDecimal, Precision: 9, Scale: 2}, "INT32 DECIMAL(9,2)"},
		{thrift.TypeInt64, 0, converted(99), "INT64 " + other},
		{thrift.TypeByteArray, 0, converted(-1), "BYTE_ARRAY " + other},

		// LogicalType only.
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.LogicalString}}, "BYTE_ARRAY STRING"},
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.LogicalEnum}}, "BYTE_ARRAY ENUM"},
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.LogicalJSON}}, "BYTE_ARRAY JSON"},
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.LogicalBSON}}, "BYTE_ARRAY BSON"},
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.LogicalGeometry, CRS: "x"}}, "BYTE_ARRAY GEOMETRY"},
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.LogicalGeography}}, "BYTE_ARRAY GEOGRAPHY"},
		{thrift.TypeInt32, 0, E{Logical: L{Kind: thrift.LogicalDate}}, "INT32 DATE"},
		{thrift.TypeInt32, 0, E{Logical: L{Kind: thrift.LogicalTime, Unit: thrift.Millis}}, "INT32 TIME(MILLIS,local)"},
		{thrift.TypeInt64, 0, E{Logical: L{Kind: thrift.LogicalTime, Unit: thrift.Nanos, AdjustedToUTC: true}}, "INT64 TIME(NANOS,UTC)"},
		{thrift.TypeInt64, 0, E{Logical: L{Kind: thrift.LogicalTimestamp, Unit: thrift.Nanos}}, "INT64 TIMESTAMP(NANOS,local)"},
		{thrift.TypeInt64, 0, E{Logical: L{Kind: thrift.LogicalTimestamp, Unit: thrift.Micros, AdjustedToUTC: true}}, "INT64 TIMESTAMP(MICROS,UTC)"},
		{thrift.TypeInt32, 0, E{Logical: L{Kind: thrift.LogicalInteger, BitWidth: 16}}, "INT32 UINT(16)"},
		{thrift.TypeInt64, 0, E{Logical: L{Kind: thrift.LogicalInteger, BitWidth: 64, Signed: true}}, "INT64 INT(64)"},
		{thrift.TypeDouble, 0, E{Logical: L{Kind: thrift.LogicalUnknown}}, "DOUBLE UNKNOWN"},
		{thrift.TypeFixedLenByteArray, 16, E{Logical: L{Kind: thrift.LogicalUUID}}, "FIXED_LEN_BYTE_ARRAY(16) UUID"},
		{thrift.TypeFixedLenByteArray, 2, E{Logical: L{Kind: thrift.LogicalFloat16}}, "FIXED_LEN_BYTE_ARRAY(2) FLOAT16"},
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 40, Scale: 3}}, "BYTE_ARRAY DECIMAL(40,3)"},

		// Both, in conflict: the LogicalType wins, known or not.
		{thrift.TypeInt64, 0, E{HasConverted: true, Converted: thrift.ConvertedTimestampMicros,
			Logical: L{Kind: thrift.LogicalTimestamp, Unit: thrift.Micros}}, "INT64 TIMESTAMP(MICROS,local)"},
		{thrift.TypeInt32, 0, E{HasConverted: true, Converted: thrift.ConvertedDecimal, Precision: 9, Scale: 2,
			Logical: L{Kind: thrift.LogicalDecimal, Precision: 5, Scale: 1}}, "INT32 DECIMAL(5,1)"},
		{thrift.TypeByteArray, 0, E{HasConverted: true, Converted: thrift.ConvertedUTF8, Logical: L{Kind: 42}}, "BYTE_ARRAY " + other},
		// A union that says nothing leaves the word to the ConvertedType.
		{thrift.TypeByteArray, 0, E{HasConverted: true, Converted: thrift.ConvertedUTF8, Logical: L{Kind: thrift.Ambiguous}}, "BYTE_ARRAY STRING"},
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.Ambiguous}}, "BYTE_ARRAY " + other},

		// Annotations that the physical type cannot bear.
		{thrift.TypeFixedLenByteArray, 4, converted(thrift.ConvertedUTF8), "FIXED_LEN_BYTE_ARRAY(4) " + other},
		{thrift.TypeInt64, 0, converted(thrift.ConvertedDate), "INT64 " + other},
		{thrift.TypeInt64, 0, converted(thrift.ConvertedTimeMillis), "INT64 " + other},
		{thrift.TypeInt32, 0, converted(thrift.ConvertedTimeMicros), "INT32 " + other},
		{thrift.TypeInt96, 0, converted(thrift.ConvertedTimestampMicros), "INT96 " + other},
		{thrift.TypeInt64, 0, converted(thrift.ConvertedUint8), "INT64 " + other},
		{thrift.TypeInt32, 0, converted(thrift.ConvertedInt64), "INT32 " + other},
		{thrift.TypeFixedLenByteArray, 15, E{Logical: L{Kind: thrift.LogicalUUID}}, "FIXED_LEN_BYTE_ARRAY(15) " + other},
		{thrift.TypeFixedLenByteArray, 4, E{Logical: L{Kind: thrift.LogicalFloat16}}, "FIXED_LEN_BYTE_ARRAY(4) " + other},
		{thrift.TypeInt64, 0, E{Logical: L{Kind: thrift.LogicalTimestamp, Unit: 9}}, "INT64 " + other},
		{thrift.TypeInt64, 0, E{Logical: L{Kind: thrift.LogicalTime}}, "INT64 " + other},
		{thrift.TypeInt32, 0, E{Logical: L{Kind: thrift.LogicalInteger, BitWidth: 24}}, "INT32 " + other},
		{thrift.TypeInt32, 0, E{Logical: L{Kind: thrift.LogicalInteger, BitWidth: -8}}, "INT32 " + other},
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.LogicalVariant}}, "BYTE_ARRAY " + other},
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.LogicalList}}, "BYTE_ARRAY " + other},
		{thrift.TypeDouble, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 9}}, "DOUBLE " + other},

		// Decimals: what can be written out is a decimal, whatever the precision.
		{thrift.TypeInt32, 0, E{HasConverted: true, Converted: thrift.ConvertedDecimal}, "INT32 DECIMAL(0,0)"},
		{thrift.TypeInt32, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 2, Scale: 5}}, "INT32 DECIMAL(2,5)"},
		{thrift.TypeInt32, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 99, Scale: 5}}, "INT32 DECIMAL(99,5)"},
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 1 << 30, Scale: maxScale}}, "BYTE_ARRAY DECIMAL(1073741824,4096)"},
		{thrift.TypeByteArray, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 1 << 30, Scale: maxScale + 1}}, "BYTE_ARRAY " + other},
		{thrift.TypeInt32, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 9, Scale: -1}}, "INT32 " + other},
		{thrift.TypeInt32, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: -9}}, "INT32 " + other},
	} {
		e := test.e
		e.HasType, e.Type, e.TypeLength = true, test.physical, test.length
		got, err := leafType(&e)
		if err != nil || got.String() != test.want {
			t.Errorf("%v %+v: %v, %v, want %s", test.physical, test.e, got, err, test.want)
		}
	}
}

func TestPlacesOnEarth(t *testing.T) {
	for _, test := range []struct {
		t          vector.Logical
		l          thrift.LogicalType
		crs, edges string
	}{
		{vector.Geometry, thrift.LogicalType{CRS: "srid:1"}, "srid:1", ""},
		{vector.Geography, thrift.LogicalType{}, "", "SPHERICAL"},
		{vector.Geography, thrift.LogicalType{CRS: "x", Edges: thrift.EdgesKarney}, "x", "KARNEY"},
		{vector.Geography, thrift.LogicalType{Edges: 99}, "", ""},
		{vector.Geography, thrift.LogicalType{Edges: -1}, "", ""},
		{vector.Unrecognised, thrift.LogicalType{CRS: "x"}, "", ""}, // on a column of integers
	} {
		if crs, edges := onEarth(test.t, &test.l); crs != test.crs || edges != test.edges {
			t.Errorf("%v %+v: %q, %q", test.t, test.l, crs, edges)
		}
	}
}
