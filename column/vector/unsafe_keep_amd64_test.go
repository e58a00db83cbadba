//go:build !purego

package vector

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// The kernels against values picked one by one.
func TestKeepKernels(t *testing.T) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasPOPCNT {
		t.Skip("no AVX2")
	}
	r := rand.New(rand.NewPCG(2, 1))
	for range 2000 {
		words := 1 + r.IntN(5)
		sel := make([]uint64, words)
		for i := range sel {
			sel[i] = []uint64{r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64(), r.Uint64() | r.Uint64(), 0, ^uint64(0)}[r.IntN(5)]
		}
		testKernel(t, "keep1AVX2", keep1AVX2, sel, func(i int) byte { return byte(i * 7) })
		testKernel(t, "keep4AVX2", keep4AVX2, sel, func(i int) uint32 { return uint32(i) })
		testKernel(t, "keep8AVX2", keep8AVX2, sel, func(i int) uint64 { return uint64(i) << 31 })
		testKernel(t, "keep16AVX2", keep16AVX2, sel, func(i int) [2]uint64 { return [2]uint64{uint64(i), uint64(i) << 40} })
	}
}

func testKernel[T comparable](t *testing.T, name string, kernel func(*byte, *uint64, int) int, sel []uint64, value func(i int) T) {
	t.Helper()
	var values, want []T
	for i := range len(sel) * 64 {
		values = append(values, value(i))
		if bits.Get(sel, i) {
			want = append(want, value(i))
		}
	}
	behind := value(1 << 20)
	values = append(values, behind)
	n := kernel((*byte)(unsafe.Pointer(&values[0])), &sel[0], len(sel))
	if n != len(want) || !slices.Equal(values[:n], want) {
		t.Fatalf("%s, %x: %d values, want %d", name, sel, n, len(want))
	}
	if values[len(sel)*64] != behind {
		t.Fatalf("%s, %x: a value behind the words was changed", name, sel)
	}
}
