package bitpack

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
)

// Rates are in values: 1 MB/s is a million values a second.

const benchValues = 16 << 10

func benchSource(width uint) []byte {
	r := rand.New(rand.NewPCG(1, uint64(width)))
	src := make([]byte, Size(benchValues, width)+encoding.Padding)
	for i := range src {
		src[i] = byte(r.Uint32())
	}
	return src[:Size(benchValues, width)]
}

func benchUnpack[T uint8 | uint32 | uint64](b *testing.B, widths uint, kernel func([]T, []byte, uint)) {
	dst := make([]T, benchValues)
	for width := uint(1); width <= widths; width++ {
		src := benchSource(width)
		b.Run(fmt.Sprintf("width=%d", width), func(b *testing.B) {
			b.SetBytes(benchValues)
			b.ReportAllocs()
			for b.Loop() {
				kernel(dst, src, width)
			}
		})
	}
}

func BenchmarkUnpack8(b *testing.B)  { benchUnpack(b, 8, Unpack8) }
func BenchmarkUnpack32(b *testing.B) { benchUnpack(b, 32, Unpack32) }
func BenchmarkUnpack64(b *testing.B) { benchUnpack(b, 64, Unpack64) }

func BenchmarkTest(b *testing.B) {
	out := make([]uint64, benchValues/64)
	for width := uint(1); width <= 20; width++ {
		src := benchSource(width)
		passing := make([]uint64, 1<<width/64+1)
		for i := range passing {
			passing[i] = rand.Uint64()
		}
		mask := MakeMask(passing, 1<<width)
		b.Run(fmt.Sprintf("width=%d", width), func(b *testing.B) {
			b.SetBytes(benchValues)
			b.ReportAllocs()
			for b.Loop() {
				Test(out, benchValues, src, width, &mask)
			}
		})
	}
}

func BenchmarkMakeMask(b *testing.B) {
	passing := make([]uint64, 1<<16/64)
	b.SetBytes(1 << 16)
	b.ReportAllocs()
	for b.Loop() {
		MakeMask(passing, 1<<16)
	}
}

func BenchmarkPick32(b *testing.B) {
	src := benchSource(13)
	positions := make([]uint32, 0, benchValues)
	for p := 0; p < benchValues; p += 1 + rand.IntN(199) {
		positions = append(positions, uint32(p))
	}
	dst := make([]uint32, len(positions))
	b.Run("width=13/sel=1%", func(b *testing.B) {
		b.SetBytes(int64(len(positions)))
		b.ReportAllocs()
		for b.Loop() {
			Pick32(dst, src, 13, positions, 0)
		}
	})
}
