package bitpack

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/winnow-scan/winnow/internal/dtest"
)

// Runs and selections that end where readable memory does, and room that ends so
// too: a byte too many is a fault.
func TestKeepTouchesNothingBehind(t *testing.T) {
	const size = 1 << 18
	codes, sel, dst := dtest.Edge(t, size), dtest.Edge(t, size), dtest.Edge(t, size)
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&sel[0])), len(sel)/8)
	out := unsafe.Slice((*uint32)(unsafe.Pointer(&dst[0])), len(dst)/4)
	done := 0
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 31))
		c := newKeepCase(r)
		all := c.all[:max(len(c.src), len(c.all)-r.IntN(5*int(c.width)))]
		copy(codes[len(codes)-len(all):], all)
		c.src = codes[len(codes)-len(all):][:len(c.src)]
		copy(words[len(words)-len(c.sel):], c.sel)
		c.sel = words[len(words)-len(c.sel):]
		room := out[len(out)-c.n-KeepSpare:]
		kept, largest, ok := KeepRuns32(room, c.src, c.width, c.sel, c.at, c.n, c.first, c.count, c.gap)
		if !ok {
			continue
		}
		done++
		if !slices.Equal(room[:kept], c.want) || largest != c.largest {
			t.Fatalf("seed %d: %v, largest %d, want %v, %d", seed, room[:kept], largest, c.want, c.largest)
		}
	}
	if hasKeep && done == 0 {
		t.Error("nothing was ever kept")
	}
}
