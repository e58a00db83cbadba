package window

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// TestPieces takes windows apart, and holds the pieces to the rows one by one.
func TestPieces(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 6))
		var p Survivors
		var rows, got []int64
		page := int64(1 + r.IntN(3000))
		share := []float64{0.01, 0.3, 0.9, 1}[r.IntN(4)]
		for range 3 {
			p.From, p.next = p.To, 0
			n := 1 + r.IntN(5000)
			p.To = p.From + int64(n)
			p.Sel.Clear(n)
			for i := range n {
				if r.Float64() < share {
					p.Sel.SetRange(i, i+1)
					rows = append(rows, p.From+int64(i))
				}
			}
			p.Sel.Changed()
			p.Unread = p.Sel.Count()
			for end := p.From; p.Unread > 0; {
				most, start := 1+r.IntN(2000), p.Row()
				limit := (start/page + 1) * page
				piece := p.NextPiece(most, limit)
				from, to, sel := piece.From, piece.To, piece.Sel
				if from != end || to <= from || to > p.To {
					t.Fatalf("seed %d: a piece [%d, %d) behind %d, of a window up to %d", seed, from, to, end, p.To)
				}
				count := 0
				for row := from; row < to; row++ {
					if sel == nil || bits.Get(sel.Bits, int(row-from)) {
						got = append(got, row)
						count++
					}
				}
				if count == 0 || count > most {
					t.Fatalf("seed %d: a piece of %d rows, want 1 to %d", seed, count, most)
				}
				if count > 1 && to > limit && bits.Next(p.Sel.Bits, int(limit-p.From), p.Sel.N) < int(to-p.From)-1 {
					t.Fatalf("seed %d: a piece [%d, %d) goes on behind row %d", seed, from, to, limit)
				}
				end = to
			}
		}
		if len(got) != len(rows) {
			t.Fatalf("seed %d: %d rows, want %d", seed, len(got), len(rows))
		}
		for i, row := range rows {
			if got[i] != row {
				t.Fatalf("seed %d: row %d, want %d", seed, got[i], row)
			}
		}
	}
}

// TestPiecesAreWhole has pieces of a page start and end where blocks of values do.
func TestPiecesAreWhole(t *testing.T) {
	const rows, page = 50000, 5000
	r := rand.New(rand.NewPCG(1, 6))
	var p Survivors
	p.To = rows
	p.Sel.Clear(rows)
	for i := range rows {
		if r.IntN(10) > 0 {
			p.Sel.SetRange(i, i+1)
		}
	}
	p.Sel.Changed()
	p.Unread = p.Sel.Count()
	for p.Unread > 0 {
		to := p.NextPiece(1000, (p.Row()/page+1)*page).To
		if in := to % page; in%DecodeBlock != 0 {
			t.Fatalf("a piece ends at row %d of its page", in)
		}
	}
}

// TestGaps has rows that do not pass all over a window, or in a row.
func TestGaps(t *testing.T) {
	const rows, n = 1000, 10_000
	of := func(drop func(i int) bool) bool {
		var p Survivors
		p.Sel.Clear(n)
		for i := range n {
			if !drop(i) {
				p.Sel.SetRange(i, i+1)
			}
		}
		p.Sel.Changed()
		p.Unread = p.Sel.Count()
		return p.HasGaps(rows)
	}
	r := rand.New(rand.NewPCG(7, 7))
	for _, share := range []float64{0, 0.01, 0.1, 0.45} {
		if of(func(int) bool { return r.Float64() < share }) {
			t.Errorf("%v of the rows do not pass, one by one: want no gap", share)
		}
	}
	if !of(func(i int) bool { return i%5 > 1 }) {
		t.Error("two in five pass: want gaps")
	}
	for range 100 {
		from := r.IntN(n - rows/2)
		if !of(func(i int) bool { return from <= i && i < from+rows/2 }) {
			t.Errorf("%d rows from row %d on do not pass: want a gap", rows/2, from)
		}
		if of(func(i int) bool { return from <= i && i < from+rows/4-1 }) {
			t.Errorf("%d rows from row %d on do not pass: want no gap", rows/4-1, from)
		}
	}
}
