package scanner

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/thrift"
)

// Windows of a condition end with pages of the column that it asks first.
func TestWindowsOfPages(t *testing.T) {
	asked := &leaf{}
	for _, row := range []int64{0, 20000, 40000, 41000, 42000, 100000} {
		asked.offsets = append(asked.offsets, thrift.PageLocation{FirstRow: row})
	}
	ask := &step{leaf: asked}
	and := &step{args: []*step{{args: []*step{ask}}, {leaf: &leaf{}}}}
	const none = math.MaxInt64
	for _, c := range []struct {
		root     *step
		rows     vector.Range
		reach    int
		forced   int
		start    bool
		limit    int64
		whatElse string
	}{
		{ask, vector.Range{From: 0, To: 200000}, 8 << 10, 0, true, none, "the page is longer"},
		{ask, vector.Range{From: 8192, To: 200000}, 16 << 10, 0, false, 20000, ""},
		{ask, vector.Range{From: 20000, To: 200000}, 32 << 10, 0, true, 42000, "several pages"},
		{ask, vector.Range{From: 42000, To: 200000}, 32 << 10, 0, true, none, "the page is longer"},
		{and, vector.Range{From: 0, To: 200000}, 32 << 10, 0, true, 20000, "the first step"},
		{ask, vector.Range{From: 0, To: 19000}, 32 << 10, 0, true, none, "rows behind are left out"},
		{ask, vector.Range{From: 19999, To: 200000}, 8 << 10, 0, false, none, "the border is near"},
		{ask, vector.Range{From: 39999, To: 200000}, 1, 0, false, 40000, "one row"},
		{ask, vector.Range{From: 150000, To: 200000}, 32 << 10, 0, false, none, "the last page"},
		{ask, vector.Range{From: 0, To: 200000}, 32 << 10, 4096, false, none, "windows are of another size"},
		{&step{leaf: &leaf{}}, vector.Range{From: 0, To: 200000}, 32 << 10, 0, false, none, "no index"},
		{&step{}, vector.Range{From: 0, To: 200000}, 32 << 10, 0, false, none, "no test"},
	} {
		s := &scan{}
		s.opts.Force.Window = c.forced
		start, limit := (&condition{scan: s, root: c.root, reach: c.reach}).pages(c.rows)
		if start != c.start || limit != c.limit {
			t.Errorf("%v, %d rows: %v, %d, want %v, %d: %s", c.rows, c.reach, start, limit, c.start, c.limit, c.whatElse)
		}
	}
}

// Pieces of a window are its rows, each once and in order, with no more that passed than asked for.
func TestPiecesOfWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + r.IntN(9000)
		p := &passing{from: r.Int64N(1000), border: r.Int64N(200)}
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
