//go:build !purego

package bss

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Each kernel against the definition: byte k of value i is src[k*stride+i].
func TestKernels(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("no AVX2")
	}
	type kernel struct {
		name    string
		size    int // of a value in dst
		streams int
		block   int
		run     func(dst, src []byte, stride, blocks int)
	}
	join4 := func(name string, block int, join func(dst *uint32, src *byte, stride, blocks int)) kernel {
		return kernel{name, 4, 4, block, func(dst, src []byte, stride, blocks int) {
			v := make([]uint32, blocks*block)
			join(&v[0], &src[0], stride, blocks)
			for i, x := range v {
				binary.LittleEndian.PutUint32(dst[i*4:], x)
			}
		}}
	}
	join8 := func(name string, block int, join func(dst *uint64, src *byte, stride, blocks int)) kernel {
		return kernel{name, 8, 8, block, func(dst, src []byte, stride, blocks int) {
			v := make([]uint64, blocks*block)
			join(&v[0], &src[0], stride, blocks)
			for i, x := range v {
				binary.LittleEndian.PutUint64(dst[i*8:], x)
			}
		}}
	}
	kernels := []kernel{
		{"join2AVX2", 2, 2, 32, func(dst, src []byte, stride, blocks int) { join2AVX2(&dst[0], &src[0], stride, blocks) }},
		join4("join4AVX2", 32, join4AVX2), join8("join8AVX2", 32, join8AVX2),
	}
	if bits.FindsPlaces() {
		kernels = append(kernels, join4("join4VBMI", 64, join4VBMI), join8("join8VBMI", 64, join8VBMI))
	}
	for streams := 1; streams <= 8; streams++ {
		for _, size := range []int{streams, streams + 3, 16} {
			kernels = append(kernels, kernel{"joinStridedAVX2", size, streams, 32, func(dst, src []byte, stride, blocks int) {
				joinStridedAVX2(&dst[0], size, &src[0], stride, streams, blocks)
			}})
		}
	}
	for _, k := range kernels {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 11))
			blocks := 1 + r.IntN(4)
			stride := blocks*k.block + r.IntN(50)
			src := make([]byte, (k.streams-1)*stride+blocks*k.block)
			for i := range src {
				src[i] = byte(r.Uint32())
			}
			dst := make([]byte, blocks*k.block*k.size+8)
			k.run(dst, src, stride, blocks)
			for i := range blocks * k.block {
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

// The kernels that pick against the definition, as far as they go.
func TestPick(t *testing.T) {
	if !bits.FindsPlaces() {
		t.Skip("no AVX-512 BITALG")
	}
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 12))
		words := 1 + r.IntN(120)
		sel := make([]uint64, words)
		for range words * 64 / (1 + r.IntN(200)) {
			i := r.IntN(words * 64)
			sel[i/64] |= 1 << (i % 64)
		}
		if r.IntN(3) == 0 {
			sel[r.IntN(words)] = r.Uint64()
		}
		stride, size := words*64+r.IntN(50), 4+r.IntN(2)*4
		src := make([]byte, (size-1)*stride+words*64)
		for i := range src {
			src[i] = byte(r.Uint32())
		}
		room := 1 + r.IntN(words*64)
		dst := make([]uint64, room+1)
		var n, left int
		if size == 4 {
			narrow := make([]uint32, room+1)
			n, left = pick4VBMI2(&narrow[0], room, &sel[0], words, &src[0], stride)
			for i, x := range narrow {
				dst[i] = uint64(x)
			}
		} else {
			n, left = pick8VBMI2(&dst[0], room, &sel[0], words, &src[0], stride)
		}
		var want []uint64
		for i := range (words - left) * 64 {
			if sel[i/64]>>(i%64)&1 == 0 {
				continue
			}
			var v [8]byte
			for k := range size {
				v[k] = src[k*stride+i]
			}
			want = append(want, binary.LittleEndian.Uint64(v[:]))
		}
		if n > room || n != len(want) || !slices.Equal(dst[:n], want) || dst[room] != 0 {
			t.Fatalf("seed %d, %d bytes, %d of %d words left, room %d: %d values, want %d", seed, size, left, words, room, n, len(want))
		}
	}
}
