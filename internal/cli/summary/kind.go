package summary

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"math/big"
	"sort"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// kind is how values of a column are compared and counted.
type kind uint8

const (
	unknown    kind = iota // only counted
	signed                 // keys: the number
	unsigned               // the number, with its first bit flipped
	float32s               // its bits, those of negative ones flipped
	float64s               // the same
	float16s               // the same
	booleans               // 0 and 1
	texts                  // bytes that sort as they are
	decimals               // bytes of a big-endian number
	int96s                 // bytes of nanoseconds and a Julian day
	longStamps             // bytes of a little-endian number
	unordered              // bytes that do not sort
)

func kindOf(t vector.Type) kind {
	switch t.Physical {
	case vector.Boolean:
		return booleans
	case vector.Int32, vector.Int64:
		if t.Logical == vector.Null {
			return unknown
		}
		if t.Logical == vector.Integer && !t.Signed {
			return unsigned
		}
		return signed
	case vector.Float:
		return float32s
	case vector.Double:
		return float64s
	case vector.Int96:
		return int96s
	case vector.ByteArray, vector.FixedLenByteArray:
		switch t.Logical {
		case vector.Null:
			return unknown
		case vector.Decimal:
			return decimals
		case vector.Float16:
			return float16s
		case vector.Timestamp:
			return longStamps
		case vector.Interval, vector.BSON, vector.Geometry, vector.Geography, vector.Unrecognised:
			return unordered
		}
		return texts
	}
	return unknown
}

// hasKeys reports whether values have keys that are numbers.
func (k kind) hasKeys() bool { return k >= signed && k <= booleans }

// hasMean reports whether a mean and a histogram of the values say something.
func (k kind) hasMean() bool {
	return k >= signed && k <= float16s || k == decimals || k == int96s
}

// isFloat reports whether values are floats, which may be NaN or infinite.
func (k kind) isFloat() bool { return k >= float32s && k <= float16s }

// compare compares values that are bytes.
func (k kind) compare(a, b []byte) int {
	switch k {
	case decimals:
		return bits.CompareDecimals(a, b)
	case longStamps:
		return vector.CompareLongStamps(a, b)
	case int96s:
		day, nanos := vector.SplitInt96(a)
		otherDay, otherNanos := vector.SplitInt96(b)
		return cmp.Or(cmp.Compare(day, otherDay), cmp.Compare(nanos, otherNanos))
	}
	return bytes.Compare(a, b)
}

// Numbers that are stored as bytes are whole: those of a decimal without its scale, those of
// a moment in nanoseconds since 1970.

const nanosPerDay = 86400e9

// number returns a value that is bytes as a float.
func (k kind) number(b []byte) float64 {
	if x, ok := k.whole(b); ok {
		return float64(x)
	}
	x, _ := new(big.Float).SetInt(k.big(b)).Float64()
	return x
}

// whole returns a value that is bytes. ok is false where it may not fit.
func (k kind) whole(b []byte) (x int64, ok bool) {
	if k == int96s {
		day, nanos := vector.SplitInt96(b)
		const years = 250 * 366
		return day*nanosPerDay + nanos, -years < day && day < years
	}
	if b = bits.Significant(b); len(b) > 8 {
		return 0, false
	}
	return bits.Int64(b), true
}

// big returns a value that is bytes.
func (k kind) big(b []byte) *big.Int {
	if k == int96s {
		day, nanos := vector.SplitInt96(b)
		x := big.NewInt(day)
		return x.Mul(x, big.NewInt(nanosPerDay)).Add(x, big.NewInt(nanos))
	}
	return bits.SetSigned(new(big.Int), b)
}

// plainInt96 returns a moment in nanoseconds since 1970 as INT96; nil if it does not fit.
func plainInt96(x *big.Int) []byte {
	const unixDay = 2440588
	day, nanos := new(big.Int).DivMod(x, big.NewInt(nanosPerDay), new(big.Int))
	day.Add(day, big.NewInt(unixDay))
	if !day.IsInt64() || int64(int32(day.Int64())) != day.Int64() {
		return nil
	}
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, nanos.Uint64()), uint32(day.Int64()))
}

const sign = math.MinInt64

// floatKey returns the key of a number that is no NaN: 0 and -0 have the same.
func floatKey(x float64) int64 {
	key := int64(math.Float64bits(x + 0))
	if x == 0 {
		return 0
	}
	return key ^ key>>63&math.MaxInt64
}

func keyFloat(key int64) float64 {
	return math.Float64frombits(uint64(key ^ key>>63&math.MaxInt64))
}

// plainOfKey returns a value in the PLAIN encoding, without a length.
func (k kind) plainOfKey(t vector.Type, key int64) []byte {
	switch k {
	case booleans:
		return []byte{byte(key)}
	case float32s:
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(keyFloat(key))))
	case float64s:
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(keyFloat(key)))
	case float16s:
		return binary.LittleEndian.AppendUint16(nil, halfOf(keyFloat(key)))
	case unsigned:
		key ^= sign
	}
	if t.Physical == vector.Int32 {
		return binary.LittleEndian.AppendUint32(nil, uint32(key))
	}
	return binary.LittleEndian.AppendUint64(nil, uint64(key))
}

// halfOf returns the bits of a number that came from a FLOAT16. Those of numbers from 0 on ascend with
// them, up to infinity.
func halfOf(x float64) uint16 {
	const infinity, negative = 0x7c00, 0x8000
	half := uint16(sort.Search(infinity, func(h int) bool { return float64(vector.HalfToFloat(uint16(h))) >= math.Abs(x) }))
	if x < 0 {
		half |= negative
	}
	return half
}
