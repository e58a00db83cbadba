package values

import (
	"github.com/winnow-scan/winnow/column/pred"
	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// FilterFlat is t.Filter for vectors without NULLs, by a kernel if there is one.
func FilterFlat(sel []uint64, v *vector.Vector, t *pred.Test) {
	if !filterNumbers(sel, v, 0, v.Len, t) {
		t.Filter(sel, v)
	}
}

// filterNumbers tests values [from, to) of v, without NULLs, by a kernel if they are
// numbers and t is a Range or a Set of few of them.
func filterNumbers(sel []uint64, v *vector.Vector, from, to int, t *pred.Test) (known bool) {
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

// within runs the kernel for a Range, or for each value of a small Set.
func within[T encoding.Number](sel []uint64, values []T, t *pred.Test) bool {
	var room [pred.Few][2]T
	intervals := room[:1]
	var ok bool
	if intervals[0][0], intervals[0][1], ok = bounds[T](t); !ok {
		if intervals, ok = points(room[:0], t); !ok {
			return false
		}
	}
	if len(intervals) == 1 && !t.Negate {
		encoding.Within(sel, values, intervals[0][0], intervals[0][1])
		return true
	}
	var outside, inside [keptBlock / 64]uint64
	for len(values) > 0 {
		n := min(len(values), keptBlock)
		words := copy(outside[:], sel[:bits.Words(n)])
		for _, x := range intervals {
			copy(inside[:], outside[:words])
			encoding.Within(inside[:words], values[:n], x[0], x[1])
			bits.Drop(outside[:], inside[:], n)
		}
		if t.Negate {
			copy(sel, outside[:words])
		} else {
			bits.Drop(sel, outside[:], n)
		}
		values, sel = values[n:], sel[words:]
	}
	return true
}

// points appends the values of a small Set over T, each as an interval.
func points[T encoding.Number](dst [][2]T, t *pred.Test) ([][2]T, bool) {
	switch any(*new(T)).(type) {
	case int32, int64:
		values, ok := t.FewInts()
		for _, x := range values {
			if p := T(x); int64(p) == x {
				dst = append(dst, [2]T{p, p})
			}
		}
		return dst, ok
	case float32, float64:
		values, ok := t.FewFloats()
		for _, x := range values {
			if p := T(x); float64(p) == x {
				dst = append(dst, [2]T{p, p})
			}
		}
		return dst, ok
	}
	return dst, false
}
