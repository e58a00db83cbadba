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
		b.lend(body, another)
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
	var b Bodies
	body := make([]byte, 100)
	b.lend(body, false)
	b.lend(body, true)
	b.leave(body)
	for i := range 2 {
		if b.take(100) != nil {
			t.Fatalf("free after %d of 2", i)
		}
		b.Release(&vector.Vector{Buffers: [][]byte{body}})
	}
	if got := b.take(100); cap(got) != 100 {
		t.Errorf("not free after all were released")
	}
}
