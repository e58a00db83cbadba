//go:build !purego

package plain

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"
)

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
