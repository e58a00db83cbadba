package answer

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
)

func TestWiderTypes(t *testing.T) {
	integer := func(bits uint8, signed bool) vector.Type {
		p := vector.Int32
		if bits == 64 {
			p = vector.Int64
		}
		return vector.Type{Physical: p, Logical: vector.Integer, Bits: bits, Signed: signed}
	}
	decimal := func(precision, scale int32) vector.Type {
		return vector.Type{Physical: vector.Int64, Logical: vector.Decimal, Precision: precision, Scale: scale}
	}
	int32s, int64s := vector.Type{Physical: vector.Int32}, vector.Type{Physical: vector.Int64}
	for _, tc := range [][3]vector.Type{
		{int32s, int64s, int64s}, {integer(8, true), integer(16, true), integer(16, true)}, {integer(8, true), int32s, int32s},
		{int32s, integer(64, true), integer(64, true)}, {{Physical: vector.Float}, {Physical: vector.Double}, {Physical: vector.Double}},
		{decimal(9, 2), decimal(12, 4), decimal(12, 4)}, {{Physical: vector.Int32, Logical: vector.Null}, int64s, int64s},
	} {
		if got := widerType(tc[0], tc[1]); got != tc[2] {
			t.Errorf("%v and %v: %v", tc[0], tc[1], got)
		}
		if got := widerType(tc[1], tc[0]); got != tc[2] && tc[0].Logical != vector.Null {
			t.Errorf("%v and %v: %v", tc[1], tc[0], got)
		}
	}
	for _, tc := range [][2]vector.Type{
		{integer(32, false), int64s}, {decimal(9, 4), decimal(9, 2)}, {int64s, {Physical: vector.Double}}, {int32s, {Physical: vector.Int32, Logical: vector.Date}},
	} {
		if a, b := widerType(tc[0], tc[1]), widerType(tc[1], tc[0]); a != tc[0] || b != tc[1] {
			t.Errorf("%v and %v: %v, %v", tc[0], tc[1], a, b)
		}
	}
}
