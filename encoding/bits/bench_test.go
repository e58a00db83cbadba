package bits

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Rates are in bits: 1 MB/s is a million bits a second.

const benchBits = 64 << 10

// benchBitmap returns benchBits bits, percent of them set, alone or in runs of
// 100 on average.
func benchBitmap(percent int, runs bool) []uint64 {
	r := rand.New(rand.NewPCG(1, uint64(percent)))
	b := make([]uint64, benchBits/64)
	set := false
	for i := range benchBits {
		if !runs || r.IntN(100) == 0 {
			set = r.IntN(100) < percent
		}
		if set {
			Set(b, i)
		}
	}
	return b
}

func BenchmarkKernels(b *testing.B) {
	dst, positions := make([]uint64, benchBits/64+1), make([]uint32, benchBits)
	for _, percent := range []int{1, 10, 50, 99} {
		for _, runs := range []bool{false, true} {
			src, mask := benchBitmap(50, false), benchBitmap(percent, runs)
			for _, op := range []struct {
				name string
				f    func()
			}{
				{"positions", func() { Positions(positions, mask, 0, benchBits) }},
				{"compress", func() { Compress(dst, 0, src, mask, benchBits) }},
				{"deposit", func() { Deposit(dst, src, 0, mask, benchBits) }},
				{"runs", func() {
					for from, to := NextRun(mask, 0, benchBits); from < benchBits; from, to = NextRun(mask, to, benchBits) {
					}
				}},
			} {
				b.Run(fmt.Sprintf("op=%s/set=%d%%/runs=%v", op.name, percent, runs), func(b *testing.B) {
					b.SetBytes(benchBits)
					b.ReportAllocs()
					for b.Loop() {
						op.f()
					}
				})
			}
		}
	}
}

func BenchmarkCopy(b *testing.B) {
	dst, src, bytes := make([]uint64, benchBits/64+1), make([]uint64, benchBits/64+1), make([]byte, benchBits/8+1)
	for _, from := range []int{0, 8, 13} {
		b.Run(fmt.Sprintf("op=copy/from=%d", from), func(b *testing.B) {
			b.SetBytes(benchBits)
			for b.Loop() {
				Copy(dst, 0, src, from, benchBits)
			}
		})
		b.Run(fmt.Sprintf("op=frombytes/from=%d", from), func(b *testing.B) {
			b.SetBytes(benchBits)
			for b.Loop() {
				FromBytes(dst, 0, bytes, from, benchBits-16)
			}
		})
	}
}

func BenchmarkCount(b *testing.B) {
	src := benchBitmap(50, false)
	for _, words := range []int{4, 16, 24, 32, 64, 256, 1024} {
		b.Run(fmt.Sprintf("words=%d", words), func(b *testing.B) {
			b.SetBytes(int64(words * 64))
			for b.Loop() {
				Count(src, 5, words*64-5)
			}
		})
	}
}
