package dtest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	file := make([]byte, 100_000)
	for i := range file {
		file[i] = byte(r.Uint32())
	}
	kept := slices.Clone(file)
	end, cut, same := 0, 0, 0
	for range 1000 {
		b := Damaged(r, file)
		switch {
		case len(b) < len(file):
			cut++
		case bytes.Equal(b, file):
			same++
		case bytes.Equal(b[:99_000], file[:99_000]):
			end++
		}
	}
	if cut < 80 || cut > 200 || same > 20 || end < 400 || end > 600 {
		t.Errorf("of 1000, %d are cut, %d as they were, %d differ at the end", cut, same, end)
	}
	if !bytes.Equal(file, kept) {
		t.Error("the original was changed")
	}
	Damaged(r, []byte{1})
}
