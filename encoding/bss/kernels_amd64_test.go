//go:build !purego

package bss

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"
)

// Each kernel against the definition: byte k of value i is src[k*stride+i].
func TestKernels(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("no AVX2")
	}
	const block = 32
	type kernel struct {
		name    string
		size    int // of a value in dst
		streams int
		run     func(dst, src []byte, stride, blocks int)
	}
	join4 := func(name string, join func(dst *uint32, src *byte, stride, blocks int)) kernel {
		return kernel{name, 4, 4, func(dst, src []byte, stride, blocks int) {
			v := make([]uint32, blocks*block)
			join(&v[0], &src[0], stride, blocks)
			for i, x := range v {
				binary.LittleEndian.PutUint32(dst[i*4:], x)
			}
		}}
	}
	join8 := func(name string, join func(dst *uint64, src *byte, stride, blocks int)) kernel {
		return kernel{name, 8, 8, func(dst, src []byte, stride, blocks int) {
			v := make([]uint64, blocks*block)
			join(&v[0], &src[0], stride, blocks)
			for i, x := range v {
				binary.LittleEndian.PutUint64(dst[i*8:], x)
			}
		}}
	}
	kernels := []kernel{
		{"join2AVX2", 2, 2, func(dst, src []byte, stride, blocks int) { join2AVX2(&dst[0], &src[0], stride, blocks) }},
		join4("join4AVX2", join4AVX2), join8("join8AVX2", join8AVX2),
	}
	for streams := 1; streams <= 8; streams++ {
		for _, size := range []int{streams, streams + 3, 16} {
			kernels = append(kernels, kernel{"joinStridedAVX2", size, streams, func(dst, src []byte, stride, blocks int) {
				joinStridedAVX2(&dst[0], size, &src[0], stride, streams, blocks)
			}})
		}
	}
	for _, k := range kernels {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 11))
			blocks := 1 + r.IntN(4)
			stride := blocks*block + r.IntN(50)
			src := make([]byte, (k.streams-1)*stride+blocks*block)
			for i := range src {
				src[i] = byte(r.Uint32())
			}
			dst := make([]byte, blocks*block*k.size+8)
			k.run(dst, src, stride, blocks)
			for i := range blocks * block {
				for b := range k.streams {
					if got, want := dst[i*k.size+b], src[b*stride+i]; got != want {
						t.Fatalf("%s, %d streams to %d bytes, seed %d: byte %d of value %d is %x, want %x",
							k.name, k.streams, k.size, seed, b, i, got, want)
					}
				}
			}
		}
	}
}
