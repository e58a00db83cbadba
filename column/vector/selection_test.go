package vector

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
)

func TestPartOfSelection(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var part Selection
	for range 300 {
		var s Selection
		s.Clear(1 + r.IntN(500))
		for range r.IntN(500) {
			bits.Set(s.Bits, r.IntN(s.N))
		}
		s.Changed()
		from := r.IntN(s.N + 1)
		n := r.IntN(s.N - from + 1)
		want := 0
		for i := range n {
			if bits.Get(s.Bits, from+i) {
				want++
			}
		}
		part.Part(&s, from, n, want)
		if part.N != n || part.Count() != want || bits.Count(part.Bits, 0, n) != want {
			t.Fatalf("%d of %d rows, want %d of %d", part.Count(), part.N, want, n)
		}
		for i := range n {
			if bits.Get(part.Bits, i) != bits.Get(s.Bits, from+i) {
				t.Fatalf("row %d of the part from row %d on", i, from)
			}
		}
	}
}
