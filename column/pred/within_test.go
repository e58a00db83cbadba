package pred

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Small sets are compared member by member: of INT32 and FLOAT some members have no
// equal, though they would if they were cut to size.
func TestFewMembers(t *testing.T) {
	ints := []int64{0, 1, -1, math.MaxInt32, math.MinInt32, 1 << 32, 1<<32 + 1, math.MaxInt64, math.MinInt64}
	numbers := []float64{0, math.Copysign(0, -1), 1, 0.1, float64(float32(0.1)), math.NaN(), math.Inf(1), math.MaxFloat64, 1e-300}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		var inInts []int64
		var inFloats []float64
		for range r.IntN(fewNumbers + 1) {
			inInts = append(inInts, ints[r.IntN(len(ints))])
			inFloats = append(inFloats, numbers[r.IntN(len(numbers))])
		}
		for _, physical := range []vector.Physical{vector.Int32, vector.Int64, vector.Float, vector.Double} {
			v := &vector.Vector{}
			build.Reset(v, vector.Type{Physical: physical})
			build.Extend(v, r.IntN(2*withinBlock+200))
			is := make([]bool, v.Len)
			test := InInts(inInts)
			for i := range v.Len {
				x, f := ints[r.IntN(len(ints))], numbers[r.IntN(len(numbers))]
				switch physical {
				case vector.Int32:
					v.Int32s[i] = int32(x)
					is[i] = slices.Contains(inInts, int64(int32(x)))
				case vector.Int64:
					v.Int64s[i] = x
					is[i] = slices.Contains(inInts, x)
				case vector.Float:
					v.Floats[i] = float32(f)
					is[i] = slices.Contains(inFloats, float64(float32(f)))
				case vector.Double:
					v.Doubles[i] = f
					is[i] = slices.Contains(inFloats, f)
				}
			}
			if physical == vector.Float || physical == vector.Double {
				test = InFloats(inFloats)
			}
			test.Negate = r.IntN(2) == 0
			sel := make([]uint64, bits.Words(v.Len)+1)
			for i := range sel {
				sel[i] = r.Uint64() | -uint64(r.IntN(2))
			}
			want := slices.Clone(sel)
			for i := range v.Len {
				if is[i] == test.Negate {
					bits.Clear(want, i)
				}
			}
			if known := test.keepNumbers(sel, v); !known || !slices.Equal(sel, want) {
				t.Fatal(fmt.Sprint("seed ", seed, ", ", physical, ": ", inInts, inFloats, known, " differs"))
			}
		}
	}
}
