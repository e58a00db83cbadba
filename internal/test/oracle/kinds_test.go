package oracle

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/winnow-scan/winnow/internal/test/gen"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// A kind is a type of leaves: how values are written and what they mean.
type kind struct {
	name    string
	typ     gen.Type
	length  int32
	logical gen.Logical
	family  family

	at      func(k int) any       // values that ascend with k, which may be negative
	special []any                 // the far ends, and what is odd
	means   func(written any) any // as internal/test/naive has it
}

// family is what compares with its like.
type family uint8

const (
	numbers family = iota
	texts
	uuids
	booleans
	moments
	clocks
	unordered
	nothing // UNKNOWN
)

func pick[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

func fraction(v *big.Int, scale int32) any {
	r := new(big.Rat).SetFrac(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
	if scale > 0 {
		return naive.Decimal{Exact: r}
	}
	return r
}

// times multiplies without overflow.
func times(v, by int64) any {
	r := new(big.Int).Mul(big.NewInt(v), big.NewInt(by))
	if r.IsInt64() {
		return r.Int64()
	}
	return new(big.Rat).SetInt(r)
}

func fromInt32(f func(int64) any) func(any) any {
	return func(v any) any { return f(int64(v.(int32))) }
}

func fromInt64(f func(int64) any) func(any) any { return func(v any) any { return f(v.(int64)) } }

func itself(v int64) any { return v }

func scaled(scale int32) func(int64) any {
	return func(v int64) any { return fraction(big.NewInt(v), scale) }
}

// bigEndian returns v in two's complement, in n bytes or, if n is 0, as few as it takes.
func bigEndian(v int64, n int) string {
	var b [16]byte
	if v < 0 {
		binary.BigEndian.PutUint64(b[:], math.MaxUint64)
	}
	binary.BigEndian.PutUint64(b[8:], uint64(v))
	if n > 0 {
		return string(b[16-n:])
	}
	s := b[8:]
	for len(s) > 1 && (s[0] == 0 && s[1] < 0x80 || s[0] == 0xff && s[1] >= 0x80) {
		s = s[1:]
	}
	return string(s)
}

func bigDecimal(scale int32) func(any) any {
	return func(v any) any {
		s := v.(string)
		n := new(big.Int).SetBytes([]byte(s))
		if len(s) > 0 && s[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(s))))
		}
		return fraction(n, scale)
	}
}

// half returns the bits of a small multiple of 1/4 in half precision, little endian.
func half(f float64) string {
	var h uint16
	if math.Signbit(f) {
		h, f = 1<<15, -f
	}
	if f > 0 {
		m, e := math.Frexp(f) // f = m × 2^e, m in [0.5, 1)
		h |= uint16(e+14)<<10 | uint16(m*2048)&1023
	}
	return string(binary.LittleEndian.AppendUint16(nil, h))
}

func halfMeans(v any) any {
	h := binary.LittleEndian.Uint16([]byte(v.(string)))
	e, m := int(h>>10&31), float64(h&1023)
	f := math.Ldexp(1024+m, e-25)
	switch {
	case e == 0:
		f = math.Ldexp(m, -24)
	case e == 31 && m != 0:
		return naive.Half(math.NaN())
	case e == 31:
		f = math.Inf(1)
	}
	if h>>15 != 0 {
		f = -f
	}
	return naive.Half(f)
}

const julianEpoch = 2440588

func int96(nanos int64, day int) [12]byte {
	var b [12]byte
	binary.LittleEndian.PutUint64(b[:], uint64(nanos))
	binary.LittleEndian.PutUint32(b[8:], uint32(int32(day)))
	return b
}

func int96Means(v any) any {
	b := v.([12]byte)
	n := new(big.Int).Mul(big.NewInt(int64(int32(binary.LittleEndian.Uint32(b[8:])))-julianEpoch), big.NewInt(86400e9))
	n.Add(n, new(big.Int).SetUint64(binary.LittleEndian.Uint64(b[:])))
	if n.IsInt64() {
		return n.Int64()
	}
	return new(big.Rat).SetInt(n)
}

// longStamp returns a timestamp of 12 bytes, v << shift.
func longStamp(v int64, shift int) string {
	n := new(big.Int).Lsh(big.NewInt(v), uint(shift))
	b := n.And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 96), big.NewInt(1))).FillBytes(make([]byte, 12))
	slices.Reverse(b)
	return string(b)
}

func longMeans(nanos int64) func(any) any {
	return func(v any) any {
		b := []byte(v.(string))
		slices.Reverse(b)
		n := bigDecimal(0)(string(b))
		return new(big.Rat).Mul(ratOf(n), new(big.Rat).SetInt64(nanos))
	}
}

// word is a text that ascends with k, of letters that LIKE and JSON trip over.
func word(k int) string {
	k += 1 << 20
	s := fmt.Sprintf("%c%c%03d", "aabbc"[k>>18&3], "_%xyé"[k>>15%4&3], k&0x7fff)
	if k%7 == 0 {
		s += "é日本"[:3*(k%3)+2*((k+1)%2)]
	}
	return s
}

