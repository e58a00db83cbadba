package schema

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/thrift"
	"github.com/winnow-scan/winnow/thrift/wire"
)

//every:logical schema test but MAP FILE (of groups)
func TestTypesOfLeaves(t *testing.T) {
	type E = thrift.SchemaElement
	type L = thrift.LogicalType
	converted := func(c wire.ConvertedType) E { return E{HasConverted: true, Converted: c} }
	const other = "(unrecognised annotation)"
	for _, test := range []struct {
		physical wire.Type
		length   int32
		e        E
		want     string
	}{
		// Neither.
		{wire.Type_BOOLEAN, 0, E{}, "BOOLEAN"},
		{wire.Type_INT96, 0, E{}, "INT96"},
		{wire.Type_FIXED_LEN_BYTE_ARRAY, 5, E{}, "FIXED_LEN_BYTE_ARRAY(5)"},
		{wire.Type_INT32, 7, E{}, "INT32"}, // a length that means nothing

		// ConvertedType only: each of its names.
		{wire.Type_BYTE_ARRAY, 0, converted(wire.ConvertedType_UTF8), "BYTE_ARRAY STRING"},
		{wire.Type_BYTE_ARRAY, 0, converted(wire.ConvertedType_ENUM), "BYTE_ARRAY ENUM"},
		{wire.Type_BYTE_ARRAY, 0, converted(wire.ConvertedType_JSON), "BYTE_ARRAY JSON"},
		{wire.Type_BYTE_ARRAY, 0, converted(wire.ConvertedType_BSON), "BYTE_ARRAY BSON"},
		{wire.Type_INT32, 0, converted(wire.ConvertedType_DATE), "INT32 DATE"},
		{wire.Type_INT32, 0, converted(wire.ConvertedType_TIME_MILLIS), "INT32 TIME(MILLIS,UTC)"},
		{wire.Type_INT64, 0, converted(wire.ConvertedType_TIME_MICROS), "INT64 TIME(MICROS,UTC)"},
		{wire.Type_INT64, 0, converted(wire.ConvertedType_TIMESTAMP_MILLIS), "INT64 TIMESTAMP(MILLIS,UTC)"},
		{wire.Type_INT64, 0, converted(wire.ConvertedType_TIMESTAMP_MICROS), "INT64 TIMESTAMP(MICROS,UTC)"},
		{wire.Type_INT32, 0, converted(wire.ConvertedType_UINT_8), "INT32 UINT(8)"},
		{wire.Type_INT32, 0, converted(wire.ConvertedType_UINT_16), "INT32 UINT(16)"},
		{wire.Type_INT32, 0, converted(wire.ConvertedType_UINT_32), "INT32 UINT(32)"},
		{wire.Type_INT64, 0, converted(wire.ConvertedType_UINT_64), "INT64 UINT(64)"},
		{wire.Type_INT32, 0, converted(wire.ConvertedType_INT_8), "INT32 INT(8)"},
		{wire.Type_INT32, 0, converted(wire.ConvertedType_INT_16), "INT32 INT(16)"},
		{wire.Type_INT32, 0, converted(wire.ConvertedType_INT_32), "INT32 INT(32)"},
		{wire.Type_INT64, 0, converted(wire.ConvertedType_INT_64), "INT64 INT(64)"},
		{wire.Type_FIXED_LEN_BYTE_ARRAY, 12, converted(wire.ConvertedType_INTERVAL), "FIXED_LEN_BYTE_ARRAY(12) INTERVAL"},
		{wire.Type_INT32, 0, E{HasConverted: true, Converted: wire.ConvertedType_DECIMAL, Precision: 9, Scale: 2}, "INT32 DECIMAL(9,2)"},
		{wire.Type_INT64, 0, converted(99), "INT64 " + other},
		{wire.Type_BYTE_ARRAY, 0, converted(-1), "BYTE_ARRAY " + other},

		// LogicalType only.
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.LogicalString}}, "BYTE_ARRAY STRING"},
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.LogicalEnum}}, "BYTE_ARRAY ENUM"},
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.LogicalJSON}}, "BYTE_ARRAY JSON"},
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.LogicalBSON}}, "BYTE_ARRAY BSON"},
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.LogicalGeometry, CRS: "x"}}, "BYTE_ARRAY GEOMETRY"},
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.LogicalGeography}}, "BYTE_ARRAY GEOGRAPHY"},
		{wire.Type_INT32, 0, E{Logical: L{Kind: thrift.LogicalDate}}, "INT32 DATE"},
		{wire.Type_INT32, 0, E{Logical: L{Kind: thrift.LogicalTime, Unit: thrift.Millis}}, "INT32 TIME(MILLIS,local)"},
		{wire.Type_INT64, 0, E{Logical: L{Kind: thrift.LogicalTime, Unit: thrift.Nanos, AdjustedToUTC: true}}, "INT64 TIME(NANOS,UTC)"},
		{wire.Type_INT64, 0, E{Logical: L{Kind: thrift.LogicalTimestamp, Unit: thrift.Nanos}}, "INT64 TIMESTAMP(NANOS,local)"},
		{wire.Type_INT64, 0, E{Logical: L{Kind: thrift.LogicalTimestamp, Unit: thrift.Micros, AdjustedToUTC: true}}, "INT64 TIMESTAMP(MICROS,UTC)"},
		{wire.Type_INT32, 0, E{Logical: L{Kind: thrift.LogicalInteger, BitWidth: 16}}, "INT32 UINT(16)"},
		{wire.Type_INT64, 0, E{Logical: L{Kind: thrift.LogicalInteger, BitWidth: 64, Signed: true}}, "INT64 INT(64)"},
		{wire.Type_DOUBLE, 0, E{Logical: L{Kind: thrift.LogicalUnknown}}, "DOUBLE UNKNOWN"},
		{wire.Type_FIXED_LEN_BYTE_ARRAY, 16, E{Logical: L{Kind: thrift.LogicalUUID}}, "FIXED_LEN_BYTE_ARRAY(16) UUID"},
		{wire.Type_FIXED_LEN_BYTE_ARRAY, 2, E{Logical: L{Kind: thrift.LogicalFloat16}}, "FIXED_LEN_BYTE_ARRAY(2) FLOAT16"},
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 40, Scale: 3}}, "BYTE_ARRAY DECIMAL(40,3)"},

		// Both, in conflict: the LogicalType wins, known or not.
		{wire.Type_INT64, 0, E{HasConverted: true, Converted: wire.ConvertedType_TIMESTAMP_MICROS,
			Logical: L{Kind: thrift.LogicalTimestamp, Unit: thrift.Micros}}, "INT64 TIMESTAMP(MICROS,local)"},
		{wire.Type_INT32, 0, E{HasConverted: true, Converted: wire.ConvertedType_DECIMAL, Precision: 9, Scale: 2,
			Logical: L{Kind: thrift.LogicalDecimal, Precision: 5, Scale: 1}}, "INT32 DECIMAL(5,1)"},
		{wire.Type_BYTE_ARRAY, 0, E{HasConverted: true, Converted: wire.ConvertedType_UTF8, Logical: L{Kind: 42}}, "BYTE_ARRAY " + other},
		// A union that says nothing leaves the word to the ConvertedType.
		{wire.Type_BYTE_ARRAY, 0, E{HasConverted: true, Converted: wire.ConvertedType_UTF8, Logical: L{Kind: thrift.Ambiguous}}, "BYTE_ARRAY STRING"},
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.Ambiguous}}, "BYTE_ARRAY " + other},

		// Annotations that the physical type cannot bear.
		{wire.Type_FIXED_LEN_BYTE_ARRAY, 4, converted(wire.ConvertedType_UTF8), "FIXED_LEN_BYTE_ARRAY(4) " + other},
		{wire.Type_INT64, 0, converted(wire.ConvertedType_DATE), "INT64 " + other},
		{wire.Type_INT64, 0, converted(wire.ConvertedType_TIME_MILLIS), "INT64 " + other},
		{wire.Type_INT32, 0, converted(wire.ConvertedType_TIME_MICROS), "INT32 " + other},
		{wire.Type_INT96, 0, converted(wire.ConvertedType_TIMESTAMP_MICROS), "INT96 " + other},
		{wire.Type_INT64, 0, converted(wire.ConvertedType_UINT_8), "INT64 " + other},
		{wire.Type_INT32, 0, converted(wire.ConvertedType_INT_64), "INT32 " + other},
		{wire.Type_FIXED_LEN_BYTE_ARRAY, 15, E{Logical: L{Kind: thrift.LogicalUUID}}, "FIXED_LEN_BYTE_ARRAY(15) " + other},
		{wire.Type_FIXED_LEN_BYTE_ARRAY, 4, E{Logical: L{Kind: thrift.LogicalFloat16}}, "FIXED_LEN_BYTE_ARRAY(4) " + other},
		{wire.Type_INT64, 0, E{Logical: L{Kind: thrift.LogicalTimestamp, Unit: 9}}, "INT64 " + other},
		{wire.Type_INT64, 0, E{Logical: L{Kind: thrift.LogicalTime}}, "INT64 " + other},
		{wire.Type_INT32, 0, E{Logical: L{Kind: thrift.LogicalInteger, BitWidth: 24}}, "INT32 " + other},
		{wire.Type_INT32, 0, E{Logical: L{Kind: thrift.LogicalInteger, BitWidth: -8}}, "INT32 " + other},
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.LogicalVariant}}, "BYTE_ARRAY " + other},
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.LogicalList}}, "BYTE_ARRAY " + other},
		{wire.Type_DOUBLE, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 9}}, "DOUBLE " + other},

		// Decimals: what can be written out is a decimal, whatever the precision.
		{wire.Type_INT32, 0, E{HasConverted: true, Converted: wire.ConvertedType_DECIMAL}, "INT32 DECIMAL(0,0)"},
		{wire.Type_INT32, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 2, Scale: 5}}, "INT32 DECIMAL(2,5)"},
		{wire.Type_INT32, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 99, Scale: 5}}, "INT32 DECIMAL(99,5)"},
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 1 << 30, Scale: maxScale}}, "BYTE_ARRAY DECIMAL(1073741824,4096)"},
		{wire.Type_BYTE_ARRAY, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 1 << 30, Scale: maxScale + 1}}, "BYTE_ARRAY " + other},
		{wire.Type_INT32, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: 9, Scale: -1}}, "INT32 " + other},
		{wire.Type_INT32, 0, E{Logical: L{Kind: thrift.LogicalDecimal, Precision: -9}}, "INT32 " + other},
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
		{vector.Geography, thrift.LogicalType{CRS: "x", Edges: wire.EdgeInterpolationAlgorithm_KARNEY}, "x", "KARNEY"},
		{vector.Geography, thrift.LogicalType{Edges: 99}, "", ""},
		{vector.Geography, thrift.LogicalType{Edges: -1}, "", ""},
		{vector.Unrecognised, thrift.LogicalType{CRS: "x"}, "", ""}, // on a column of integers
	} {
		if crs, edges := onEarth(test.t, &test.l); crs != test.crs || edges != test.edges {
			t.Errorf("%v %+v: %q, %q", test.t, test.l, crs, edges)
		}
	}
}
