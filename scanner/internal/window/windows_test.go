package window

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-scan/winnow/column"
	"github.com/winnow-scan/winnow/column/vector"
)

func TestWindows(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		var rows vector.Ranges
		at := int64(0)
		for range 1 + r.IntN(20) {
			at += r.Int64N(200)
			if r.IntN(10) == 0 {
				at += maxSpan
			}
			end := at + 1 + r.Int64N(100)
			rows = rows.Append(at, end)
			at = end + 1
		}
		var w Windows
		before := slices.Clone(rows)
		w.Start(rows)
		var got vector.Ranges
		end := int64(0)
		for len(w.Remaining) > 0 {
			n := 1 + r.IntN(50)
			limit := end + r.Int64N(200)
			next := w.NextWindow(n, limit)
			from, to, sel := next.From, next.To, next.Sel
			if to > max(limit, from+1) || from < end || to <= from || to-from > maxSpan {
				t.Fatalf("seed %d: window [%d, %d) behind %d", seed, from, to, end)
			}
			end = to
			if sel == nil {
				sel = new(column.Selection)
				sel.Fill(int(to - from))
			}
			if c := sel.Count(); c < 1 || c > n || sel.N != int(to-from) {
				t.Fatalf("seed %d: %d of %d rows, at most %d asked for", seed, c, sel.N, n)
			}
			for i := range sel.N {
				if sel.Bits[i/64]>>(i%64)&1 != 0 {
					got = got.Append(from+int64(i), from+int64(i)+1)
				}
			}
		}
		if !slices.Equal(got, before) || !slices.Equal(rows, before) {
			t.Fatalf("seed %d: got %v, want %v", seed, got, before)
		}
	}
}