func bytesOf(v any) any { return v }

//every:logical oracle but MAP LIST BSON VARIANT GEOMETRY GEOGRAPHY FILE (made by worlds; not asked for)
func kinds() []*kind {
	ints32 := []any{int32(math.MinInt32), int32(math.MaxInt32), int32(0), int32(-1)}
	ints64 := []any{int64(math.MinInt64), int64(math.MaxInt64), int64(0), int64(-1), int64(1<<53 + 1)}
	i32 := func(k int) any { return int32(k) }
	i64 := func(k int) any { return int64(k) }
	wide := func(k int) any { return int64(k) * 1_000_003 }
	oddTexts := []any{"", "\x00", "\xff", "\xff\xff\xff\xff", "a\"b\\\n\t\x01", "日本語", "a_c", "a%c", strings.Repeat("long ", 60), strings.Repeat("\xff", 40), strings.Repeat("long ", 300) + "end"}
	text := func(k int) any { return word(k) }
	fixedText := func(n int) func(int) any {
		return func(k int) any { return (fmt.Sprintf("%08d", k+1<<20) + strings.Repeat(".", 200))[8-min(n, 8):][:n] }
	}
	stamp := func(k int) any { return int64(1_700_000_000_000) + int64(k)*86_399_977 } // milliseconds, about a day apart
	return []*kind{
		{name: "bool", typ: gen.Boolean, family: booleans, at: func(k int) any { return k&1 == 1 }, means: bytesOf},
		{name: "i32", typ: gen.Int32, at: i32, special: ints32, means: fromInt32(itself)},
		{name: "i8", typ: gen.Int32, logical: gen.IntType(8, true), at: func(k int) any { return int32(int8(k)) }, special: []any{int32(-128), int32(127)}, means: fromInt32(itself)},
		{name: "u16", typ: gen.Int32, logical: gen.IntType(16, false), at: func(k int) any { return int32(uint16(k)) }, special: []any{int32(65535), int32(0)}, means: fromInt32(itself)},
		{name: "u32", typ: gen.Int32, logical: gen.IntType(32, false), at: i32, special: ints32, means: func(v any) any { return int64(uint32(v.(int32))) }},
		{name: "i64", typ: gen.Int64, at: wide, special: ints64, means: fromInt64(itself)},
		{name: "u64", typ: gen.Int64, logical: gen.IntType(64, false), at: i64, special: ints64, means: func(v any) any {
			return new(big.Rat).SetInt(new(big.Int).SetUint64(uint64(v.(int64))))
		}},
		{name: "d32", typ: gen.Int32, logical: gen.DecimalType(9, 2), at: i32, special: []any{int32(999_999_999), int32(-999_999_999), int32(0)}, means: fromInt32(scaled(2))},
		{name: "d64", typ: gen.Int64, logical: gen.DecimalType(18, 4), at: wide, special: []any{int64(999_999_999_999_999_999), int64(0)}, means: fromInt64(scaled(4))},
		{name: "dint", typ: gen.Int64, logical: gen.DecimalType(18, 0), at: i64, special: []any{int64(-999_999_999_999_999_999)}, means: fromInt64(scaled(0))},
		{name: "dfix", typ: gen.FixedLenByteArray, length: 9, logical: gen.DecimalType(20, 1), at: func(k int) any { return bigEndian(int64(k)*977, 9) },
			special: []any{"\x7f" + strings.Repeat("\xff", 8), "\x80" + strings.Repeat("\x00", 8), bigEndian(0, 9)}, means: bigDecimal(1)},
		{name: "dvar", typ: gen.ByteArray, logical: gen.DecimalType(30, 3), at: func(k int) any { return bigEndian(int64(k)*31, []int{0, 0, 8, 12}[k&3]) },
			special: []any{"\x00", "\x00\x00\x00", "\xff\xff", "\x01" + strings.Repeat("\x00", 11)}, means: bigDecimal(3)},
		{name: "f32", typ: gen.Float, at: func(k int) any { return float32(k) / 8 }, special: []any{float32(math.NaN()), float32(math.Copysign(0, -1)), float32(0), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.MaxFloat32), float32(1e-45), float32(0.1)},
			means: func(v any) any { return naive.Single(v.(float32)) }},
		{name: "f64", typ: gen.Double, at: func(k int) any { return float64(k) / 10 }, special: []any{math.NaN(), math.Copysign(0, -1), 0.0, math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, 0.1, float64(1 << 53)}, means: bytesOf},
		{name: "f16", typ: gen.FixedLenByteArray, length: 2, logical: gen.Float16Type(), at: func(k int) any { return half(float64(k%4000) / 4) },
			special: []any{"\x00\x7e", "\x00\x80", "\x00\x00", "\x00\x7c", "\x00\xfc", "\x01\x00", "\xff\x7b"}, means: halfMeans},
		{name: "str", typ: gen.ByteArray, logical: gen.StringType(), family: texts, at: text, special: oddTexts, means: bytesOf},
		{name: "enum", typ: gen.ByteArray, logical: gen.EnumType(), family: texts, at: func(k int) any { return "e" + word(k%50) }, means: bytesOf},
		{name: "json", typ: gen.ByteArray, logical: gen.JSONType(), family: texts, at: func(k int) any { return fmt.Sprintf(`{"k":%05d}`, k+50000) }, means: bytesOf},
		{name: "bin", typ: gen.ByteArray, family: texts, at: text, special: oddTexts, means: bytesOf},
		{name: "fix", typ: gen.FixedLenByteArray, length: 5, family: texts, at: fixedText(5), special: []any{"\x00\x00\x00\x00\x00", "\xff\xff\xff\xff\xff"}, means: bytesOf},
		{name: "fixlong", typ: gen.FixedLenByteArray, length: 100, family: texts, at: fixedText(100), means: bytesOf},
		{name: "uuid", typ: gen.FixedLenByteArray, length: 16, logical: gen.UUIDType(), family: uuids, at: func(k int) any { return bigEndian(int64(k+1<<20), 16) },
			special: []any{strings.Repeat("\xff", 16), strings.Repeat("\x00", 16)}, means: bytesOf},
		{name: "date", typ: gen.Int32, logical: gen.DateType(), family: moments, at: func(k int) any { return int32(19_000 + k) }, special: []any{int32(0), int32(-1), int32(-719_529), int32(2_932_896)},
			means: fromInt32(func(v int64) any { return times(v, 86400e9) })},
		{name: "tms", typ: gen.Int64, logical: gen.TimestampType(gen.Millis, true), family: moments, at: stamp, special: []any{int64(0), int64(-1), int64(253_402_300_799_999)},
			means: fromInt64(func(v int64) any { return times(v, 1e6) })},
		{name: "tus", typ: gen.Int64, logical: gen.TimestampType(gen.Micros, false), family: moments, at: func(k int) any { return stamp(k).(int64)*1000 + int64(k%3) }, special: []any{int64(0), int64(-1), int64(math.MaxInt64), int64(math.MinInt64)},
			means: fromInt64(func(v int64) any { return times(v, 1e3) })},
		{name: "tns", typ: gen.Int64, logical: gen.TimestampType(gen.Nanos, true), family: moments, at: func(k int) any { return stamp(k).(int64)*1_000_000 + int64(k%3) }, special: []any{int64(0), int64(math.MinInt64)}, means: fromInt64(itself)},
		{name: "lms", typ: gen.FixedLenByteArray, length: 12, logical: gen.TimestampType(gen.Millis, true), family: moments, at: func(k int) any { return longStamp(stamp(k).(int64), 0) },
			special: []any{longStamp(1, 66), longStamp(-1, 66), longStamp(-1, 0)}, means: longMeans(1e6)},
		{name: "lus", typ: gen.FixedLenByteArray, length: 12, logical: gen.TimestampType(gen.Micros, false), family: moments, at: func(k int) any { return longStamp(stamp(k).(int64)*1000+int64(k%3), 0) },
			special: []any{longStamp(3, 74), longStamp(-1, 75), longStamp(math.MaxInt64, 0)}, means: longMeans(1e3)},
		{name: "lns", typ: gen.FixedLenByteArray, length: 12, logical: gen.TimestampType(gen.Nanos, true), family: moments, at: func(k int) any { return longStamp(stamp(k).(int64)*1_000_000+int64(k%3), 0) },
			special: []any{longStamp(1, 86), longStamp(-1, 86), longStamp(0, 0), longStamp(253_402_300_799*5_000_000, 1)}, means: longMeans(1)},
		{name: "i96", typ: gen.Int96, family: moments, at: func(k int) any { return int96(int64(k&7)*1e9, julianEpoch+19_000+k>>3) }, special: []any{int96(0, julianEpoch), int96(86_399_999_999_999, 0)}, means: int96Means},
		{name: "oms", typ: gen.Int32, logical: gen.TimeType(gen.Millis, true), family: clocks, at: func(k int) any { return int32(43_200_000 + k*2003) }, special: []any{int32(0), int32(86_399_999)},
			means: fromInt32(func(v int64) any { return times(v, 1e6) })},
		{name: "ons", typ: gen.Int64, logical: gen.TimeType(gen.Nanos, false), family: clocks, at: func(k int) any { return 43_200e9 + int64(k)*2_000_000_003 }, special: []any{int64(0), int64(86_399_999_999_999)}, means: fromInt64(itself)},
		{name: "interval", typ: gen.FixedLenByteArray, length: 12, logical: gen.IntervalType(), family: unordered, at: fixedText(12), means: bytesOf},
		{name: "unknown", typ: gen.Int32, logical: gen.UnknownType(), family: nothing, at: i32, means: func(any) any { return nil }},
	}
}

// doubleOf returns a float of any width as a double.
func doubleOf(v any) (f float64, isFloat bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case naive.Single:
		return float64(v), true
	case naive.Half:
		return float64(v), true
	}
	return 0, false
}
