package pageindex

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/schema"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/thrift"
)

func columnOf(t vector.Type, order thrift.Arm) Column {
	return ColumnOf(&schema.Node{Type: t, MaxDef: 1}, order)
}

func u16(v uint16) []byte { return binary.LittleEndian.AppendUint16(nil, v) }
func u32(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }
func u64(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }
func i32(v int32) []byte  { return u32(uint32(v)) }
func i64(v int64) []byte  { return u64(uint64(v)) }
func f32(v float32) []byte {
	return u32(math.Float32bits(v))
}
func f64(v float64) []byte {
	return u64(math.Float64bits(v))
}

// long returns a timestamp of 12 bytes.
func long(high int64, low uint32) []byte { return append(u32(low), i64(high)...) }

func int96(day int32, nanos int64) []byte { return append(i64(nanos), i32(day)...) }

var (
	boolean    = vector.Type{Physical: vector.Boolean}
	int32s     = vector.Type{Physical: vector.Int32}
	int64s     = vector.Type{Physical: vector.Int64}
	uint32s    = vector.Type{Physical: vector.Int32, Logical: vector.Integer, Bits: 32}
	uint64s    = vector.Type{Physical: vector.Int64, Logical: vector.Integer, Bits: 64}
	int8s      = vector.Type{Physical: vector.Int32, Logical: vector.Integer, Bits: 8, Signed: true}
	dates      = vector.Type{Physical: vector.Int32, Logical: vector.Date}
	int96s     = vector.Type{Physical: vector.Int96}
	floats     = vector.Type{Physical: vector.Float}
	doubles    = vector.Type{Physical: vector.Double}
	halves     = vector.Type{Physical: vector.FixedLenByteArray, Length: 2, Logical: vector.Float16}
	texts      = vector.Type{Physical: vector.ByteArray, Logical: vector.String}
	uuids      = vector.Type{Physical: vector.FixedLenByteArray, Length: 16, Logical: vector.UUID}
	decimals   = vector.Type{Physical: vector.ByteArray, Logical: vector.Decimal, Precision: 40, Scale: 2}
	decimal32  = vector.Type{Physical: vector.Int32, Logical: vector.Decimal, Precision: 9, Scale: 2}
	decimal5   = vector.Type{Physical: vector.FixedLenByteArray, Length: 5, Logical: vector.Decimal, Precision: 10, Scale: 2}
	intervals  = vector.Type{Physical: vector.FixedLenByteArray, Length: 12, Logical: vector.Interval}
	shapes     = vector.Type{Physical: vector.ByteArray, Logical: vector.Geometry}
	newer      = vector.Type{Physical: vector.Int32, Logical: vector.Unrecognised}
	longStamps = vector.Type{Physical: vector.FixedLenByteArray, Length: 12, Logical: vector.Timestamp, Unit: vector.Nanos}
	nulls      = vector.Type{Physical: vector.Int32, Logical: vector.Null}
)

