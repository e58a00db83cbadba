package rle

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
)

// Runs end where readable memory does: reading the byte after them is a fault.
func TestSkipStaysInBounds(t *testing.T) {
	readable := dtest.Edge(t, 16<<10)
	for seed := range uint64(dtest.Rounds(t, 1000)) {
		r := rand.New(rand.NewPCG(seed, 5))
		width := 1 + r.IntN(32)
		var runs []encode.Run
		for range r.IntN(100) {
			run := encode.Run{Repeat: 1 + r.IntN(200), Value: uint32(r.Uint64N(1 << width))}
			if r.IntN(4) == 0 {
				run = encode.Run{Packed: random(r, 8, width)}
			}
			runs = append(runs, run)
		}
		body := encode.HybridRuns(nil, width, runs)
		body = body[:len(body)-r.IntN(min(len(body), 70)+1)]
		behind := readable[len(readable)-len(body):]
		copy(behind, body)
		for header := range 2 {
			skipAlike(behind, 0, 1<<30, 1+header, uint(width))
		}
		var d Codes
		if err := d.Reset(behind, uint(width), 1<<31, 1<<30); err != nil {
			t.Fatal(err)
		}
		if d.Skip(1<<30) == nil {
			t.Fatalf("seed %d: so many values in %d bytes", seed, len(body))
		}
	}
}
