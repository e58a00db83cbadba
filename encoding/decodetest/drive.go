package decodetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Decoder is the methods that all decoders share.
type Decoder[T any] struct {
	Next   func(dst []T) (int, error)
	Skip   func(n int) error
	Gather func(dst []T, sel []uint64, n int) (int, error)
	Tests  []Test[T] // tests that clear bits of a selection

	// SkipsFaults says that Skip need not find a fault. The values after it may be
	// anything then.
	SkipsFaults bool
}

// Test is a test that clears bits of a selection, and its meaning for one value.
type Test[T any] struct {
	Name  string
	Clear func(sel []uint64, n int) error
	Pass  func(T) bool
}

// Drive takes d, just reset, through its values. want are the values up to the end of
// the page or the first fault in its bytes; faulty says that it is a fault. Going beyond
// want must be an error in both cases.
func Drive[T comparable](t testing.TB, r *rand.Rand, d Decoder[T], want []T, faulty bool) {
	t.Helper()
	w := walk[T]{TB: t, r: r, d: d, want: want}
	for {
		n := steps(r, len(want)-w.pos)
		name := ""
		var err error
		switch op := r.IntN(3 + len(d.Tests)); op {
		case 0:
			name, err = "Next", w.next(n)
		case 1:
			name, err = "Skip", d.Skip(n)
			if err == nil && faulty && d.SkipsFaults && w.pos+n > len(want) {
				for err == nil { // it must not panic, and must end
					_, err = d.Next(make([]T, 100))
				}
				return
			}
		case 2:
			name, err = "Gather", w.gather(n)
		default:
			name, err = d.Tests[op-3].Name, w.clear(d.Tests[op-3], n)
		}
		beyond := w.pos+n > len(want)
		switch {
		case err != nil && !beyond && !faulty:
			t.Fatalf("%s of %d at %d of %d: %v", name, n, w.pos, len(want), err)
		case err == nil && beyond:
			t.Fatalf("%s of %d at %d of %d: no error", name, n, w.pos, len(want))
		case err != nil:
			return
		}
		w.pos += n
	}
}

// walk is a decoder on its way through a page.
type walk[T comparable] struct {
	testing.TB
	r    *rand.Rand
	d    Decoder[T]
	want []T
	pos  int      // of the decoder's next value in want
	sel  []uint64 // memory for the next selection
}

func (w *walk[T]) next(n int) error {
	w.Helper()
	dst := make([]T, n)
	got, err := w.d.Next(dst)
	if got > len(w.want)-w.pos || err == nil && got < n {
		w.Fatalf("Next of %d values at %d of %d returned %d, %v", n, w.pos, len(w.want), got, err)
	}
	for i, x := range dst[:got] {
		if x != w.want[w.pos+i] {
			w.Fatalf("Next of %d at %d: value %d is %s, want %s", n, w.pos, i, short(x), short(w.want[w.pos+i]))
		}
	}
	return err
}

func (w *walk[T]) gather(n int) error {
	w.Helper()
	w.sel = selection(w.r, w.sel, n)
	dst := make([]T, n)
	got, err := w.d.Gather(dst, w.sel, n)
	k := 0
	for i := 0; i < n && (err == nil || k < got); i++ {
		if w.sel[i/64]>>(i%64)&1 == 0 {
			continue
		}
		if k >= got || w.pos+i >= len(w.want) || dst[k] != w.want[w.pos+i] {
			w.Fatalf("Gather of %d at %d of %d, bits %x: value %d of %d is wrong: %s", n, w.pos, len(w.want), w.sel, k, got, short(dst[:got]))
		}
		k++
	}
	if k != got {
		w.Fatalf("Gather of %d at %d: %d values, want %d", n, w.pos, got, k)
	}
	return err
}

func (w *walk[T]) clear(test Test[T], n int) error {
	w.Helper()
	w.sel = selection(w.r, w.sel, n)
	before := append([]uint64(nil), w.sel...)
	if err := test.Clear(w.sel, n); err != nil {
		return err
	}
	for i := range len(w.sel) * 64 {
		expected := before[i/64]>>(i%64)&1 != 0
		if i < n {
			if w.pos+i >= len(w.want) {
				w.Fatalf("%s of %d at %d of %d: no error", test.Name, n, w.pos, len(w.want))
			}
			expected = expected && test.Pass(w.want[w.pos+i])
		}
		if got := w.sel[i/64]>>(i%64)&1 != 0; got != expected {
			w.Fatalf("%s of %d at %d: bit %d is %v, before %v", test.Name, n, w.pos, i, got, before[i/64]>>(i%64)&1 != 0)
		}
	}
	return nil
}

// steps returns how many values to pass: mostly few, at times all that are left, at times more.
func steps(r *rand.Rand, left int) int {
	switch r.IntN(12) {
	case 0:
		return left
	case 1:
		return left + 1 + r.IntN(100)
	case 2:
		return r.IntN(5)
	case 3:
		return min(left, 64*r.IntN(10))
	}
	n := r.IntN(200)
	if n > left && r.IntN(4) > 0 {
		n = left
	}
	return n
}

// selection returns enough words for n bits, and some bits after them.
func selection(r *rand.Rand, sel []uint64, n int) []uint64 {
	sel = sel[:0]
	shape := r.IntN(6)
	for range n/64 + 1 + r.IntN(2) {
		w := r.Uint64()
		switch shape {
		case 0:
			w = ^uint64(0)
		case 1:
			w &= r.Uint64() & r.Uint64() & r.Uint64()
		case 2:
			w = 0
		case 3:
			w |= -(r.Uint64() & 1)
			w &= -(r.Uint64() & 1)
		case 4: // few, here and there
			w = r.Uint64() & 1 << r.IntN(64)
		}
		sel = append(sel, w)
	}
	return sel
}

func short(v any) string {
	s := fmt.Sprint(v)
	if len(s) > 300 {
		s = s[:300] + "…"
	}
	return s
}
