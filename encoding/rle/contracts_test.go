package rle

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

// Whole runs for which there is more or less room: kernels write behind codes, but not behind the room.
func TestRunCodesKeepsToItsRoom(t *testing.T) {
	const marked = 0x5a5a5a5a
	bodies := dtest.Edge(t, 1<<21)
	decoded := 0
	for seed := range uint64(dtest.Rounds(t, 500)) {
		r := rand.New(rand.NewPCG(seed, 46))
		body, n, width, limit := someRuns(r, 13)
		want, _ := naive.Hybrid(body, width, n)
		room := lookupRoom + r.IntN(200)
		memory := slices.Repeat([]uint32{marked}, room+lookupRoom+8)
		var d Codes
		if err := d.Reset(dtest.Fence(r, bodies, body, r.IntN(3)*16), uint(width), limit, n); err != nil {
			t.Fatal(err)
		}
		done := d.runCodes(memory[:room], n, 200)
		if !slices.Equal(memory[:done], want[:done]) || done > room {
			t.Fatalf("seed %d: codes %d, want %d", seed, memory[:done], want[:done])
		}
		if behind := slices.IndexFunc(memory[room:], func(c uint32) bool { return c != marked }); behind >= 0 {
			t.Fatalf("seed %d: wrote %d codes behind the room", seed, behind)
		}
		decoded += done
	}
	if hasLookup && decoded == 0 {
		t.Error("no run was ever decoded")
	}
}
