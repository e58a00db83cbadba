package column

import (
	"math/rand/v2"
	"testing"
)

// TestLocate has an index come while a chunk is read: at any page, the rows and
// what is counted stay right. An index that does not fit is not used.
func TestLocate(t *testing.T) {
	located, refused := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 11))
		s := must[*sample](t)(randomSample(r))
		indexed, bytes, err := s.file.source(0, 0, true)
		if err != nil {
			t.Fatal(err)
		}
		src, _, err := s.file.source(0, 0, false)
		if err != nil {
			t.Fatal(err)
		}
		var chunk Chunk
		if err := chunk.Reset(src); err != nil {
			t.Fatal(err)
		}
		var cur Cursor
		cur.Open(&chunk, &memory{chunk: bytes, spoil: true}, Options{Codes: r.IntN(2) == 0})
		at, wrong := r.Int64N(src.Rows+1), r.IntN(3) == 0
		for cur.At() < src.Rows {
			if cur.At() >= at {
				index := indexed.Index
				if wrong && cur.nextPage < len(index) {
					index = append(index[:0:0], index...)
					index[cur.nextPage].FirstRow++
				}
				fits := !src.repeated() && (!wrong || cur.nextPage == len(index))
				if cur.Locate(index) != fits {
					t.Fatalf("seed %d: %s: fits is %v, at row %d", seed, s.what, !fits, cur.At())
				}
				if fits {
					located++
				} else {
					refused++
				}
				at = src.Rows
			}
			n := min(1+r.Int64N(500), src.Rows-cur.At())
			cur.Window(cur.At() + n)
			if r.IntN(3) > 0 {
				b := batch{at: int(cur.At()), sel: randomSelection(r, int(n), false), n: int(n)}
				if err := b.read(s, &cur, r.IntN(2) == 0); err != nil {
					t.Fatalf("seed %d: %s: %v", seed, s.what, err)
				}
				if err := b.check(s); err != nil {
					t.Fatalf("seed %d: %s: %v", seed, s.what, err)
				}
			}
			cur.Advance(cur.At() + n)
		}
		cur.Close()
		if err := closed(&cur, &src); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, s.what, err)
		}
	}
	if located < 50 || refused < 50 {
		t.Errorf("%d located, %d refused", located, refused)
	}
}
