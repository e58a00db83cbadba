//go:build !purego

package pack

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// testKernel holds a kernel to the word at which it must stop, to values picked
// one by one, and to its room.
func testKernel[T comparable](t *testing.T, name string, runs bool, more int, kernel func(dst, src *byte, sel *uint64, words, room int) (done, kept int), value func(i int) T) {
	t.Helper()
	if !runs {
		t.Logf("%s does not run here", name)
		return
	}
	behind := value(1 << 20)
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 15))
		sel := words(r, 1+r.IntN(6))
		src := make([]T, len(sel)*64)
		for i := range src {
			src[i] = value(i)
		}
		room, done := r.IntN(len(src)+70), 0
		var want []T
		for ; done < len(sel); done++ {
			var word []T
			for i := range 64 {
				if sel[done]>>i&1 != 0 {
					word = append(word, src[done*64+i])
				}
			}
			if len(want)+len(word)+more > room {
				break
			}
			want = append(want, word...)
		}
		dst := slices.Repeat([]T{behind}, room+1)
		words, kept := kernel((*byte)(unsafe.Pointer(&dst[0])), (*byte)(unsafe.Pointer(&src[0])), &sel[0], len(sel), room)
		if words != done || kept != len(want) || !slices.Equal(dst[:kept], want) || dst[room] != behind {
			t.Fatalf("%s, seed %d: %d words, %d values %v, want %d, %d, %v", name, seed, words, kept, dst, done, len(want), want)
		}
	}
}

// testFetch holds a kernel to values picked one by one, as far as it went, and to its room.
func testFetch[T comparable](t *testing.T, name string, kernel func(dst *byte, room int, b *uint64, words int, src *byte) (n, left int), value func(i int) T) {
	t.Helper()
	far := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 16))
		sel := rareWords(r, 1+r.IntN(200))
		src := make([]T, len(sel)*64)
		for i := range src {
			src[i] = value(i)
		}
		behind := value(1 << 20)
		room := 1 + r.IntN(300)
		if r.IntN(2) == 0 {
			room = len(src) + r.IntN(100)
		}
		dst := slices.Repeat([]T{behind}, room+1)
		n, left := kernel((*byte)(unsafe.Pointer(&dst[0])), room, &sel[0], len(sel), (*byte)(unsafe.Pointer(&src[0])))
		if left < 0 || left > len(sel) || left > 0 && (len(sel)-left)%32 != 0 {
			t.Fatalf("%s, seed %d: %d of %d words left", name, seed, left, len(sel))
		}
		var want []T
		for i := range (len(sel) - left) * 64 {
			if sel[i/64]>>(i%64)&1 != 0 {
				want = append(want, src[i])
			}
		}
		if n != len(want) || n > room || !slices.Equal(dst[:n], want) || dst[room] != behind {
			t.Fatalf("%s, seed %d: %d values, want %d", name, seed, n, len(want))
		}
		if left == 0 {
			far++
		}
	}
	if far < 500 {
		t.Errorf("%s went to the end %d times", name, far)
	}
}

func TestFetch(t *testing.T) {
	if !hasFetch {
		t.Skip("no AVX-512 BITALG")
	}
	testFetch(t, "fetch4VBMI2", fetch4VBMI2, func(i int) uint32 { return uint32(i) })
	testFetch(t, "fetch8VBMI2", fetch8VBMI2, func(i int) uint64 { return uint64(i) << 31 })
}

func TestKernels(t *testing.T) {
	avx2 := cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT && cpu.X86.HasBMI1
	avx512 := avx2 && cpu.X86.HasBMI2 && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ
	testKernel(t, "pack1AVX2", avx2, 8, pack1AVX2, func(i int) byte { return byte(i * 7) })
	testKernel(t, "pack1VBMI2", hasAVX512, 63, pack1VBMI2, func(i int) byte { return byte(i * 7) })
	testKernel(t, "pack4AVX2", avx2, 8, pack4AVX2, func(i int) uint32 { return uint32(i) })
	testKernel(t, "pack8AVX2", avx2, 4, pack8AVX2, func(i int) uint64 { return uint64(i) << 31 })
	testKernel(t, "pack16AVX2", avx2, 2, pack16AVX2, func(i int) [2]uint64 { return [2]uint64{uint64(i), uint64(i) << 40} })
	testKernel(t, "pack4AVX512", avx512, 16, pack4AVX512, func(i int) uint32 { return uint32(i) })
	testKernel(t, "pack8AVX512", avx512, 8, pack8AVX512, func(i int) uint64 { return uint64(i) << 31 })
}
