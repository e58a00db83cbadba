package rank

import (
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/filter"
)

func isFloat(t vector.Type) bool { return t.Physical == vector.Float || t.Physical == vector.Double }

// isUnsigned reports whether values of type t are unsigned integers.
func isUnsigned(t vector.Type) bool { return t.Logical == vector.Integer && !t.Signed }

// keyOfNaN differs from the key of every other value.
const keyOfNaN = math.MaxInt64

// appendKeys appends the keys of v's slots, which are numbers. Keys are integers in the
// order of the values, or in the reverse order for the Greatest.
//
//	UINT64     0 … 2⁶³-1 2⁶³ … 2⁶⁴-1         first bit swapped
//	DOUBLE     -Inf … -1 … ±0 … 1 … Inf      as bits, all but the first swapped where it is set
func appendKeys(keys []int64, v *vector.Vector, of Side) []int64 {
	first := len(keys)
	switch n := v.Len; v.Type.Store() {
	case vector.InBools:
		for i := range n {
			keys = append(keys, int64(v.Bools[i/64]>>(i%64)&1))
		}
	case vector.InInt32s:
		mask := int64(-1)
		if isUnsigned(v.Type) {
			mask = math.MaxUint32
		}
		for _, value := range v.Int32s[:n] {
			keys = append(keys, int64(value)&mask)
		}
	case vector.InInt64s:
		swap := int64(0)
		if isUnsigned(v.Type) {
			swap = math.MinInt64
		}
		for _, value := range v.Int64s[:n] {
			keys = append(keys, value^swap)
		}
	case vector.InFloats:
		for _, value := range v.Floats[:n] {
			keys = append(keys, keyOfFloat(float64(value)))
		}
	case vector.InDoubles:
		for _, value := range v.Doubles[:n] {
			keys = append(keys, keyOfFloat(value))
		}
	}
	if of == Greatest {
		for i, key := range keys[first:] {
			if key != keyOfNaN || !isFloat(v.Type) {
				keys[first+i] = ^key
			}
		}
	}
	return keys
}

func keyOfFloat(value float64) int64 {
	if isNaN(value) {
		return keyOfNaN
	}
	return flipNegative(int64(math.Float64bits(value + 0))) // -0 becomes 0
}

// flipNegative maps the bits of a double to an integer with the same order, and back.
func flipNegative(b int64) int64 {
	if b < 0 {
		b ^= math.MaxInt64
	}
	return b
}

// valueOf returns the value of type t that has a key, as a slot.
func valueOf(t vector.Type, key int64, of Side) *vector.Vector {
	if of == Greatest {
		key = ^key
	}
	v := &vector.Vector{}
	build.Reset(v, t)
	build.Extend(v, 1)
	switch t.Store() {
	case vector.InBools:
		v.Bools[0] = uint64(key)
	case vector.InInt32s:
		v.Int32s[0] = int32(key)
	case vector.InInt64s:
		if v.Int64s[0] = key; isUnsigned(t) {
			v.Int64s[0] ^= math.MinInt64
		}
	case vector.InFloats:
		v.Floats[0] = float32(math.Float64frombits(uint64(flipNegative(key))))
	case vector.InDoubles:
		v.Doubles[0] = math.Float64frombits(uint64(flipNegative(key)))
	}
	return v
}

// literalOf returns a value, given in PLAIN encoding, as a literal for package filter.
//
//every:logical literal but MAP LIST INTEGER UNKNOWN BSON VARIANT GEOMETRY GEOGRAPHY FILE (layouts; by their physical type)
func literalOf(t vector.Type, plain []byte) any {
	switch t.Logical {
	case vector.Decimal:
		text, _ := vector.AppendText(nil, t, plain)
		return filter.Decimal(string(text))
	case vector.Date, vector.Time, vector.Timestamp, vector.UUID:
		text, _ := vector.AppendText(nil, t, plain)
		return string(text)
	case vector.String, vector.Enum, vector.JSON:
		return string(plain)
	case vector.Float16:
		return float64(vector.HalfToFloat(binary.LittleEndian.Uint16(plain)))
	}
	switch t.Physical {
	case vector.Boolean:
		return plain[0] != 0
	case vector.Int32:
		n := binary.LittleEndian.Uint32(plain)
		if isUnsigned(t) {
			return n
		}
		return int32(n)
	case vector.Int64:
		n := binary.LittleEndian.Uint64(plain)
		if isUnsigned(t) {
			return n
		}
		return int64(n)
	case vector.Float:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(plain)))
	case vector.Double:
		return math.Float64frombits(binary.LittleEndian.Uint64(plain))
	}
	return plain
}
