package inflate

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// Each length from each near distance, and from around the borders of each
// symbol of a distance, surrounded by enough for the fast loop.
func TestEveryMatch(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	front := make([]byte, 32768)
	for i := range front {
		front[i] = byte(r.Uint32())
	}
	var distances []int
	for distance := range 34 {
		distances = append(distances, distance+1)
	}
	for _, e := range distanceTable {
		distances = append(distances, max(e[0]-1, 1), e[0], e[0]+1)
	}
	distances = append(distances, 32767, 32768)
	lits, dists := codeOf(fixedLits), codeOf(fixedDists)
	var d Decoder
	for _, distance := range distances {
		var w bitWriter
		w.stored(0, front[:distance])
		out := bytes.Clone(front[:distance])
		w.put(1|1<<1, 3)
		for length := 3; length <= 258; length++ {
			for i := range 1 + r.IntN(3) { // so that the next one starts anywhere
				w.symbol(lits, i)
				out = append(out, byte(i))
			}
			w.match(lits, dists, length, distance)
			out = repeated(out, length, distance)
		}
		w.symbol(lits, 256)
		w.toByte()
		for _, spare := range []int{0, 400} {
			dst, intact := guarded(len(out), spare)
			if _, err := blocksOf(&d, dst, w.out, true); err != nil || !bytes.Equal(dst, out) || !intact() {
				t.Fatalf("distance %d, spare %d: %v, or it differs", distance, spare, err)
			}
		}
		check(t, &d, w.out, 400)
	}
}

// A distance of one more than there is output, in each member anew.
func TestDistancesTooFar(t *testing.T) {
	lits, dists := codeOf(fixedLits), codeOf(fixedDists)
	for _, n := range []int{0, 1, 2, 7, 8, 100, 1000, 32767} {
		for _, more := range []int{0, 1} {
			if n+more == 0 {
				continue
			}
			var w bitWriter
			w.stored(0, make([]byte, n))
			w.put(1|1<<1, 3)
			w.match(lits, dists, 5, n+more)
			w.symbol(lits, 256)
			w.toByte()
			w.out = append(w.out, make([]byte, 100)...) // for the fast loop
			out := make([]byte, n+5, n+1000)
			var d Decoder
			if _, err := blocksOf(&d, out, w.out, true); (err == nil) != (more == 0) {
				t.Errorf("%d bytes behind %d: %v", n+more, n, err)
			}
			check(t, &d, w.out, 400)
			two := append(member(w.out[:n+5], make([]byte, n)), member(w.out[n+5:], nil)...)
			two[10] |= 1                                                // the stored block is the last one of the first member
			for _, dst := range [][]byte{out[:n+5], out[: n+5 : n+5]} { // by both loops
				if err := d.Decode(dst, two); err == nil || !strings.Contains(err.Error(), "in front of all bytes") {
					t.Errorf("%d bytes behind %d, in another member: %v", n+more, n, err)
				}
			}
		}
	}
}

// Symbols that take nearly all bits that a load brings: literals and lengths
// of up to 15 bits, and distances of 15 bits and 13 more.
func TestManyBits(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 13))
	front := make([]byte, 32768)
	for i := range front {
		front[i] = byte(r.Uint32())
	}
	lits, dists := make([]int, 286), make([]int, 30)
	for i, s := range []int{256, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 257, 264, 268, 284} {
		lits[s] = min(i+1, 15)
	}
	for s := range 16 {
		dists[14+s] = min(s+1, 15)
	}
	var d Decoder
	for range 300 {
		var w bitWriter
		w.stored(0, front)
		out := bytes.Clone(front)
		w.put(1|2<<1, 3)
		w.codes(r, lits, dists)
		litCode, distCode := codeOf(lits), codeOf(dists)
		for range 200 {
			for range r.IntN(4) {
				s := 7 + r.IntN(4) // of 9 to 12 bits
				w.symbol(litCode, s)
				out = append(out, byte(s))
			}
			length := []int{3, 10, 18, 228 + r.IntN(30)}[r.IntN(4)]
			distance := 20_000 + r.IntN(12_769)
			w.match(litCode, distCode, length, distance)
			out = repeated(out, length, distance)
		}
		w.symbol(litCode, 256)
		w.toByte()
		dst, intact := guarded(len(out), 400)
		if _, err := blocksOf(&d, dst, w.out, true); err != nil || !bytes.Equal(dst, out) || !intact() {
			t.Fatalf("%v, or it differs", err)
		}
	}
}
