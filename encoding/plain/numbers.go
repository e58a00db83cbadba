package plain

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Numbers decodes INT32, INT64, FLOAT and DOUBLE, and the unsigned types that
// are stored as such. The zero Numbers holds no values.
type Numbers[T encoding.Number] struct {
	body []byte
	cursor
}

// Reset starts on body, which holds at most n values.
func (d *Numbers[T]) Reset(body []byte, n int) error {
	d.body = body
	d.reset(len(body), n, sizeOf[T]())
	return nil
}

// Next decodes the next len(dst) values; fewer only with an error.
func (d *Numbers[T]) Next(dst []T) (int, error) {
	first, n, err := d.take(len(dst))
	load(dst[:n], d.body[first*sizeOf[T]():])
	return n, err
}

// Skip steps over n values.
func (d *Numbers[T]) Skip(n int) error {
	_, _, err := d.take(n)
	return err
}

// Gather steps over n values and decodes those whose bit is set in sel.
func (d *Numbers[T]) Gather(dst []T, sel []uint64, n int) (int, error) {
	first, n, err := d.take(n)
	body := d.body[first*sizeOf[T]():][:n*sizeOf[T]()]
	if values, ok := view[T](body, n); ok {
		return pack.Values(dst, values, sel), err
	}
	kept := 0
	for at := 0; at < n; at += 64 {
		w := sel[at/64]
		if rest := n - at; rest < 64 {
			w &= bits.Low(rest)
		}
		out := dst[kept:][:mathbits.OnesCount64(w)]
		kept += len(out)
		if w == ^uint64(0) {
			load(out, body[at*sizeOf[T]():])
			continue
		}
		for k := range out {
			out[k] = number[T](body, at+mathbits.TrailingZeros64(w))
			w &= w - 1
		}
	}
	return kept, err
}

// Range steps over n values and clears in sel the bit of each that is not
// lo <= value <= hi. NaN never is, and -0 equals +0.
func (d *Numbers[T]) Range(sel []uint64, n int, lo, hi T) error {
	first, n, err := d.take(n)
	body := d.body[first*sizeOf[T]():]
	if values, ok := view[T](body, n); ok {
		encoding.Within(sel, values, lo, hi)
		return err
	}
	var buffer [512]T // so that the kernel sees aligned values of the machine's byte order
	for at := 0; at < n; at += len(buffer) {
		part := buffer[:min(len(buffer), n-at)]
		load(part, body[at*sizeOf[T]():])
		encoding.Within(sel[at/64:], part, lo, hi)
	}
	return err
}
