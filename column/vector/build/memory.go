package build

import (
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Memory returns the memory of the slots [from, to) of a leaf that is not Constant, and how many bytes each takes: of
// codes, or of values, which must not be booleans, for these are bits. Len need not include the slots yet.
func Memory(v *vector.Vector, from, to int) (b []byte, width int) {
	if v.Form == vector.Dictionary {
		return slots(v.Codes, from, to)
	}
	switch v.Type.Store() {
	case vector.InInt32s:
		return slots(v.Int32s, from, to)
	case vector.InInt64s:
		return slots(v.Int64s, from, to)
	case vector.InFloats:
		return slots(v.Floats, from, to)
	case vector.InDoubles:
		return slots(v.Doubles, from, to)
	case vector.InViews:
		return slots(v.Views, from, to)
	}
	width = v.Type.Width()
	return v.Fixed[from*width : to*width], width
}

func slots[T uint32 | int32 | int64 | float32 | float64 | bits.View](values []T, from, to int) (b []byte, width int) {
	return encoding.Memory(values[from:to]), encoding.SizeOf[T]()
}
