//go:build !purego

package bitpack

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// Every kernel that tests whole words against one bit at a time, also those
// that this machine has a better one for.
func TestTestKernels(t *testing.T) {
	if !hasAVX2 {
		t.Skip("no AVX2")
	}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 7))
		width, runs, groups, gap := 1+r.IntN(mostFetched), 1+r.IntN(4), 8+r.IntN(32), r.IntN(3)
		codes := make([]uint64, runs*groups*8)
		for i := range codes {
			codes[i] = r.Uint64N(1 << width)
		}
		table := make([]uint64, max(1<<width/64, 16))
		for i := range table {
			table[i] = r.Uint64()
		}
		var all []byte
		for run := range runs {
			all = append(all, pack(codes[run*groups*8:][:groups*8], uint(width))...)
			all = append(all, "zzz"[:gap]...)
		}
		src := dtest.Fenced(t, r, all, overread)
		var at steps
		check := func(name string, kernel func(out []uint64) uint32, pass func(code uint64) bool) {
			t.Helper()
			words := (len(codes) + 63) / 64
			out, want := make([]uint64, words), make([]uint64, words)
			for i, c := range codes {
				if pass(c) {
					want[i/64] |= 1 << (i % 64)
				}
			}
			at = stepsOf(runs, groups, gap, uint(width))
			largest := kernel(out)
			if !slices.Equal(out, want) || uint64(largest) != slices.Max(codes) {
				t.Fatalf("%s, seed %d: width %d, %d runs of %d groups, %d apart: %x, want %x; largest %d, want %d", name, seed, width, runs, groups, gap, out, want, largest, slices.Max(codes))
			}
		}
		inTable := func(c uint64) bool { return table[c/64]>>(c%64)&1 != 0 }
		if width <= 4 {
			bytes := make([]byte, 16)
			for i := range bytes {
				bytes[i] = -byte(table[0] >> i & 1)
			}
			check("testNibblesAVX2", func(out []uint64) uint32 { return testNibblesAVX2(&out[0], &src[0], &at[0], width, &bytes[0]) }, inTable)
		}
		if width <= 8 {
			check("testBytesAVX2", func(out []uint64) uint32 { return testBytesAVX2(&out[0], &src[0], &at[0], width, &table[0]) }, inTable)
		}
		check("testWideAVX2", func(out []uint64) uint32 { return testWideAVX2(&out[0], &src[0], &at[0], width, &table[0]) }, inTable)
		if width > 16 {
			continue
		}
		lo, flip := r.Uint64N(1<<width), -(r.Uint64() & 1)
		span := r.Uint64N(1<<width - lo)
		check("testRangeAVX2", func(out []uint64) uint32 {
			return testRangeAVX2(&out[0], &src[0], &at[0], width, uint16(lo), uint16(span), flip)
		}, func(c uint64) bool { return (lo <= c && c <= lo+span) == (flip == 0) })
		type ofBits = func(out *uint64, src *byte, steps *int, width int, table *uint64) uint32
		for _, k := range []struct {
			name   string
			width  int
			usable bool
			test   ofBits
		}{
			{"test9BitsAVX2", 9, true, test9BitsAVX2},
			{"test10BitsAVX2", 10, true, test10BitsAVX2},
			{"test9BitsVBMI", 9, hasPermute, test9BitsVBMI},
			{"test10BitsVBMI", 10, hasPermute, test10BitsVBMI},
			{"test11BitsVBMI", 11, hasPermute, test11BitsVBMI},
			{"test12BitsVBMI", 12, hasPermute, test12BitsVBMI},
			{"test13BitsVBMI", 13, hasPermute, test13BitsVBMI},
			{"test16BitsAVX2", 16, true, test16BitsAVX2},
		} {
			if k.usable && k.width == width {
				check(k.name, func(out []uint64) uint32 { return k.test(&out[0], &src[0], &at[0], width, &table[0]) }, inTable)
			}
		}
	}
}

// TestTestOfOlderMachines goes without the instructions that this machine may have.
func TestTestOfOlderMachines(t *testing.T) {
	defer func(permute bool) { hasPermute = permute }(hasPermute)
	hasPermute = false
	t.Run("no permutations", TestTest)
	t.Run("no permutations, runs", TestTestRuns)
}

// TestPickOfOlderMachines goes without the instructions that this machine may have.
func TestPickOfOlderMachines(t *testing.T) {
	defer func(avx2 bool) { hasAVX2 = avx2 }(hasAVX2)
	hasAVX2 = false
	t.Run("one run", TestPick32)
	t.Run("runs", TestPickRuns32)
}
