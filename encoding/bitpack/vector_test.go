package bitpack

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// As many runs as there is room for, and nothing after that room.
func TestSpreadRuns32(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 8))
		width, runs, groups, gap := 1+r.IntN(31), 1+r.IntN(5), 1+r.IntN(20), r.IntN(3)
		var want []uint32
		var all []byte
		for run := range runs {
			codes := make([]uint64, groups*8)
			for i := range codes {
				codes[i] = r.Uint64N(1 << width)
				want = append(want, uint32(codes[i]))
			}
			if run > 0 {
				all = append(all, "zzz"[:gap]...)
			}
			all = append(all, pack(codes, uint(width))...)
		}
		src := dtest.Fenced(t, r, all, r.IntN(40))
		room := len(want) - r.IntN(len(want)+1)*r.IntN(2) + r.IntN(40)
		dst := make([]uint32, room+40)
		done := SpreadRuns32(dst[:room], src, groups, uint(width), runs, gap)
		if done < 0 || done > runs || done*groups*8 > room || !slices.Equal(dst[:done*groups*8], want[:done*groups*8]) {
			t.Fatalf("seed %d: %d of %d runs of %d groups of %d bits, room for %d: %v, want %v", seed, done, runs, groups, width, room, dst, want)
		}
		if slices.Max(dst[room:]) > 0 {
			t.Fatalf("seed %d: wrote behind its room", seed)
		}
		if fits := room >= len(want)+24 && cap(src) >= len(src)+overread+3*width; hasAVX2 && fits && done < runs {
			t.Fatalf("seed %d: only %d of %d runs", seed, done, runs)
		}
	}
}
