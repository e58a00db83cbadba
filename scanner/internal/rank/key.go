package rank

import (
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
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

// valueOf returns the value of type t that has a key.
func valueOf(t vector.Type, key int64, of Side) vector.Scalar {
	if of == Greatest {
		key = ^key
	}
	var plain []byte
	switch t.Store() {
	case vector.InBools:
		plain = []byte{byte(key)}
	case vector.InInt32s:
		plain = binary.LittleEndian.AppendUint32(nil, uint32(key))
	case vector.InInt64s:
		if isUnsigned(t) {
			key ^= math.MinInt64
		}
		plain = binary.LittleEndian.AppendUint64(nil, uint64(key))
	case vector.InFloats:
		plain = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.Float64frombits(uint64(flipNegative(key))))))
	case vector.InDoubles:
		plain = binary.LittleEndian.AppendUint64(nil, uint64(flipNegative(key)))
	}
	v, _ := vector.PlainOf(t, plain)
	return v
}

// flatOf returns a value, given in PLAIN encoding, as a flat vector of one slot.
func flatOf(t vector.Type, plain []byte) *vector.Vector {
	s, _ := vector.PlainOf(t, plain)
	v := s.Vector(1)
	v.Flatten()
	return v
}
