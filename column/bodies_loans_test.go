package column

import (
	"testing"

	"github.com/winnow-scan/winnow/column/vector"
)

// A body whose loan was forgotten, for there are too many, is not used again
// when one of the two vectors that point there is released.
func TestForgottenLoansStayForgotten(t *testing.T) {
	var b Bodies
	lend := func(body []byte, another bool) *vector.Vector {
		b.lend(body, 0, another)
		return &vector.Vector{Buffers: [][]byte{body}}
	}
	body := make([]byte, 100)
	lend(body, false) // not released
	for range maxLoans {
		lend(make([]byte, 100), false)
	}
	b.Release(lend(body, true))
	b.leave(body)
	if b.take(100) != nil {
		t.Error("a body is free that a vector points into")
	}
}

// With room for its loan, it is used again once all have released it.
func TestLoansEnd(t *testing.T) {
	testLoansEnd(t, 0)
	testLoansEnd(t, 7)
}

func testLoansEnd(t *testing.T, front int) {
	t.Helper()
	var b Bodies
	body := make([]byte, 100)
	values := body[front:]
	b.lend(values, front, false)
	b.lend(values, front, true)
	b.leave(values)
	for i := range 2 {
		if b.take(100) != nil {
			t.Fatalf("free after %d of 2", i)
		}
		b.Release(&vector.Vector{Buffers: [][]byte{values}})
	}
	if got := b.take(100); cap(got) != 100 || &got[:1][0] != &body[0] {
		t.Errorf("not free after all were released")
	}
}

// Of memory that fits well, the last is taken, else what fits best; if none fits, what is too small.
func TestWhatFitsIsTaken(t *testing.T) {
	var b Bodies
	bodies := map[int][]byte{}
	for _, size := range []int{300, 100, 200, 220, 50} {
		bodies[size] = make([]byte, size)
		b.give(bodies[size])
	}
	for _, tc := range []struct{ size, want int }{{180, 220}, {150, 200}, {1000, 50}, {1, 100}, {101, 300}} {
		if got := b.take(tc.size); cap(got) != tc.want || &got[:1][0] != &bodies[tc.want][0] {
			t.Errorf("%d bytes: got %d, want %d", tc.size, cap(got), tc.want)
		}
	}
	if b.take(1) != nil || b.bytes != 0 {
		t.Errorf("%d bytes are left", b.bytes)
	}
}
