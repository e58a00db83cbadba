package column

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
		part.CopyRange(&s, from, n, want)
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

func TestSelections(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		n := rng.IntN(200)
		model := [2][]bool{make([]bool, n), make([]bool, n)}
		var s [2]Selection
		for k := range s {
			s[k].Fill(n + rng.IntN(100)) // dirt
			s[k].Clear(n)
			for i := range n {
				if rng.IntN(2) == 0 {
					s[k].SetRange(i, i+1)
					model[k][i] = true
				}
			}
		}
		s[0].Count()
		op := rng.IntN(4)
		switch op {
		case 0:
			s[0].And(&s[1])
		case 1:
			s[0].Or(&s[1])
		case 2:
			s[0].AndNot(&s[1])
		case 3:
			s[0].Copy(&s[1])
		}
		count := 0
		for i := range n {
			a, b := model[0][i], model[1][i]
			want := []bool{a && b, a || b, a && !b, b}[op]
			if got := s[0].Bits[i/64]>>(i%64)&1 != 0; got != want {
				t.Fatalf("operation %d: row %d of %d is %v", op, i, n, got)
			}
			if want {
				count++
			}
		}
		if s[0].Count() != count || s[0].All() != (count == n) || s[0].None() != (count == 0) {
			t.Fatalf("operation %d: %d of %d rows, want %d", op, s[0].Count(), n, count)
		}
	}
}
