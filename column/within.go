package column

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
)

// narrowFlat is t.Narrow, by a kernel where there is one.
func narrowFlat(sel []uint64, v *vector.Vector, t *pred.Test) {
	if !narrowNumbers(sel, v, 0, v.Len, t) {
		t.Narrow(sel, v)
	}
}

// narrowNumbers tests values [from, to) of v, if they are numbers without NULLs
// and t is a Range.
func narrowNumbers(sel []uint64, v *vector.Vector, from, to int, t *pred.Test) (known bool) {
	switch v.Type.Store() {
	case vector.InInt32s:
		return within(sel, v.Int32s[from:to], t)
	case vector.InInt64s:
		return within(sel, v.Int64s[from:to], t)
	case vector.InFloats:
		return within(sel, v.Floats[from:to], t)
	case vector.InDoubles:
		return within(sel, v.Doubles[from:to], t)
	}
	return false
}

// within runs the kernel for a Range, if t is one.
func within[T encoding.Number](sel []uint64, values []T, t *pred.Test) bool {
	lo, hi, ok := bounds[T](t)
	if !ok || t.Negate || t.Kind != pred.Range {
		return false
	}
	encoding.Within(sel, values, lo, hi)
	return true
}
