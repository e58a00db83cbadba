//go:build !purego

package rle

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/internal/test/dtest"
)

// TestLookupOfOtherMachines goes without instructions that this machine may have.
func TestLookupOfOtherMachines(t *testing.T) {
	defer func(narrow, few bool) { hasNarrow, hasFew = narrow, few }(hasNarrow, hasFew)
	run := func(machine string) {
		t.Run(machine, TestLookupStaysInBounds)
		t.Run(machine+", translated", TestTranslateStaysInBounds)
		t.Run(machine+", kept", TestKeptStaysInBounds)
		t.Run(machine+", mixed", TestMixedStaysInBounds)
	}
	hasNarrow = false
	run("no VBMI")
	t.Run("no VBMI, levels", TestLevels)
	t.Run("no VBMI, booleans", TestBools)
	hasFew = false
	run("no AVX-512")
}

// The kernels for narrow codes against their twins, which stand for them where checks are on.
func TestNarrowTwins(t *testing.T) {
	if !canNarrow {
		t.Skip("no AVX-512 VBMI2")
	}
	for seed := range uint64(dtest.Rounds(t, 1000)) {
		r := rand.New(rand.NewPCG(seed, 45))
		testNarrowTwins[uint8](t, r, 1+r.IntN(8))
		testNarrowTwins[uint16](t, r, 9+r.IntN(8))
	}
}

func testNarrowTwins[C narrow](t *testing.T, r *rand.Rand, width int) {
	t.Helper()
	limit := 1 + r.IntN(1<<width)
	body, n := stream(r, width, uint32(limit-1))
	src := append(body, make([]byte, wordsRead)...)
	longest, left := 1+r.IntN(200), 1+r.IntN(n+1)
	got, want := make([]C, left+narrowRoom), make([]C, left+narrowRoom)
	at, done := narrowRunsKernel(got, src, longest, len(body), left, width, limit)
	wantAt, wantDone := codeRunsGo(want, src, longest, len(body), left, width, limit)
	if at != wantAt || done != wantDone || !slices.Equal(got[:done], want[:done]) {
		t.Fatalf("width %d: %d codes in %d bytes, want %d in %d, or others", width, done, at, wantDone, wantAt)
	}
	sixtyFours := 1 + r.IntN(4)
	packed := make([]byte, sixtyFours*8*width+wordsRead)
	for i := range packed {
		packed[i] = byte(r.Uint32())
	}
	codes := make([]C, sixtyFours*64+narrowRoom)
	packedKernel(codes, packed, sixtyFours, width)
	others := make([]C, len(codes))
	packedCodesGo(others, packed, sixtyFours, width)
	if some := sixtyFours * 64; !slices.Equal(codes[:some], others[:some]) {
		t.Fatalf("width %d: %d codes, want %d", width, codes[:some], others[:some])
	}
	some, sel := 1+r.IntN(sixtyFours*64), make([]uint64, sixtyFours)
	for i := range sel {
		sel[i] = r.Uint64()
	}
	if got, want := largestCode(codes[:some]), largestOf(codes[:some]); got != want {
		t.Fatalf("width %d: largest %d, want %d", width, got, want)
	}
	kept, largest := keepCodes(codes, sel, some)
	wantKept, wantLargest := keepCodesGo(others, sel, some)
	if kept != wantKept || largest != wantLargest || !slices.Equal(codes[:kept], others[:kept]) {
		t.Fatalf("width %d: %d kept, largest %d, want %d and %d, or others", width, kept, largest, wantKept, wantLargest)
	}
}
