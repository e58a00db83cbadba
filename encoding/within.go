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

// withinGo is Within for whole words of sel and lo <= hi.
func withinGo[T Number](sel []uint64, values []T, lo, hi T) {
	switch v := any(values).(type) {
	case []float32:
		withinFloats(sel, v, any(lo).(float32), any(hi).(float32))
	case []float64:
		withinFloats(sel, v, any(lo).(float64), any(hi).(float64))
	default:
		withinMemory(sel, Memory(values), lo, hi, false)
	}
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
