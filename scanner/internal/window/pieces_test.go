package window

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Pieces of a window are its rows, each once and in order, with no more that passed than asked for.
func TestPiecesOfWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + r.IntN(9000)
		p := &Survivors{From: r.Int64N(1000), pageStart: r.Int64N(200)}
		p.pageStart = min(p.pageStart, p.From)
		p.Sel.Clear(n)
		share := []int{1, 10, 50, 90, 99, 100}[r.IntN(6)]
		for i := range n {
			if r.IntN(100) < share {
				bits.Set(p.Sel.Bits, i)
			}
		}
		p.Sel.Changed()
		p.Unread = p.Sel.Count()
		left, next := p.Unread, p.From
		for p.Unread > 0 {
			most := 1 + r.IntN(4000)
			piece := p.NextPiece(most, math.MaxInt64)
			from, to, sel := piece.From, piece.To, piece.Sel
			if from != next || to <= from || to > p.From+int64(n) {
				t.Fatalf("rows [%d, %d) behind row %d", from, to, next)
			}
			rows := 0
			for row := from; row < to; row++ {
				want := bits.Get(p.Sel.Bits, int(row-p.From))
				if got := sel == nil || bits.Get(sel.Bits, int(row-from)); got != want {
					t.Fatalf("row %d passed: %v, and is in its piece: %v", row, want, got)
				}
				if want {
					rows++
				}
			}
			if rows == 0 || rows > most || sel != nil && (sel.N != int(to-from) || sel.Count() != rows) {
				t.Fatalf("a piece of %d rows, %d of them passed, of at most %d", to-from, rows, most)
			}
			left, next = left-rows, to
		}
		if left != 0 {
			t.Fatalf("%d rows that passed are in no piece", left)
		}
	}
}
