package encoding

// Number is a physical type of fixed size that compares with <.
type Number interface {
	int32 | int64 | uint32 | uint64 | float32 | float64
}

// Within clears bit i of sel unless lo <= values[i] <= hi. NaN is within no bounds, and
// -0 equals +0. It is the kernel of every Range.
func Within[T Number](sel []uint64, values []T, lo, hi T) {
	full := len(values) / 64
	sel = sel[:(len(values)+63)/64]
	if !(lo <= hi) {
		clear(sel[:full])
	} else {
		within(sel[:full], values[:full*64], lo, hi)
	}
	if rest := values[full*64:]; len(rest) > 0 {
		var last [64]T
		copy(last[:], rest)
		w := [1]uint64{}
		if lo <= hi {
			w[0] = sel[full]
			within(w[:], last[:], lo, hi)
		}
		behind := ^uint64(0) << len(rest)
		sel[full] = sel[full]&behind | w[0]&^behind
	}
}

// oneIf compiles to a set on condition, not to a branch.
func oneIf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
