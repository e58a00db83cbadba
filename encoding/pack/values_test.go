package pack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// words has bits of all densities.
func words(r *rand.Rand, n int) []uint64 {
	sel := make([]uint64, n)
	for i := range sel {
		a, b, c, bit, another := r.Uint64(), r.Uint64(), r.Uint64(), uint64(1)<<r.IntN(64), uint64(1)<<r.IntN(64)
		sel[i] = []uint64{a, a & b & c, a | b, 0, ^uint64(0), bit, bit | another}[r.IntN(7)]
	}
	return sel
}

// rareWords has few bits, in some places many.
func rareWords(r *rand.Rand, n int) []uint64 {
	all := make([]uint64, n)
	sel := all
	for one := 1 + r.IntN(200); len(sel) > 0; one = max(1, one*r.IntN(4)/2) { // in so many
		part := sel[:1+r.IntN(len(sel))]
		for range len(part) * 64 / one {
			bits.Set(part, r.IntN(len(part)*64))
		}
		sel = sel[len(part):]
	}
	return all
}

// denseWords lack few bits, if any.
func denseWords(r *rand.Rand, n int) []uint64 {
	sel := slices.Repeat([]uint64{^uint64(0)}, n)
	for range r.IntN(1 + 2*n) {
		bits.Clear(sel, r.IntN(n*64))
	}
	return sel
}

// testValues compares with values that are picked one by one.
func testValues[T comparable](t *testing.T, value func(i int) T) {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 1))
	behind := value(1 << 20)
	for range 3000 {
		n := r.IntN(400)
		sel := words(r, bits.Words(n)+r.IntN(2))
		if r.IntN(10) == 0 {
			n = r.IntN(9000)
			sel = rareWords(r, bits.Words(n)+r.IntN(2))
		}
		if r.IntN(4) == 0 {
			sel = denseWords(r, bits.Words(n)+1)
		}
		src := make([]T, n)
		var want []T
		for i := range src {
			src[i] = value(i)
			if bits.Get(sel, i) {
				want = append(want, src[i])
			}
		}
		check := func(how string, dst []T, room int) {
			t.Helper()
			if got := Values(dst[:room], src, sel); got != len(want) || !slices.Equal(dst[:got], want) {
				t.Fatalf("%T %s, %d values, %x: %v, want %v", behind, how, n, sel, dst[:got], want)
			}
			for _, x := range dst[room:] {
				if x != behind {
					t.Fatalf("%T %s, %d values, %x: wrote behind its room", behind, how, n, sel)
				}
			}
		}
		room := len(want) + r.IntN(2)*r.IntN(100)
		dst := make([]T, room+20)
		for i := range dst {
			dst[i] = behind
		}
		check("apart", dst, room)
		dst = append(src, slices.Repeat([]T{behind}, 20)...)
		src = dst[:n]
		check("in place", dst, n)
	}
}

func TestValues(t *testing.T) {
	testValues(t, func(i int) byte { return byte(i * 7) })
	testValues(t, func(i int) uint16 { return uint16(i * 7) })
	testValues(t, func(i int) uint16 { return uint16(i * 7) })
	testValues(t, func(i int) int32 { return int32(i) - 100 })
	testValues(t, func(i int) float32 { return float32(i) })
	testValues(t, func(i int) int64 { return int64(i) << 31 })
	testValues(t, func(i int) float64 { return float64(i) })
	testValues(t, func(i int) [2]uint64 { return [2]uint64{uint64(i), uint64(i) << 40} })
	testValues(t, func(i int) [3]uint32 { return [3]uint32{uint32(i), 1, 2} })
}

func TestValuesAllocatesNothing(t *testing.T) {
	src, dst, sel := make([]int64, 200), make([]int64, 200), []uint64{1 << 40, ^uint64(0), 5, 7}
	if n := testing.AllocsPerRun(10, func() { Values(dst, src, sel); Values(src, src, sel) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func benchmarkValues[T any](b *testing.B, percent int) {
	b.Run(fmt.Sprintf("type=%T/percent=%d", *new(T), percent), func(b *testing.B) {
		const n, times = 4096, 16 // other bits each time: the same ones would be guessed
		src, dst := make([]T, n*times), make([]T, n+64)
		r := rand.New(rand.NewPCG(1, 2))
		sel := make([]uint64, n*times/64)
		for i := range src {
			if r.IntN(100) < percent {
				bits.Set(sel, i)
			}
		}
		turn := 0
		b.SetBytes(n) // the rate is in values
		b.ReportAllocs()
		for b.Loop() {
			from := turn % times * n
			turn++
			Values(dst, src[from:from+n], sel[from/64:])
		}
	})
}

func BenchmarkValues(b *testing.B) {
	for _, percent := range []int{0, 1, 3, 10, 50, 90, 100} {
		benchmarkValues[byte](b, percent)
		benchmarkValues[int32](b, percent)
		benchmarkValues[int64](b, percent)
		benchmarkValues[bits.View](b, percent)
	}
}
