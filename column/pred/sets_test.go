package pred

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/column/vector/build"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// checkSet holds a Set to in, which says of value i whether it is there: at any
// selection, negated or not.
func checkSet(t *testing.T, r *rand.Rand, what string, test *Test, v *vector.Vector, in func(i int) bool) {
	t.Helper()
	for _, negate := range []bool{false, true} {
		test.Negate = negate
		sel := make([]uint64, bits.Words(v.Len)+1)
		for i := range sel {
			switch r.IntN(4) {
			case 0: // few are left: they are looked up one by one
				sel[i] = r.Uint64() & r.Uint64() & r.Uint64()
			case 1:
				sel[i] = r.Uint64() & -uint64(r.IntN(2))
			default:
				sel[i] = ^uint64(0)
			}
		}
		want := slices.Clone(sel)
		for i := range v.Len {
			if in(i) == negate {
				bits.Clear(want, i)
			}
		}
		if test.Filter(sel, v); !slices.Equal(sel, want) {
			t.Fatalf("%s, negated %v, %d values: %x, want %x", what, negate, v.Len, sel, want)
		}
	}
}

func vectorOf(typ vector.Type, n int) *vector.Vector {
	v := &vector.Vector{}
	build.Reset(v, typ)
	build.Extend(v, n)
	return v
}

// Sets of integers of any size and spread, each in every shape that there is.
func TestIntSets(t *testing.T) {
	shapes := map[string]int{}
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 3))
		spread := int64(1) << (1 + r.IntN(62))
		centre := []int64{0, math.MinInt64, math.MaxInt64, math.MinInt32, math.MaxInt32, r.Int64()}[r.IntN(6)]
		pick := func() int64 { return centre + r.Int64N(spread) - spread/2 } // may wrap around
		var set []int64
		for range []int{r.IntN(4), r.IntN(20), r.IntN(1000), r.IntN(10_000)}[r.IntN(4)] {
			set = append(set, pick())
		}
		there := map[int64]bool{}
		for _, x := range set {
			there[x] = true
		}
		test := InInts(set)
		if test.set.bitmap != nil {
			shapes["bitmap"]++
		} else {
			shapes["sieve"]++
		}
		longs, ints := vectorOf(vector.Type{Physical: vector.Int64}, r.IntN(300)), vectorOf(vector.Type{Physical: vector.Int32}, r.IntN(300))
		value := func() int64 {
			switch {
			case len(set) > 0 && r.IntN(3) == 0:
				return set[r.IntN(len(set))] + int64(r.IntN(3)) - 1
			case r.IntN(3) == 0:
				return []int64{0, -1, 1, math.MinInt64, math.MaxInt64, r.Int64()}[r.IntN(6)]
			}
			return pick()
		}
		for i := range longs.Len {
			longs.Int64s[i] = value()
		}
		for i := range ints.Len {
			ints.Int32s[i] = int32(value())
		}
		what := fmt.Sprintf("seed %d, %d members", seed, len(set))
		checkSet(t, r, what+", INT64", test, longs, func(i int) bool { return there[longs.Int64s[i]] })
		checkSet(t, r, what+", INT32", test, ints, func(i int) bool { return there[int64(ints.Int32s[i])] })
	}
	if shapes["bitmap"] == 0 || shapes["sieve"] == 0 {
		t.Errorf("a shape was not tested: %v", shapes)
	}
}

func TestFloatSets(t *testing.T) {
	odd := []float64{math.NaN(), math.Float64frombits(0xfff8_0000_0000_0123), 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 1, 0.1, float64(float32(0.1)), math.SmallestNonzeroFloat64, 1 << 60}
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 4))
		pick := func() float64 {
			switch r.IntN(3) {
			case 0:
				return odd[r.IntN(len(odd))]
			case 1:
				return float64(r.IntN(100))
			}
			return math.Float64frombits(r.Uint64())
		}
		var set []float64
		for range []int{r.IntN(4), r.IntN(20), r.IntN(1000)}[r.IntN(3)] {
			set = append(set, pick())
		}
		test := InFloats(set)
		doubles, floats := vectorOf(vector.Type{Physical: vector.Double}, r.IntN(300)), vectorOf(vector.Type{Physical: vector.Float}, r.IntN(300))
		for i := range doubles.Len {
			if doubles.Doubles[i] = pick(); len(set) > 0 && r.IntN(2) == 0 {
				doubles.Doubles[i] = set[r.IntN(len(set))]
			}
		}
		for i := range floats.Len {
			if floats.Floats[i] = float32(pick()); len(set) > 0 && r.IntN(2) == 0 {
				floats.Floats[i] = float32(set[r.IntN(len(set))])
			}
		}
		what := fmt.Sprintf("seed %d, %d members", seed, len(set))
		checkSet(t, r, what+", DOUBLE", test, doubles, func(i int) bool { return slices.Contains(set, doubles.Doubles[i]) })
		checkSet(t, r, what+", FLOAT", test, floats, func(i int) bool { return slices.Contains(set, float64(floats.Floats[i])) })
	}
}

// Strings that differ in the first bytes, the last, in between, or in length alone.
func TestStringSets(t *testing.T) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 5))
		front, back := strings.Repeat("x", r.IntN(20)), strings.Repeat("y", r.IntN(20))
		pick := func() []byte {
			s := front + fmt.Sprint(r.IntN(3000)) + back
			if r.IntN(4) == 0 {
				s = s[:r.IntN(len(s)+1)]
			}
			if r.IntN(8) == 0 {
				s += strings.Repeat("\x00", r.IntN(20))
			}
			return []byte(s)
		}
		var set [][]byte
		for range []int{r.IntN(4), r.IntN(20), r.IntN(1000)}[r.IntN(3)] {
			set = append(set, pick())
		}
		set = append(set, []byte("abcd"), []byte{0, 0, 0, 0})
		there := map[string]bool{}
		for _, x := range set {
			there[string(x)] = true
		}
		test := InStrings(set)
		var all []byte
		views, fixed := vectorOf(vector.Type{Physical: vector.ByteArray}, r.IntN(300)), vectorOf(vector.Type{Physical: vector.FixedLenByteArray, Length: 4}, r.IntN(300))
		for i := range views.Len {
			text := pick()
			if r.IntN(3) == 0 {
				text = set[r.IntN(len(set))]
			}
			views.Views[i] = bits.Make(text, 0, int32(len(all)))
			all = append(all, text...)
		}
		views.Buffers = [][]byte{all}
		for i := range fixed.Len {
			copy(fixed.Fixed[i*4:], [][]byte{[]byte("abcd"), {0, 0, 0, 0}, {0, 0, 0, 1}, []byte("abce"), bytes.Repeat(pick(), 4)}[r.IntN(5)])
		}
		what := fmt.Sprintf("seed %d, %d members", seed, len(set))
		checkSet(t, r, what+", BYTE_ARRAY", test, views, func(i int) bool { return there[string(views.Bytes(i))] })
		checkSet(t, r, what+", FIXED_LEN_BYTE_ARRAY", test, fixed, func(i int) bool { return there[string(fixed.Bytes(i))] })
	}
}
