package decodetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Decoder is what all decoders have in common.
type Decoder[T any] struct {
	Next   func(dst []T) (int, error)
	Skip   func(n int) error
	Gather func(dst []T, sel []uint64, n int) (int, error)
	Tests  []Test[T] // narrowing tests

	// SkipsFaults says that Skip need not find a fault. What comes behind it may be
	// anything then.
	SkipsFaults bool
}

// Test is a narrowing test and what it means.
type Test[T any] struct {
	Name  string
	Clear func(sel []uint64, n int) error
	Pass  func(T) bool
}

// Drive takes d, just reset, through its values. want are the values up to the
// end of the page or the first fault in its bytes; faulty says that it is a
// fault, so that going beyond must be an error. In a sound page it is one too:
// there are no more values.
func Drive[T comparable](t testing.TB, r *rand.Rand, d Decoder[T], want []T, faulty bool) {
	t.Helper()
	sel := make([]uint64, 0, 64)
	for pos := 0; ; {
		n := steps(r, len(want)-pos)
		name := ""
		var err error
		switch op := r.IntN(3 + len(d.Tests)); op {
		case 0:
			name = "Next"
			dst := make([]T, n)
			var got int
			if got, err = d.Next(dst); got > len(want)-pos || err == nil && got < n {
				t.Fatalf("Next of %d values at %d of %d returned %d, %v", n, pos, len(want), got, err)
			}
			for i, x := range dst[:got] {
				if x != want[pos+i] {
					t.Fatalf("Next of %d at %d: value %d is %s, want %s", n, pos, i, short(x), short(want[pos+i]))
				}
			}
		case 1:
			name = "Skip"
			err = d.Skip(n)
			if err == nil && faulty && d.SkipsFaults && pos+n > len(want) {
				for err == nil { // it must not panic, and must end
					_, err = d.Next(make([]T, 100))
				}
				return
			}
		case 2:
			name = "Gather"
			sel = selection(r, sel, n)
			dst := make([]T, n)
			var got int
			got, err = d.Gather(dst, sel, n)
			k := 0
			for i := 0; i < n && (err == nil || k < got); i++ {
				if sel[i/64]>>(i%64)&1 == 0 {
					continue
				}
				if k >= got || pos+i >= len(want) || dst[k] != want[pos+i] {
					t.Fatalf("Gather of %d at %d of %d, bits %x: value %d of %d is wrong: %s", n, pos, len(want), sel, k, got, short(dst[:got]))
				}
				k++
			}
			if k != got {
				t.Fatalf("Gather of %d at %d: %d values, want %d", n, pos, got, k)
			}
		default:
			test := d.Tests[op-3]
			name = test.Name
			sel = selection(r, sel, n)
			before := append([]uint64(nil), sel...)
			if err = test.Clear(sel, n); err != nil {
				break
			}
			for i := range len(sel) * 64 {
				expected := before[i/64]>>(i%64)&1 != 0
				if i < n {
					if pos+i >= len(want) {
						t.Fatalf("%s of %d at %d of %d: no error", name, n, pos, len(want))
					}
					expected = expected && test.Pass(want[pos+i])
				}
				if got := sel[i/64]>>(i%64)&1 != 0; got != expected {
					t.Fatalf("%s of %d at %d: bit %d is %v, before %v", name, n, pos, i, got, before[i/64]>>(i%64)&1 != 0)
				}
			}
		}
		beyond := pos+n > len(want)
		switch {
		case err != nil && !beyond && !faulty:
			t.Fatalf("%s of %d at %d of %d: %v", name, n, pos, len(want), err)
		case err == nil && beyond:
			t.Fatalf("%s of %d at %d of %d: no error", name, n, pos, len(want))
		case err != nil:
			return
		}
		pos += n
	}
}

// steps chooses how far to go: mostly a little, at times to the end, at times beyond.
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

// selection returns enough words for n bits, and some bits behind them.
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
