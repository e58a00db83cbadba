package gen

import (
	"fmt"
	"strings"
)

// A RankedType is a type as docs/format.md lists it, with values that ascend with their ranks, 0 to Ranks - 1.
type RankedType struct {
	Name, Since string // the version of the format that has it first
	Node        Node   // without a name
	At          func(rank int) any

	NoOrder  bool // its bounds prove nothing, even if a file has them
	OldOrder bool // the order of the deprecated bounds is that of the type
	NoBloom  bool // its Bloom filters prove nothing
}

// Ranks is how many values of a RankedType are numbered.
const Ranks = 6

func signedRank(bits int) func(int) any { return func(k int) any { return int64(k-2) << (bits - 3) } }

func unsignedRank(bits int) func(int) any {
	return func(k int) any { return int64(uint64(k+1) * (^uint64(0) >> (64 - bits) / 8)) }
}

// listed returns ranks of strings, each padded to n bytes by its last one.
func listed(n int, all ...string) func(int) any {
	return func(k int) any {
		s := all[k]
		for len(s) < n {
			s += s[len(s)-1:]
		}
		return s
	}
}

// RankedTypes returns each type of leaves that the format has.
func RankedTypes() []RankedType {
	of := func(t Type, l Logical) Node { return Node{Type: t, Logical: l} }
	fixed := func(n int32, l Logical) Node { return Node{Type: FixedLenByteArray, Length: n, Logical: l} }
	ordered := func(n Node, o Order) Node { n.Order = o; return n }
	text := listed(0, " ", "A", "a", "aé", "é", "日本")
	wide := listed(0, "\x00", "\x00\x01", "\x7f", "\x80", "\xff", "\xff\xff")
	fix := func(n int) func(int) any { return listed(n, "\x00", "\x01\x00", "\x7f\x00", "\x80", "\xfe", "\xff") }
	float := func(k int) any { return float64(k-2) * 1.5 }
	halves := listed(0, "\x00\xc2", "\x00\xbe", "\x00\x00", "\x00\x3e", "\x00\x42", "\x80\x44")
	decimals := listed(0, "\xfe\xc7\x80", "\xff\xff\xff\x63\xc0", "\x00", "\x00\x00\x00\x9c\x40", "\x01\x38\x80", "\x00\x01\xd4\xc0")
	narrow := listed(0, "\xfe\xc7\x80", "\xff\x63\xc0", "\x00\x00\x00", "\x00\x9c\x40", "\x01\x38\x80", "\x01\xd4\xc0")
	wideDecimals := func(k int) any { return strings.Repeat([]string{"\xff", "\x00"}[min(k/2, 1)], 13) + narrow(k).(string) }
	all := []RankedType{
		{Name: "BOOLEAN", Since: "1.0", Node: of(Boolean, Logical{}), At: func(k int) any { return k > 0 }, NoBloom: true},
		{Name: "INT32", Since: "1.0", Node: of(Int32, Logical{}), At: signedRank(32), OldOrder: true},
		{Name: "INT64", Since: "1.0", Node: of(Int64, Logical{}), At: signedRank(64), OldOrder: true},
		{Name: "INT96, no order named", Since: "1.0", Node: ordered(of(Int96, Logical{}), BytesOrder), At: func(k int) any { return [12]byte{8: byte(k), 9: 0x3d, 10: 0x25} }, NoOrder: true, NoBloom: true},
		{Name: "FLOAT", Since: "1.0", Node: of(Float, Logical{}), At: func(k int) any { return float32(k-2) * 1.5 }, OldOrder: true},
		{Name: "DOUBLE", Since: "1.0", Node: of(Double, Logical{}), At: float, OldOrder: true},
		{Name: "DOUBLE, IEEE 754 total order", Since: "2.13", Node: ordered(of(Double, Logical{}), IEEE754Order), At: float, OldOrder: true},
		{Name: "BYTE_ARRAY", Since: "1.0", Node: of(ByteArray, Logical{}), At: wide},
		{Name: "FIXED_LEN_BYTE_ARRAY", Since: "1.0", Node: fixed(3, Logical{}), At: fix(3)},
		{Name: "STRING", Since: "1.0", Node: of(ByteArray, StringType()), At: text},
		{Name: "ENUM", Since: "2.0", Node: of(ByteArray, EnumType()), At: text},
		{Name: "JSON", Since: "2.2", Node: of(ByteArray, JSONType()), At: text},
		{Name: "BSON", Since: "2.2", Node: of(ByteArray, BSONType()), At: wide},
		{Name: "UUID", Since: "2.6", Node: fixed(16, UUIDType()), At: fix(16)},
		{Name: "FLOAT16", Since: "2.10", Node: fixed(2, Float16Type()), At: halves},
		{Name: "FLOAT16, IEEE 754 total order", Since: "2.13", Node: ordered(fixed(2, Float16Type()), IEEE754Order), At: halves},
		{Name: "DECIMAL of INT32", Since: "2.1", Node: of(Int32, DecimalType(9, 2)), At: func(k int) any { return int32(k-2) * 1000 }},
		{Name: "DECIMAL of INT64", Since: "2.1", Node: of(Int64, DecimalType(18, 4)), At: func(k int) any { return int64(k-2) * 1e12 }},
		{Name: "DECIMAL of FIXED_LEN_BYTE_ARRAY", Since: "2.1", Node: fixed(16, DecimalType(38, 9)), At: wideDecimals},
		{Name: "DECIMAL of BYTE_ARRAY", Since: "2.1", Node: of(ByteArray, DecimalType(30, 3)), At: decimals, NoBloom: true},
		{Name: "DATE", Since: "2.2", Node: of(Int32, DateType()), At: func(k int) any { return int32(k-2) * 9000 }, OldOrder: true},
		{Name: "TIME(ms)", Since: "2.2", Node: of(Int32, TimeType(Millis, true)), At: func(k int) any { return int32(k) * 9_000_000 }, OldOrder: true},
		{Name: "TIME(µs)", Since: "2.3", Node: of(Int64, TimeType(Micros, false)), At: func(k int) any { return int64(k) * 9e9 }, OldOrder: true},
		{Name: "TIME(ns)", Since: "2.6", Node: of(Int64, TimeType(Nanos, true)), At: func(k int) any { return int64(k) * 9e12 }, OldOrder: true},
		{Name: "TIMESTAMP(ms)", Since: "2.2", Node: of(Int64, TimestampType(Millis, false)), At: signedRank(42), OldOrder: true},
		{Name: "TIMESTAMP(µs)", Since: "2.3", Node: of(Int64, TimestampType(Micros, true)), At: signedRank(52), OldOrder: true},
		{Name: "TIMESTAMP(ns)", Since: "2.6", Node: of(Int64, TimestampType(Nanos, true)), At: signedRank(62), OldOrder: true},
		{Name: "INTERVAL", Since: "2.2", Node: ordered(fixed(12, IntervalType()), BytesOrder), At: fix(12), NoOrder: true},
		{Name: "UNKNOWN", Since: "2.4", Node: of(Int32, UnknownType()), NoOrder: true, NoBloom: true},
		{Name: "GEOMETRY", Since: "2.11", Node: ordered(of(ByteArray, Logical{Kind: KindGeometry}), BytesOrder), At: wide, NoOrder: true},
		{Name: "GEOGRAPHY", Since: "2.11", Node: ordered(of(ByteArray, Logical{Kind: KindGeography}), BytesOrder), At: wide, NoOrder: true},
	}
	for bits := 8; bits <= 64; bits *= 2 {
		physical := Int32
		if bits == 64 {
			physical = Int64
		}
		all = append(all,
			RankedType{Name: fmt.Sprintf("INT(%d)", bits), Since: "2.2", Node: of(physical, IntType(int8(bits), true)), At: signedRank(bits), OldOrder: true, NoBloom: bits < 32},
			RankedType{Name: fmt.Sprintf("UINT(%d)", bits), Since: "2.2", Node: of(physical, IntType(int8(bits), false)), At: unsignedRank(bits), NoBloom: bits < 32})
	}
	return all
}
