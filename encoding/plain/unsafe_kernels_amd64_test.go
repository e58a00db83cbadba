//go:build !purego

package plain

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding"
)

func testGather[T encoding.Number](t *testing.T, name string, kernel func(dst *T, src *byte, sel *uint64, words, room int) (done, kept int)) {
	t.Helper()
	if !cpu.X86.HasBMI1 || !cpu.X86.HasPOPCNT {
		t.Skip("no BMI1")
	}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 15))
		sel := make([]uint64, 1+r.IntN(5))
		body := make([]byte, len(sel)*64*sizeOf[T]())
		for i := range body {
			body[i] = byte(r.Uint32())
		}
		for i := range sel {
			for range r.IntN(4) {
				sel[i] |= 1 << r.IntN(64)
			}
			if r.IntN(8) == 0 {
				sel[i] = r.Uint64() | -(r.Uint64() & 1)
			}
		}
		room := r.IntN(len(sel) * 70)
		var want []uint64
		done := 0
		for ; done < len(sel) && sel[done] != ^uint64(0); done++ {
			var word []uint64
			for i := range 64 {
				if sel[done]>>i&1 != 0 {
					word = append(word, uint64(number[T](body, done*64+i)))
				}
			}
			if len(want)+len(word)+2 > room {
				break
			}
			want = append(want, word...)
		}
		dst := make([]T, room+1)
		words, kept := kernel(&dst[0], &body[0], &sel[0], len(sel), room)
		if words != done || kept != len(want) || dst[room] != 0 {
			t.Fatalf("%s, seed %d: %d words, %d values, want %d, %d", name, seed, words, kept, done, len(want))
		}
		for i, x := range want {
			if uint64(dst[i]) != x {
				t.Fatalf("%s, seed %d: value %d is %v, want %v", name, seed, i, dst[i], x)
			}
		}
	}
}

func TestGatherKernels(t *testing.T) {
	testGather(t, "gather4BMI", gather4BMI)
	testGather(t, "gather8BMI", gather8BMI)
}

// prefetchLines has no effect but on time: it must not fail at the end of memory.
func TestPrefetch(t *testing.T) {
	for n := range 300 {
		b := make([]byte, n)
		prefetch(b)
		prefetchLines(&make([]byte, 1)[0], 1+n)
	}
}

func TestExpandBitsAVX2(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("no AVX2")
	}
	r := rand.New(rand.NewPCG(1, 16))
	for groups := 1; groups < 20; groups++ {
		src, dst := make([]byte, groups*4), make([]byte, groups*32+1)
		for i := range src {
			src[i] = byte(r.Uint32())
		}
		dst[groups*32] = 7
		expandBitsAVX2(&dst[0], &src[0], groups)
		for i := range groups * 32 {
			if want := src[i/8] >> (i % 8) & 1; dst[i] != want {
				t.Fatalf("%d groups: bit %d is %d, want %d", groups, i, dst[i], want)
			}
		}
		if dst[groups*32] != 7 {
			t.Fatalf("%d groups: wrote behind them", groups)
		}
	}
}
