package pred

import (
	"math"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// keepNumbers is Filter by a kernel, if the values are numbers and t is a Range or a Set of few of them.
func (t *Test) keepNumbers(sel []uint64, v *vector.Vector) (known bool) {
	switch v.Type.Store() {
	case vector.InInt32s:
		return within(sel, v.Int32s[:v.Len], t)
	case vector.InInt64s:
		return within(sel, v.Int64s[:v.Len], t)
	case vector.InFloats:
		return within(sel, v.Floats[:v.Len], t)
	case vector.InDoubles:
		return within(sel, v.Doubles[:v.Len], t)
	}
	return false
}

// withinBlock is how many values are compared with each of a few at a time: they stay in the processor's cache.
const withinBlock = 2048

// within runs the kernel for a Range, or for each value of a small Set.
func within[T encoding.Number](sel []uint64, values []T, t *Test) bool {
	var room [fewNumbers][2]T
	intervals := room[:1]
	var ok bool
	if intervals[0][0], intervals[0][1], ok = Bounds[T](t); !ok {
		if intervals, ok = points(room[:0], t); !ok {
			return false
		}
	}
	if len(intervals) == 1 && !t.Negate {
		encoding.Within(sel, values, intervals[0][0], intervals[0][1])
		return true
	}
	var outside, inside [withinBlock / 64]uint64
	for len(values) > 0 {
		n := min(len(values), withinBlock)
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
func points[T encoding.Number](dst [][2]T, t *Test) ([][2]T, bool) {
	if t.Kind != Set {
		return dst, false
	}
	switch any(*new(T)).(type) {
	case int32, int64:
		for _, x := range t.set.ints {
			if p := T(x); int64(p) == x {
				dst = append(dst, [2]T{p, p})
			}
		}
		return dst, t.set.ints != nil
	case float32, float64:
		for _, x := range t.set.floats {
			if p := T(x); float64(p) == x {
				dst = append(dst, [2]T{p, p})
			}
		}
		return dst, t.set.floats != nil
	}
	return dst, false
}

// Bounds returns the bounds of a Range as T, lo > hi if no T is in it. It is not ok for
// other tests.
func Bounds[T encoding.Number](t *Test) (lo, hi T, ok bool) {
	switch any(lo).(type) {
	case int32:
		l, h, ok := t.Ints()
		if l > math.MaxInt32 || h < math.MinInt32 {
			return 1, 0, ok
		}
		return T(max(l, math.MinInt32)), T(min(h, math.MaxInt32)), ok
	case int64:
		l, h, ok := t.Ints()
		return T(l), T(h), ok
	case float32:
		l, h, ok := t.Floats()
		return T(inward(l, 1)), T(inward(h, -1)), ok
	case float64:
		l, h, ok := t.Floats()
		return T(l), T(h), ok
	}
	return lo, hi, false
}

// inward returns x as a float32, or if there is none, the next one in a direction.
func inward(x float64, direction int) float32 {
	f := float32(x)
	if direction > 0 && float64(f) < x || direction < 0 && float64(f) > x {
		f = math.Nextafter32(f, float32(math.Inf(direction)))
	}
	return f
}
