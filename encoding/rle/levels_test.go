package rle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/decodetest"
	"github.com/winnow-scan/winnow/internal/test/dtest"
	"github.com/winnow-scan/winnow/internal/test/gen/encode"
	"github.com/winnow-scan/winnow/internal/test/naive"
)

func levelsDriver(l *Levels, level uint8) decodetest.Decoder[uint8] {
	clearing := func(sel []uint64, n int) error {
		// AtLeast stores: put it somewhere in a larger bitmap and clear by that.
		dst := slices.Repeat([]uint64{0xaaaaaaaaaaaaaaaa}, len(sel)+2)
		before := slices.Clone(dst)
		const at = 37
		if err := l.AtLeast(dst, at, n, level); err != nil {
			return err
		}
		for i := range len(dst) * 64 {
			if (i < at || i >= at+n) && bits.Get(dst, i) != bits.Get(before, i) {
				panic("AtLeast changed a bit outside")
			}
			if i < at || i >= at+n {
				continue
			}
			if !bits.Get(dst, i) {
				bits.Clear(sel, i-at)
			}
		}
		return nil
	}
	counting := func(sel []uint64, n int) error {
		// Count must agree with AtLeast on a copy that has not moved on.
		twin := *l
		dst := make([]uint64, len(sel)+1)
		count, err := l.Count(n, level)
		if err != nil {
			return err
		}
		if err := twin.AtLeast(dst, 0, n, level); err != nil {
			return err
		}
		if want := bits.Count(dst, 0, n); count != want {
			panic(fmt.Sprint("Count is ", count, ", want ", want))
		}
		for i := range n {
			if !bits.Get(dst, i) {
				bits.Clear(sel, i)
			}
		}
		return nil
	}
	pass := func(x uint8) bool { return x >= level }
	return decodetest.Decoder[uint8]{
		Next: l.Next, Skip: l.d.Skip,
		Gather: func(dst []uint8, sel []uint64, n int) (int, error) {
			all := make([]uint8, n)
			got, err := l.Next(all)
			kept := 0
			for i, x := range all[:got] {
				if bits.Get(sel, i) {
					dst[kept] = x
					kept++
				}
			}
			return kept, err
		},
		Tests: []decodetest.Test[uint8]{{Name: "AtLeast", Clear: clearing, Pass: pass}, {Name: "Count", Clear: counting, Pass: pass}},
	}
}

func testLevels(t *testing.T, r *rand.Rand, body []byte, max uint8, n int, bitPacked bool) {
	t.Helper()
	levels, err := naive.Levels(body, int(max), n, bitPacked)
	want := make([]uint8, len(levels))
	for i, x := range levels {
		want[i] = uint8(x)
	}
	faulty := len(want) < n
	if faulty && err == nil {
		t.Fatal("the naive decoder stopped without an error")
	}
	if faulty && !bitPacked {
		// A level above the maximum is no fault where levels are skipped.
		codes, _ := naive.Hybrid(body, widthOf(max), n)
		if len(codes) > len(want) {
			n, faulty = len(want), false
		}
	}
	body = padded(t, r, body)
	var l Levels
	level := uint8(r.IntN(int(max)+1)) | 1
	if bitPacked {
		err = l.ResetBitPacked(body, max, n)
	} else {
		err = l.Reset(body, max, n)
	}
	if err != nil {
		t.Fatal(err)
	}
	decodetest.Drive(t, r, levelsDriver(&l, level), want, faulty)
}

func widthOf(max uint8) int {
	width := 0
	for 1<<width <= int(max) {
		width++
	}
	return width
}

func TestLevels(t *testing.T) {
	seeds := uint64(dtest.Rounds(t, 40))
	for _, max := range []uint8{0, 1, 2, 3, 4, 7, 8, 100, 127, 128, 200, 255} {
		for seed := range seeds {
			r := rand.New(rand.NewPCG(seed, uint64(max)))
			body, n := stream(r, widthOf(max), uint32(max))
			testLevels(t, r, body, max, n, false)
			if t.Failed() {
				t.Fatalf("max %d, seed %d", max, seed)
			}
		}
	}
}

func TestBitPackedLevels(t *testing.T) {
	for _, max := range []uint8{0, 1, 2, 3, 5, 7, 100, 255} {
		for seed := range uint64(100) {
			r := rand.New(rand.NewPCG(seed, uint64(max)))
			levels := make([]uint32, r.IntN(3000))
			for i := range levels {
				levels[i] = uint32(r.IntN(int(max) + 1))
			}
			body := encode.BitPackedMSB(nil, widthOf(max), levels)
			testLevels(t, r, body, max, len(levels)+r.IntN(10)*r.IntN(2), true)
			if t.Failed() {
				t.Fatalf("max %d, seed %d", max, seed)
			}
		}
	}
}

func TestBitPackedLevelsOfOldWriters(t *testing.T) {
	// Read from the wrong end they are 4 2 1 4 3 0 5 and more.
	levels := []uint32{0, 1, 2, 3, 4, 3, 2, 1, 0, 3, 3}
	body := encode.BitPackedLSB(nil, 3, levels)
	var l Levels
	if err := l.ResetBitPacked(body, 4, len(levels)); err != nil {
		t.Fatal(err)
	}
	got := make([]uint8, len(levels))
	if _, err := l.Next(got); err != nil {
		t.Fatal(err)
	}
	for i, x := range levels {
		if uint32(got[i]) != x {
			t.Fatalf("got %v, want %v", got, levels)
		}
	}
	// Where all are levels either way, only the caller can know.
	if err := l.ResetBitPacked([]byte{0x24}, 2, 4); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Next(got[:4]); err != nil || !slices.Equal(got[:4], []uint8{0, 2, 1, 0}) {
		t.Errorf("from the highest bit on: %v, %v", got[:4], err)
	}
	if err := l.ResetBitPackedLSB([]byte{0x24}, 2, 4); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Next(got[:4]); err != nil || !slices.Equal(got[:4], []uint8{0, 1, 2, 0}) {
		t.Errorf("from the lowest bit on: %v, %v", got[:4], err)
	}
	// Where both orders give bad levels the format's own counts, and is refused.
	if err := l.ResetBitPacked([]byte{0xff}, 4, 2); err != nil {
		t.Fatal(err)
	}
	if n, err := l.Next(got[:2]); n != 0 || err == nil {
		t.Errorf("levels 7 7 of at most 4: %d, %v", n, err)
	}
}

func TestBools(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 9))
		body, n := stream(r, 1, 1)
		testBools(t, r, body, n)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func testBools(t *testing.T, r *rand.Rand, body []byte, n int) {
	t.Helper()
	codes, err := naive.Hybrid(body, 1, n)
	want := make([]bool, len(codes))
	for i, c := range codes {
		want[i] = c == 1
	}
	body = padded(t, r, body)
	var b Bools
	if err := b.Reset(body, n); err != nil {
		t.Fatal(err)
	}
	decodetest.Drive(t, r, decodetest.Bools{BitDecoder: &b, At: r.IntN(100)}.Decoder(), want, err != nil)
}
