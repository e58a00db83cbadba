package main

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/thrift/wire"
)

//every:logical sample file
func typeShapes() []sample {
	point := "\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x00\x40" // WKB of POINT(1 2)
	places := []*gen.Node{
		gen.Optional("geometry", gen.ByteArray).As(gen.Logical{Kind: gen.KindGeometry}),
		gen.Optional("geometry_crs", gen.ByteArray).As(gen.Logical{Kind: gen.KindGeometry, CRS: "srid:5070"}),
		gen.Optional("geography", gen.ByteArray).As(gen.Logical{Kind: gen.KindGeography}),
	}
	variant := gen.Optional("v", gen.Group, gen.Required("metadata", gen.ByteArray), gen.Optional("value", gen.ByteArray)).As(gen.Logical{Kind: gen.KindVariant})

	conflict := one([]*gen.Node{gen.Required("t", gen.Int64).As(gen.TimestampType(gen.Micros, true)), gen.Required("n", gen.Int32).As(gen.IntType(32, false))},
		[]any{gen.Record{"t": int64(1_700_000_000_123_456), "n": uint32(1<<32 - 1)}}, gen.Column{})
	conflict.Footer = func(m *wire.FileMetaData) {
		millis, signed := wire.ConvertedType_TIMESTAMP_MILLIS, wire.ConvertedType_INT_32
		m.Schema[1].ConvertedType, m.Schema[2].ConvertedType = &millis, &signed
	}

	decimals := one([]*gen.Node{
		gen.Required("small", gen.Int32).As(gen.DecimalType(2, 5)), gen.Required("none", gen.Int64).As(gen.DecimalType(0, 2)),
		gen.Required("wide", gen.FixedLenByteArray).Len(16).As(gen.DecimalType(3, 1)),
	}, []any{gen.Record{"small": 123, "none": -45, "wide": "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xf9"}}, gen.Column{})

	times := []*gen.Node{
		gen.Optional("date", gen.Int32).As(gen.DateType()),
		gen.Optional("millis", gen.Int64).As(gen.TimestampType(gen.Millis, true)),
		gen.Optional("micros", gen.Int64).As(gen.TimestampType(gen.Micros, false)),
		gen.Optional("nanos", gen.Int64).As(gen.TimestampType(gen.Nanos, true)),
		gen.Optional("int96", gen.Int96),
	}
	var long []*gen.Node
	var moments []any
	for u, name := range []string{"millis", "micros", "nanos"} {
		n := gen.Optional(name, gen.FixedLenByteArray).Len(12).As(gen.TimestampType(gen.Unit(u), true))
		n.Note = gen.LogicalOnly
		long = append(long, n)
	}
	for _, seconds := range []int64{0, 1, -1, 9_223_372_036, 253_402_300_799, -62_135_596_800} {
		row := gen.Record{}
		for _, n := range long {
			units := new(big.Int).Mul(big.NewInt(seconds), big.NewInt([]int64{1e3, 1e6, 1e9}[n.Logical.Unit]))
			b := units.And(units, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 96), big.NewInt(1))).FillBytes(make([]byte, 12))
			slices.Reverse(b)
			row[n.Name] = string(b)
		}
		moments = append(moments, row)
	}
	var extremes []any
	for _, v := range []int64{math.MinInt64, -62_135_596_800_000, -62_167_219_200_001, -1, 0, 253_402_300_799_999, 253_402_300_800_000, math.MaxInt64} {
		date := max(math.MinInt32, min(math.MaxInt32, v))
		extremes = append(extremes, gen.Record{"date": date, "micros": v, "nanos": v, "millis": max(-1<<55, min(1<<55, v))})
	}
	for _, day := range []int{-719_529, -719_528, -719_163, -719_162, 2_932_896, 2_932_897} { // the last and first days of years -1 to 1, 9999 and 10000
		extremes = append(extremes, gen.Record{"date": day})
	}
	extremes = append(extremes, gen.Record{"int96": int96(0, 0)}, gen.Record{"int96": int96(86_000, 5_373_484)}, gen.Record{"int96": int96(1, -1)})

	unknown := one([]*gen.Node{gen.Optional("a", gen.ByteArray).As(gen.Logical{Kind: gen.KindFile}), gen.Required("b", gen.Int32)},
		[]any{gen.Record{"a": "\x00\xff", "b": 1}, gen.Record{"b": 2}}, gen.Column{Index: gen.NoIndex, Stats: gen.NoStats})

	root := one([]*gen.Node{gen.Required("a", gen.Int32)}, []any{gen.Record{"a": 1}, gen.Record{"a": 2}}, gen.Column{})
	root.Footer = func(m *wire.FileMetaData) {
		rep := wire.FieldRepetitionType_REPEATED
		m.Schema[0].RepetitionType = &rep
	}
	return []sample{
		{name: "logical_types_places", what: "GEOMETRY and GEOGRAPHY", file: one(places, []any{gen.Record{"geometry": point, "geometry_crs": point, "geography": point}, gen.Record{}}, gen.Column{})},
		{name: "logical_types_variant", what: "VARIANT, shown raw", file: one([]*gen.Node{variant}, []any{gen.Record{"v": gen.Record{"metadata": "\x01\x00", "value": "\x0c\x07"}}, gen.Record{}}, gen.Column{})},
		{name: "logical_types_conflict", what: "LogicalType and ConvertedType that differ: the former counts", file: conflict},
		{name: "logical_type_of_tomorrow", what: "a LogicalType of number 60, which no format has: the physical type counts", file: unknown, edit: func(b []byte) []byte {
			arm := []byte{0x0c, 19 * 2, 0x00, 0x00} // a struct in field 19, empty; the union's end
			if bytes.Count(b, arm) != 1 {
				panic(fmt.Sprint("the arm stands in the file ", bytes.Count(b, arm), " times"))
			}
			return bytes.Replace(b, arm, []byte{0x0c, 60 * 2, 0x00, 0x00}, 1)
		}},
		{name: "decimals_odd", what: "decimals of precision 0, of more scale than precision, of more bytes than needed", file: decimals},
		{name: "times_extreme", what: "dates and timestamps of years before 0 and after 9999, INT96 at both ends", file: one(times, extremes, gen.Column{})},
		{name: "timestamps_12_bytes", what: "TIMESTAMP in 12 bytes, of years 1 to 9999", file: one(long, append(moments, gen.Record{}), gen.Column{})},
		{name: "schema_root_repeated", what: "a root that is REPEATED, which means nothing", file: root},
		{name: "schema_no_columns", what: "two rows of no columns", file: gen.File{RowGroups: []gen.RowGroup{{Rows: []any{gen.Record{}, gen.Record{}}}}}},
	}
}
