package rle

import (
	"slices"
	"testing"
)

func TestPeek(t *testing.T) {
	// Three times 5, then eight packed: 0 1 2 3 4 5 6 7 of width 3.
	body := []byte{3 << 1, 5, 1<<1 | 1, 0x88, 0xc6, 0xfa}
	var d Codes
	if err := d.Reset(body, 3, 8, 11); err != nil {
		t.Fatal(err)
	}
	type seen struct {
		n      int
		packed bool
	}
	var got []seen
	for range 2 {
		for range 2 {
			n, packed, err := d.Peek()
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, seen{n, packed})
		}
		if err := d.Skip(3); err != nil {
			t.Fatal(err)
		}
	}
	if want := []seen{{3, false}, {3, false}, {8, true}, {8, true}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if err := d.Skip(5); err != nil {
		t.Fatal(err)
	}
	if n, _, err := d.Peek(); err == nil {
		t.Errorf("behind the end there are %d values", n)
	}
}

func TestTranslate(t *testing.T) {
	dst := make([]string, 3)
	if !Translate(dst, []uint32{2, 0, 1}, []string{"a", "b", "c"}) || !slices.Equal(dst, []string{"c", "a", "b"}) {
		t.Error(dst)
	}
	if Translate(dst, []uint32{0, 3, 1}, []string{"a", "b", "c"}) || !slices.Equal(dst, []string{"c", "a", "b"}) {
		t.Error("a code out of range: ", dst)
	}
	if !Translate(dst[:0], nil, nil) {
		t.Error("no codes")
	}
}
