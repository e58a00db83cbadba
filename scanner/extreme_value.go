package scanner

import (
	"cmp"
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/pageindex"
)

// end returns the slot with the value at one end of v, which is flat and has no
// NULLs; -1 if there is none.
func end(v *vector.Vector, s side, c *pageindex.Column) (int, error) {
	if v.Len == 0 {
		return -1, nil
	}
	// Integers with their bits swapped have the reverse order; unsigned ones
	// with the first bit swapped that of signed ones.
	flip := int64(0)
	if s == greatest {
		flip = -1
	}
	unsigned := v.Type.Logical == vector.Integer && !v.Type.Signed
	switch v.Type.Store() {
	case vector.InBools:
		at := bits.NextClear(v.Bools, 0, v.Len)
		if s == greatest {
			at = bits.Next(v.Bools, 0, v.Len)
		}
		return at % v.Len, nil // any, if all are the same
	case vector.InInt32s:
		if unsigned {
			flip ^= math.MinInt32
		}
		return leastInt(v.Int32s[:v.Len], int32(flip)), nil
	case vector.InInt64s:
		if unsigned {
			flip ^= math.MinInt64
		}
		return leastInt(v.Int64s[:v.Len], flip), nil
	case vector.InFloats:
		return leastFloat(v.Floats[:v.Len], -float32(s)), nil
	case vector.InDoubles:
		return leastFloat(v.Doubles[:v.Len], -float64(s)), nil
	}
	best := -1
	for i := range v.Len {
		b := v.Bytes(i)
		switch {
		case v.Type.Logical == vector.Decimal && len(b) == 0:
			return -1, corrupt.At(-1, "decimal of no bytes")
		case v.Type.Logical == vector.Float16 && isNaN(vector.HalfToFloat(binary.LittleEndian.Uint16(b))):
		case best < 0 || int(s)*c.Compare(b, v.Bytes(best)) > 0:
			best = i
		}
	}
	return best, nil
}

func leastInt[T int32 | int64](values []T, flip T) int {
	best := 0
	low := values[0] ^ flip
	for i, v := range values {
		if v ^= flip; v < low {
			best, low = i, v
		}
	}
	return best
}

func leastFloat[T float32 | float64](values []T, sign T) int {
	best := -1
	var low T
	for i, v := range values {
		if v *= sign; v < low || best < 0 && !isNaN(v) {
			best, low = i, v
		}
	}
	return best
}

func isNaN[T cmp.Ordered](v T) bool { return v != v }

// plainOf returns the PLAIN encoding of a slot, without length prefix.
func plainOf(v *vector.Vector, i int) []byte {
	switch v.Type.Store() {
	case vector.InBools:
		if bits.Get(v.Bools, i) {
			return []byte{1}
		}
		return []byte{0}
	case vector.InInt32s:
		return binary.LittleEndian.AppendUint32(nil, uint32(v.Int32s[i]))
	case vector.InInt64s:
		return binary.LittleEndian.AppendUint64(nil, uint64(v.Int64s[i]))
	case vector.InFloats:
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v.Floats[i]))
	case vector.InDoubles:
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v.Doubles[i]))
	}
	return append([]byte{}, v.Bytes(i)...)
}

// oneSlot returns a vector of one value, given in PLAIN encoding, or NULL.
func oneSlot(t vector.Type, plain []byte) *vector.Vector {
	v := &vector.Vector{}
	v.Reset(t)
	if plain == nil {
		v.AppendNulls(1)
		return v
	}
	v.Extend(1)
	switch t.Store() {
	case vector.InBools:
		v.Bools[0] = uint64(plain[0])
	case vector.InInt32s:
		v.Int32s[0] = int32(binary.LittleEndian.Uint32(plain))
	case vector.InInt64s:
		v.Int64s[0] = int64(binary.LittleEndian.Uint64(plain))
	case vector.InFloats:
		v.Floats[0] = math.Float32frombits(binary.LittleEndian.Uint32(plain))
	case vector.InDoubles:
		v.Doubles[0] = math.Float64frombits(binary.LittleEndian.Uint64(plain))
	case vector.InFixed:
		copy(v.Fixed, plain)
	case vector.InViews:
		plain = append([]byte{}, plain...) // what is in a footer's memory would hold on to it
		v.Views[0] = bits.Make(plain, v.AddBuffer(plain), 0)
	}
	return v
}
