package summary

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// kind is how values of a column are compared and counted.
type kind uint8

const (
	unknown   kind = iota // only counted
	signed                // keys: the number
	unsigned              // the number, with its first bit flipped
	float32s              // its bits, those of negative ones flipped
	float64s              // the same
	float16s              // the same
	booleans              // 0 and 1
	texts                 // bytes that sort as they are
	decimals              // bytes of a big-endian number
	int96s                // bytes of nanoseconds and a Julian day
	unordered             // bytes that do not sort
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
		case vector.Interval, vector.BSON, vector.Geometry, vector.Geography, vector.Unrecognised:
			return unordered
		}
		return texts
	}
	return unknown
}

// hasKeys reports whether values have keys that are numbers.
func (k kind) hasKeys() bool { return k >= signed && k <= booleans }

// isNumber reports whether a mean and a histogram of the values say something.
func (k kind) isNumber() bool {
	return k >= signed && k <= float16s || k == decimals || k == int96s
}

// compare compares values that are bytes.
func (k kind) compare(a, b []byte) int {
	switch k {
	case decimals:
		return bits.CompareDecimals(a, b)
	case int96s:
		return cmp.Or(cmp.Compare(int32(binary.LittleEndian.Uint32(a[8:])), int32(binary.LittleEndian.Uint32(b[8:]))),
			cmp.Compare(int64(binary.LittleEndian.Uint64(a)), int64(binary.LittleEndian.Uint64(b))))
	}
	return bytes.Compare(a, b)
}

// number returns a value that is bytes as a number: of a decimal without its
// scale, of a moment in nanoseconds since 1970.
func (k kind) number(b []byte) float64 {
	if k == int96s {
		const unixDay, nanosPerDay = 2440588, 86400e9
		return (float64(int32(binary.LittleEndian.Uint32(b[8:])))-unixDay)*nanosPerDay + float64(int64(binary.LittleEndian.Uint64(b)))
	}
	if len(b) == 0 {
		return 0
	}
	x := float64(int8(b[0]))
	for _, c := range b[1:] {
		x = x*256 + float64(c)
	}
	return x
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

// halfOf returns the bits of a number that came from a FLOAT16.
func halfOf(x float64) uint16 {
	b := math.Float32bits(float32(x))
	top := uint16(b >> 16 & 0x8000)
	exponent, fraction := int(b>>23&0xff)-127, uint16(b>>13&0x3ff)
	switch {
	case exponent == 128:
		return top | 0x7c00 | fraction
	case exponent >= -14:
		return top | uint16(exponent+15)<<10 | fraction
	case x == 0:
		return top
	}
	return top | uint16((b&0x7fffff|0x800000)>>(uint(-1-exponent)))
}
