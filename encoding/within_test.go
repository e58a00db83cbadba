package encoding

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// testWithin holds Within to the plain comparison, on values around the bounds
// and all over the type.
func testWithin[T Number](t *testing.T, edges []T, random func(*rand.Rand) T) {
	t.Helper()
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		pick := func() T {
			if r.IntN(2) == 0 {
				return edges[r.IntN(len(edges))]
			}
			return random(r)
		}
		values := make([]T, r.IntN(300))
		for i := range values {
			values[i] = pick()
		}
		lo, hi := pick(), pick()
		if r.IntN(4) > 0 && lo > hi {
			lo, hi = hi, lo
		}
		if r.IntN(3) == 0 {
			lo = hi
		}
		sel := make([]uint64, (len(values)+63)/64+1)
		for i := range sel {
			sel[i] = r.Uint64() | -(r.Uint64() & 1)
		}
		want, bytes := slices.Clone(sel), slices.Clone(sel[:len(values)/64])
		for i, x := range values {
			if !(lo <= x && x <= hi) {
				want[i/64] &^= 1 << (i % 64)
			}
		}
		Within(sel, values, lo, hi)
		if !slices.Equal(sel, want) {
			t.Fatalf("%T, seed %d: %d values within [%v, %v]: got %x, want %x", lo, seed, len(values), lo, hi, sel, want)
		}
		body, err := binary.Append(make([]byte, seed%8), binary.LittleEndian, values)
		if err != nil {
			t.Fatal(err)
		}
		if WithinBytes(bytes, body[seed%8:], lo, hi); !slices.Equal(bytes, want[:len(bytes)]) {
			t.Fatalf("%T, seed %d: bytes of %d values within [%v, %v]: got %x, want %x", lo, seed, len(values), lo, hi, bytes, want)
		}
	}
}

func TestWithin(t *testing.T) {
	testWithin(t, []int32{math.MinInt32, math.MaxInt32, 0, -1, 1, 100}, func(r *rand.Rand) int32 { return int32(r.Uint32()) })
	testWithin(t, []int64{math.MinInt64, math.MaxInt64, 0, -1, 1, 1 << 32}, func(r *rand.Rand) int64 { return int64(r.Uint64()) })
	testWithin(t, []uint32{0, math.MaxUint32, 1 << 31, 1<<31 - 1}, func(r *rand.Rand) uint32 { return r.Uint32() })
	testWithin(t, []uint64{0, math.MaxUint64, 1 << 63, 1<<63 - 1}, func(r *rand.Rand) uint64 { return r.Uint64() })
	inf, nan := math.Inf(1), math.NaN()
	testWithin(t, []float64{0, math.Copysign(0, -1), inf, -inf, nan, 1, -1, math.SmallestNonzeroFloat64},
		func(r *rand.Rand) float64 { return math.Float64frombits(r.Uint64()) })
	testWithin(t, []float32{0, float32(math.Copysign(0, -1)), float32(inf), float32(-inf), float32(nan), 1, -1},
		func(r *rand.Rand) float32 { return math.Float32frombits(r.Uint32()) })
}

func TestWithinAllocatesNothing(t *testing.T) {
	sel, values := make([]uint64, 3), make([]float64, 150)
	if n := testing.AllocsPerRun(10, func() { Within(sel, values, -1e300, 1e300) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func benchmarkWithin[T Number](b *testing.B, lo, hi T) {
	sel, values := make([]uint64, 128), make([]T, 128*64)
	for i := range values {
		values[i] = T(i % 1000)
	}
	body, err := binary.Append(make([]byte, 1), binary.LittleEndian, values)
	if err != nil {
		b.Fatal(err)
	}
	run := func(form string, within func()) {
		b.Run(fmt.Sprintf("form=%s/type=%T", form, lo), func(b *testing.B) {
			b.SetBytes(int64(len(values)))
			b.ReportAllocs()
			for b.Loop() {
				for i := range sel {
					sel[i] = ^uint64(0)
				}
				within()
			}
		})
	}
	run("values", func() { Within(sel, values, lo, hi) })
	run("bytes", func() { WithinBytes(sel, body[1:], lo, hi) })
}

// The rate is in values, not bytes.
func BenchmarkWithin(b *testing.B) {
	benchmarkWithin[int32](b, 100, 200)
	benchmarkWithin[int64](b, 100, 200)
	benchmarkWithin[uint32](b, 100, 200)
	benchmarkWithin[uint64](b, 100, 200)
	benchmarkWithin[float32](b, 100, 200)
	benchmarkWithin[float64](b, 100, 200)
}
