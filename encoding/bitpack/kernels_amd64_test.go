//go:build !purego

package bitpack

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Every kernel that tests whole words against one bit at a time, also those
// that this machine has a better one for.
func TestTestKernels(t *testing.T) {
	if !hasAVX2 {
		t.Skip("no AVX2")
	}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 7))
		width, words := 1+r.IntN(16), 1+r.IntN(4)
		codes := make([]uint64, words*64)
		for i := range codes {
			codes[i] = r.Uint64N(1 << width)
		}
		table := make([]uint64, max(1<<width/64, 16))
		for i := range table {
			table[i] = r.Uint64()
		}
		src := spare(pack(codes, uint(width)), overread)
		check := func(name string, kernel func(out []uint64) uint32, pass func(code uint64) bool) {
			t.Helper()
			out, want := make([]uint64, words), make([]uint64, words)
			for i, c := range codes {
				if pass(c) {
					want[i/64] |= 1 << (i % 64)
				}
			}
			largest := kernel(out)
			if !slices.Equal(out, want) || uint64(largest) != slices.Max(codes) {
				t.Fatalf("%s, seed %d: width %d: %x, want %x; largest %d, want %d", name, seed, width, out, want, largest, slices.Max(codes))
			}
		}
		inTable := func(c uint64) bool { return table[c/64]>>(c%64)&1 != 0 }
		if width <= 4 {
			bytes := make([]byte, 16)
			for i := range bytes {
				bytes[i] = -byte(table[0] >> i & 1)
			}
			check("testNibblesAVX2", func(out []uint64) uint32 { return testNibblesAVX2(&out[0], &src[0], words, width, &bytes[0]) }, inTable)
		}
		if width <= 8 {
			check("testBytesAVX2", func(out []uint64) uint32 { return testBytesAVX2(&out[0], &src[0], words, width, &table[0]) }, inTable)
		}
		fails := make([]byte, 1<<width)
		for i := range fails {
			if !inTable(uint64(i)) {
				fails[i] = 1
			}
		}
		check("testWideAVX2", func(out []uint64) uint32 { return testWideAVX2(&out[0], &src[0], words, width, &fails[0]) }, inTable)
		lo, flip := r.Uint64N(1<<width), -(r.Uint64() & 1)
		span := r.Uint64N(1<<width - lo)
		check("testRangeAVX2", func(out []uint64) uint32 {
			return testRangeAVX2(&out[0], &src[0], words, width, uint16(lo), uint16(span), flip)
		}, func(c uint64) bool { return (lo <= c && c <= lo+span) == (flip == 0) })
		for _, k := range []struct {
			name   string
			width  int
			usable bool
			test   func(out *uint64, src *byte, words, width int, table *uint64) uint32
		}{
			{"test9BitsAVX2", 9, true, test9BitsAVX2},
			{"test10BitsAVX2", 10, true, test10BitsAVX2},
			{"test9BitsVBMI", 9, hasPermute, test9BitsVBMI},
			{"test10BitsVBMI", 10, hasPermute, test10BitsVBMI},
			{"test11BitsVBMI", 11, hasPermute, test11BitsVBMI},
			{"test12BitsVBMI", 12, hasPermute, test12BitsVBMI},
			{"test13BitsVBMI", 13, hasPermute, test13BitsVBMI},
			{"test14BitsVBMI", 14, hasPermute, test14BitsVBMI},
		} {
			if k.usable && k.width == width {
				check(k.name, func(out []uint64) uint32 { return k.test(&out[0], &src[0], words, width, &table[0]) }, inTable)
			}
		}
	}
}