// Values of each type in ascending order; those within one list are equal.
func TestCompareFollowsTheMeaning(t *testing.T) {
	for _, test := range []struct {
		typ   vector.Type
		order [][][]byte
	}{
		{boolean, [][][]byte{{{0}}, {{1}}}},
		{int32s, [][][]byte{{i32(math.MinInt32)}, {i32(-1)}, {i32(0)}, {i32(1)}, {i32(256)}, {i32(math.MaxInt32)}}},
		{dates, [][][]byte{{i32(-1)}, {i32(0)}, {i32(20000)}}},
		{decimal32, [][][]byte{{i32(-1)}, {i32(0)}, {i32(20000)}}},
		{uint32s, [][][]byte{{i32(0)}, {i32(1)}, {i32(math.MaxInt32)}, {i32(math.MinInt32)}, {i32(-1)}}},
		{int64s, [][][]byte{{i64(math.MinInt64)}, {i64(-1)}, {i64(0)}, {i64(1 << 40)}}},
		{uint64s, [][][]byte{{i64(0)}, {i64(math.MaxInt64)}, {i64(math.MinInt64)}, {i64(-1)}}},
		{floats, [][][]byte{{f32(float32(math.Inf(-1)))}, {f32(-2)}, {f32(-1)}, {f32(0), u32(1 << 31)}, {f32(1e-45)}, {f32(1)}, {f32(float32(math.Inf(1)))}}},
		{doubles, [][][]byte{{f64(math.Inf(-1))}, {f64(-2)}, {f64(0), u64(1 << 63)}, {f64(5e-324)}, {f64(math.MaxFloat64)}, {f64(math.Inf(1))}}},
		{halves, [][][]byte{{u16(0xfc00)}, {u16(0xc000)}, {u16(0xbc00)}, {u16(0), u16(0x8000)}, {u16(1)}, {u16(0x3c00)}, {u16(0x7c00)}}},
		{int96s, [][][]byte{{int96(-5, 0)}, {int96(2440588, 0)}, {int96(2440588, 86399)}, {int96(2440589, 0)}}},
		{longStamps, [][][]byte{{long(math.MinInt64, 0)}, {long(-2, 1<<31)}, {long(-1, 0)}, {long(-1, math.MaxUint32)}, {long(0, 0)}, {long(0, 1<<31)}, {long(1, 0)}, {long(math.MaxInt64, 5)}}},
		{texts, [][][]byte{{{}}, {[]byte("A")}, {[]byte("a")}, {[]byte("a\x00")}, {[]byte("ab")}, {[]byte("é")}, {{0xff}}}},
		{uuids, [][][]byte{{make([]byte, 16)}, {append([]byte{0x7f}, make([]byte, 15)...)}, {append([]byte{0x80}, make([]byte, 15)...)}}},
		{decimals, [][][]byte{
			{{0x80, 0, 0}, {0xff, 0x80, 0, 0}},
			{{0xff, 0x7f}, {0xff, 0xff, 0x7f}},
			{{0x80}, {0xff, 0x80}},
			{{0xff}, {0xff, 0xff, 0xff}},
			{{0}, {0, 0}},
			{{1}, {0, 0, 1}},
			{{0x7f}},
			{{0, 0x80}, {0, 0, 0x80}},
			{{1, 0}},
		}},
		{decimal5, [][][]byte{{{0x80, 0, 0, 0, 0}}, {{0xff, 0xff, 0xff, 0xff, 0xff}}, {{0, 0, 0, 0, 0}}, {{0, 0, 0, 0, 1}}, {{0x7f, 0, 0, 0, 0}}}},
	} {
		c := columnOf(test.typ, thrift.OrderOfType)
		for i, lows := range test.order {
			for j, highs := range test.order {
				for _, a := range lows {
					for _, b := range highs {
						want := 0
						if i != j {
							want = 1 - 2*b2i(i < j)
						}
						if !c.fits(a) || !c.Ordered() || c.IsNaN(a) {
							t.Errorf("%v: % x is no value", test.typ, a)
						} else if got := c.Compare(a, b); got != want {
							t.Errorf("%v: % x against % x is %d, want %d", test.typ, a, b, got, want)
						}
					}
				}
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestCompareDecimalsAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() ([]byte, *big.Int) {
		b := make([]byte, 1+r.IntN(20))
		for i := range b {
			b[i] = []byte{0, 1, 0x7f, 0x80, 0xff, byte(r.Uint32())}[r.IntN(6)]
		}
		v := new(big.Int).SetBytes(b)
		if b[0] >= 0x80 {
			v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		return b, v
	}
	for range 50000 {
		a, x := number()
		b, y := number()
		if got := pred.CompareDecimals(a, b); got != x.Cmp(y) {
			t.Fatalf("% x against % x: %d", a, b, got)
		}
	}
}
