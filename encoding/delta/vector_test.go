package delta

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// Sums of miniblocks with all numbers of bytes behind them, which end where memory does.
func TestSumNearTheEnd(t *testing.T) {
	edge := dtest.Edge(t, 1<<12)
	summed := 0
	for seed := range uint64(dtest.Rounds(t, 50)) {
		r := rand.New(rand.NewPCG(seed, 60))
		widths, size := make([]byte, 1+r.IntN(4)), 8*(1+r.IntN(8))
		bytes := 0
		for i := range widths {
			widths[i] = byte(r.IntN(65))
			bytes += int(widths[i]) * size / 8
		}
		want, at := uint64(0), 0
		packed := make([]byte, bytes)
		for i := range packed {
			packed[i] = byte(r.Uint32())
		}
		for _, width := range widths {
			for i := range size {
				want += bitpack.Get(packed[at:], i, uint(width))
			}
			at += int(width) * size / 8
		}
		for behind := range encoding.Padding + 2 {
			there := edge[len(edge)-bytes-behind:][:bytes]
			copy(there, packed)
			k, taken := kernelFor(there, widths, size)
			if k == none {
				continue
			}
			if got := k.sum(there, widths, size); got != want || taken != bytes {
				t.Fatalf("seed %d, %d bytes behind: sum %d of %d bytes, want %d of %d", seed, behind, got, taken, want, bytes)
			}
			summed++
		}
	}
	if hasAVX2 && summed == 0 {
		t.Error("no kernel ever summed anything up")
	}
}

// Kernels read in front of values: the first ones of a body are left to others.
func TestViewsNearTheStart(t *testing.T) {
	body, lengths := make([]byte, 64, 64+encoding.Padding), []int32{3, 20, 5}
	for at := range 8 {
		var dst [3]bits.View
		done, end := viewsOf(dst[:], lengths, body, at, 0)
		for _, length := range lengths[:done] {
			end -= int(length)
		}
		if end != at || done > 0 && at < 4 {
			t.Errorf("%d views from byte %d on, which begin at %d", done, at, end)
		}
	}
}
