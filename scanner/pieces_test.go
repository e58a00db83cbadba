package scanner

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
		p := &survivors{from: r.Int64N(1000), border: r.Int64N(200)}
		p.border = min(p.border, p.from)
		p.sel.Clear(n)
		share := []int{1, 10, 50, 90, 99, 100}[r.IntN(6)]
		for i := range n {
			if r.IntN(100) < share {
				bits.Set(p.sel.Bits, i)
			}
		}
		p.sel.Changed()
		p.left = p.sel.Count()
		left, next := p.left, p.from
		for p.left > 0 {
			most := 1 + r.IntN(4000)
			from, to, sel := p.take(most, math.MaxInt64)
			if from != next || to <= from || to > p.from+int64(n) {
				t.Fatalf("rows [%d, %d) behind row %d", from, to, next)
			}
			rows := 0
			for row := from; row < to; row++ {
				want := bits.Get(p.sel.Bits, int(row-p.from))
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
