package encoding

import "math/bits"

// Number is a physical type of fixed size that compares with <.
type Number interface {
	int32 | int64 | uint32 | uint64 | float32 | float64
}

// Within clears the bit i of sel where not lo <= values[i] <= hi. NaN lies
// within nothing, -0 and +0 are equal. It is the kernel behind every Range.
func Within[T Number](sel []uint64, values []T, lo, hi T) {
	full := len(values) / 64
	sel = sel[:(len(values)+63)/64]
	if !(lo <= hi) {
		clear(sel[:full])
	} else {
		within(sel[:full], values[:full*64], lo, hi)
	}
	if rest := values[full*64:]; len(rest) > 0 {
		var w uint64
		for i, x := range rest {
			w |= oneIf(lo <= x && x <= hi) << i
		}
		sel[full] &= w | ^uint64(0)<<len(rest)
	}
}

// withinGo is Within for whole words of sel and lo <= hi.
func withinGo[T Number](sel []uint64, values []T, lo, hi T) {
	switch v := any(values).(type) {
	case []int32:
		withinInts(sel, v, uint32(any(lo).(int32)), uint32(any(hi).(int32)))
	case []int64:
		withinInts(sel, v, uint64(any(lo).(int64)), uint64(any(hi).(int64)))
	case []uint32:
		withinInts(sel, v, any(lo).(uint32), any(hi).(uint32))
	case []uint64:
		withinInts(sel, v, any(lo).(uint64), any(hi).(uint64))
	case []float32:
		withinFloats(sel, v, any(lo).(float32), any(hi).(float32))
	case []float64:
		withinFloats(sel, v, any(lo).(float64), any(hi).(float64))
	}
}

// withinInts needs one comparison: with wrap-around, x - lo <= hi - lo says all.
// U is the unsigned twin of T.
func withinInts[T int32 | int64 | uint32 | uint64, U uint32 | uint64](sel []uint64, values []T, lo, hi U) {
	for i := range sel {
		if sel[i] != 0 {
			sel[i] &^= outside((*[64]T)(values[i*64:]), lo, ^uint64(hi-lo))
		}
	}
}

// outside adds to x - lo what makes a carry of all that is more than hi - lo, whose complement it is told, and moves
// the carry into a word: two instructions, where to set a register on condition takes five.
func outside[T int32 | int64 | uint32 | uint64, U uint32 | uint64](values *[64]T, lo U, more uint64) (w uint64) {
	before := func(b, x uint64) uint64 {
		_, c := bits.Add64(x, more, 0)
		b, _ = bits.Add64(b, b, c)
		return b
	}
	for i := len(values) - 8; i >= 0; i -= 8 {
		v := (*[8]T)(values[i:])
		b := before(0, uint64(U(v[7])-lo))
		b = before(b, uint64(U(v[6])-lo))
		b = before(b, uint64(U(v[5])-lo))
		b = before(b, uint64(U(v[4])-lo))
		b = before(b, uint64(U(v[3])-lo))
		b = before(b, uint64(U(v[2])-lo))
		b = before(b, uint64(U(v[1])-lo))
		b = before(b, uint64(U(v[0])-lo))
		w = w<<8 | b
	}
	return w
}

func withinFloats[T float32 | float64](sel []uint64, values []T, lo, hi T) {
	for i := range sel {
		if sel[i] == 0 {
			continue
		}
		var w uint64
		word := values[i*64:][:64]
		for j := 0; j < 64; j += 8 {
			v := word[j:][:8]
			w |= (oneIf(v[0] >= lo)&oneIf(v[0] <= hi) |
				(oneIf(v[1] >= lo)&oneIf(v[1] <= hi))<<1 |
				(oneIf(v[2] >= lo)&oneIf(v[2] <= hi))<<2 |
				(oneIf(v[3] >= lo)&oneIf(v[3] <= hi))<<3 |
				(oneIf(v[4] >= lo)&oneIf(v[4] <= hi))<<4 |
				(oneIf(v[5] >= lo)&oneIf(v[5] <= hi))<<5 |
				(oneIf(v[6] >= lo)&oneIf(v[6] <= hi))<<6 |
				(oneIf(v[7] >= lo)&oneIf(v[7] <= hi))<<7) << j
		}
		sel[i] &= w
	}
}

// oneIf compiles to a set on condition, not to a branch.
func oneIf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
