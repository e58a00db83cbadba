package values

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
)

// A body whose loan was forgotten, since there were too many loans, is not used again
// when one of the two vectors that point there is released.
func TestForgottenLoansStayForgotten(t *testing.T) {
	var b Bodies
	lend := func(body []byte, another bool) *vector.Vector {
		b.Lend(body, 0, another)
		return &vector.Vector{Buffers: [][]byte{body}}
	}
	body := make([]byte, 100)
	lend(body, false) // not released
	for range maxLoans {
		lend(make([]byte, 100), false)
	}
	b.Release(lend(body, true))
	b.Leave(body)
	if b.Get(100) != nil {
		t.Error("a body is free that a vector points into")
	}
}

// A body whose loan is remembered is used again once all vectors have released it.
func TestLoansEnd(t *testing.T) {
	testLoansEnd(t, 0)
	testLoansEnd(t, 7)
}

func testLoansEnd(t *testing.T, front int) {
	t.Helper()
	var b Bodies
	body := make([]byte, 100)
	values := body[front:]
	b.Lend(values, front, false)
	b.Lend(values, front, true)
	b.Leave(values)
	for i := range 2 {
		if b.Get(100) != nil {
			t.Fatalf("free after %d of 2", i)
		}
		b.Release(&vector.Vector{Buffers: [][]byte{values}})
	}
	if got := b.Get(100); cap(got) != 100 || &got[:1][0] != &body[0] {
		t.Errorf("not free after all were released")
	}
}

// Get returns the smallest memory that fits, if it is not far too large; of one size the one
// used last.
func TestWhatFitsIsTaken(t *testing.T) {
	var b Bodies
	given := map[int][]*byte{}
	for _, size := range []int{300, 100, 200, 220, 50, 200, 100} {
		body := make([]byte, size)
		given[size] = append(given[size], &body[0])
		b.Put(body)
	}
	for _, tc := range []struct{ size, want int }{{180, 200}, {201, 220}, {1000, 0}, {24, 0}, {25, 50}, {101, 200}, {150, 300}, {100, 100}} {
		got := b.Get(tc.size)
		if cap(got) != tc.want {
			t.Fatalf("%d bytes: got %d, want %d", tc.size, cap(got), tc.want)
		}
		if same := given[tc.want]; tc.want > 0 {
			if last := len(same) - 1; &got[:1][0] != same[last] {
				t.Errorf("%d bytes: got another than the last of %d", tc.size, tc.want)
			} else {
				given[tc.want] = same[:last]
			}
		}
	}
	if b.bytes != 100 || len(b.free) != 1 {
		t.Errorf("%d bytes are left", b.bytes)
	}
}

// bodiesScan gets memory of some sizes, holds at most so many at a time, and puts all
// back. It returns how many bytes it had to allocate.
func bodiesScan(b *Bodies, sizes []int, held int) (made int) {
	var out [][]byte
	for _, size := range sizes {
		body := b.Get(size)
		if cap(body) < size {
			body = make([]byte, size)
			made += size
		}
		if out = append(out, body); len(out) > held {
			b.Put(out[0])
			out = out[1:]
		}
	}
	for _, body := range out {
		b.Put(body)
	}
	return made
}

// Repeating a scan allocates nothing after the first time, and no more memory stays free
// than was needed at once, however sizes are mixed; with scans of different sizes not much
// more stays.
func TestOnlyWhatIsNeededAtOnceStays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, held := range []int{5, 200, 1000} {
		b := Bodies{Limit: 1 << 30}
		sizes := make([]int, 1000)
		most := 0
		for i := range sizes {
			sizes[i] = 100 + r.IntN(1000) // copied strings
			if i%2 == 0 {
				sizes[i] = 10_000 + r.IntN(600_000) // pages
			}
			most += sizes[i]
		}
		bodiesScan(&b, sizes, held)
		made := 0
		for range 40 {
			made += bodiesScan(&b, sizes, held)
		}
		if made > most/100 {
			t.Errorf("%d held: %d bytes were made in 40 scans, all are %d", held, made, most)
		}
		if b.bytes > most {
			t.Errorf("%d held: %d bytes stay, all are %d", held, b.bytes, most)
		}
	}
	for _, limit := range []int{1 << 30, 10 << 20} {
		b := Bodies{Limit: limit}
		needed, after3 := 0, 0 // bytes
		for i := range 40 {
			size := 16_000 << r.IntN(7)
			sizes := make([]int, 1+(32<<20)/size)
			total := 0
			for i := range sizes {
				sizes[i] = size + r.IntN(size/2)
				total += sizes[i]
			}
			needed = max(needed, total)
			bodiesScan(&b, sizes, len(sizes))
			if b.bytes > min(needed*2+maxIdle, limit) {
				t.Fatalf("limit %d, scan %d: %d bytes stay, at most %d were needed", limit, i, b.bytes, needed)
			}
			if i == 2 {
				after3 = max(b.bytes, needed)
			}
		}
		if b.bytes > after3*3/2 {
			t.Errorf("limit %d: %d bytes stay after 40 scans, %d after 3", limit, b.bytes, after3)
		}
		if b.bytes < min(limit, 24<<20)/2 {
			t.Errorf("limit %d: only %d bytes stay", limit, b.bytes)
		}
	}
}
