//go:build !purego

package encoding

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"
)

// The kernels against the Go twin, on bits of all kinds.
func TestKernels(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("no AVX2")
	}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 4))
		words := 1 + r.IntN(4)
		v32, v64 := make([]uint32, words*64), make([]uint64, words*64)
		f32, f64 := make([]float32, words*64), make([]float64, words*64)
		for i := range v64 {
			v64[i] = r.Uint64() >> r.IntN(64) << r.IntN(64)
			if r.IntN(4) == 0 {
				v64[i] = uint64(-int64(r.IntN(3)))
			}
			v32[i] = uint32(v64[i] >> 32)
			f32[i], f64[i] = math.Float32frombits(v32[i]), math.Float64frombits(v64[i])
		}
		i, j := r.IntN(len(v64)), r.IntN(len(v64))
		got, want := make([]uint64, words), make([]uint64, words)
		check := func(name string, kernel, twin func(sel []uint64)) {
			t.Helper()
			for i := range got {
				if got[i] = r.Uint64() | r.Uint64(); r.IntN(4) == 0 {
					got[i] = 0
				}
				want[i] = got[i]
			}
			kernel(got)
			twin(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s, seed %d: got %x, want %x", name, seed, got, want)
			}
		}
		check("within32AVX2", func(sel []uint64) { within32AVX2(&sel[0], &v32[0], words, v32[i], v32[j]-v32[i]) },
			func(sel []uint64) { withinMemory(sel, Memory(v32), v32[i], v32[j], false) })
		check("within64AVX2", func(sel []uint64) { within64AVX2(&sel[0], &v64[0], words, v64[i], v64[j]-v64[i]) },
			func(sel []uint64) { withinMemory(sel, Memory(v64), v64[i], v64[j], false) })
		check("withinFloat32AVX2", func(sel []uint64) { withinFloat32AVX2(&sel[0], &f32[0], words, f32[i], f32[j]) },
			func(sel []uint64) { withinMemory(sel, Memory(f32), f32[i], f32[j], false) })
		check("withinFloat64AVX2", func(sel []uint64) { withinFloat64AVX2(&sel[0], &f64[0], words, f64[i], f64[j]) },
			func(sel []uint64) { withinMemory(sel, Memory(f64), f64[i], f64[j], false) })
	}
}

func TestPairs(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("no AVX2")
	}
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 9))
		words, distance, letters := 1+r.IntN(5), 1+r.IntN(40), 2+r.IntN(40)
		b := make([]byte, words*64+distance)
		for i := range b {
			b[i] = byte(r.IntN(letters))
		}
		var want uint64
		left := words
		for ; left > 0 && want == 0; left-- {
			for i, at := 0, (words-left)*64; i < 64; i++ {
				if b[at+i] == 0 && b[at+i+distance] == 1 {
					want |= 1 << i
				}
			}
			if want != 0 {
				break
			}
		}
		if got, rest := pairsAVX2(&b[0], &b[distance], words, 0, 1); got != want || rest != left {
			t.Fatalf("seed %d: got %x, %d words left; want %x, %d", seed, got, rest, want, left)
		}
	}
}
