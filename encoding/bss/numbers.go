package bss

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Numbers decodes INT32, INT64, FLOAT and DOUBLE, and the unsigned types that
// are stored as such. The zero Numbers holds no values.
type Numbers[T encoding.Number] struct{ streams }

// Reset starts on body, which holds at most n values.
func (d *Numbers[T]) Reset(body []byte, n int) error { return d.reset(body, n, sizeOf[T]()) }

// Next decodes the next len(dst) values; fewer only with an error.
func (d *Numbers[T]) Next(dst []T) (int, error) {
	first, n, err := d.take(len(dst))
	d.load(dst[:n], first)
	return n, err
}

// load decodes the values from first on, which are there.
func (d *Numbers[T]) load(dst []T, first int) {
	if len(dst) == 0 {
		return
	}
	if sizeOf[T]() == 4 {
		join4(as32(dst), d.body[first:], d.count)
	} else {
		join8(as64(dst), d.body[first:], d.count)
	}
}

// Gather steps over n values and decodes those whose bit is set in sel.
func (d *Numbers[T]) Gather(dst []T, sel []uint64, n int) (int, error) {
	first, n, err := d.take(n)
	kept := 0
	for i, w := range sel[:bits.Words(n)] {
		if rest := n - i*64; rest < 64 {
			w &= bits.Low(rest)
		}
		if w == 0 {
			continue
		}
		count := mathbits.OnesCount64(w)
		at, out := first+i*64, dst[kept:][:count]
		kept += count
		if count > dense {
			var buffer [64]T
			d.load(buffer[:mathbits.Len64(w)], at)
			for k := range out {
				out[k] = buffer[mathbits.TrailingZeros64(w)&63]
				w &= w - 1
			}
			continue
		}
		for k := range out {
			d.one(&out[k], at+mathbits.TrailingZeros64(w))
			w &= w - 1
		}
	}
	return kept, err
}

// dense is the number of values among 64 from which on decoding all is faster.
const dense = 8

// one decodes value i.
func (d *Numbers[T]) one(dst *T, i int) {
	b, n := d.body[i:], d.count
	v := uint64(b[0]) | uint64(b[n])<<8 | uint64(b[2*n])<<16 | uint64(b[3*n])<<24
	if sizeOf[T]() == 8 {
		b = b[4*n:]
		v |= uint64(b[0])<<32 | uint64(b[n])<<40 | uint64(b[2*n])<<48 | uint64(b[3*n])<<56
	}
	*dst = fromBits[T](v)
}

// Range steps over n values and clears in sel the bit of each that is not
// lo <= value <= hi. NaN never is, and -0 equals +0.
func (d *Numbers[T]) Range(sel []uint64, n int, lo, hi T) error {
	first, n, err := d.take(n)
	var buffer [512]T
	for at := 0; at < n; at += len(buffer) {
		part := buffer[:min(len(buffer), n-at)]
		d.load(part, first+at)
		encoding.Within(sel[at/64:], part, lo, hi)
	}
	return err
}
