package rank

import (
	"cmp"
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/pageindex"
)

// Extreme returns the slot with the least or Greatest value of v, which is flat and has
// no NULLs; -1 if there is none.
func Extreme(v *vector.Vector, s Side, c *pageindex.Column) (int, error) {
	if v.Len == 0 {
		return -1, nil
	}
	// Integers with their bits swapped have the reverse order; unsigned ones
	// with the first bit swapped that of signed ones.
	flip := int64(0)
	if s == Greatest {
		flip = -1
	}
	unsigned := v.Type.Logical == vector.Integer && !v.Type.Signed
	switch v.Type.Store() {
	case vector.InBools:
		at := bits.NextClear(v.Bools, 0, v.Len)
		if s == Greatest {
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
