package bss

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Numbers decodes INT32, INT64, FLOAT and DOUBLE, and the unsigned types that
// are stored as such. The zero Numbers holds no values.
type Numbers[T encoding.Number] struct{ streams }

// Reset starts on body, which holds at most n values.
func (d *Numbers[T]) Reset(body []byte, n int) error { return d.reset(body, n, encoding.SizeOf[T]()) }

// Next decodes the next len(dst) values; fewer only with an error.
func (d *Numbers[T]) Next(dst []T) (int, error) {
	first, n, err := d.Take(len(dst))
	d.load(dst[:n], first)
	return n, err
}

// load decodes the values from number first on. The caller has checked that they exist.
func (d *Numbers[T]) load(dst []T, first int) {
	if len(dst) == 0 {
		return
	}
	if encoding.SizeOf[T]() == 4 {
		join4(encoding.As[uint32](dst), d.body[first:], d.Count)
	} else {
		join8(encoding.As[uint64](dst), d.body[first:], d.Count)
	}
}

// Gather steps over n values and decodes those whose bit is set in sel.
func (d *Numbers[T]) Gather(dst []T, sel []uint64, n int) (int, error) {
	first, n, err := d.Take(n)
	kept := 0
	var room [block + bits.Spare]uint32
	for at := 0; at < n; {
		part := min(n-at, block)
		count := bits.Count(sel, at, at+part)
		// Values are picked one by one unless all are wanted, or, of 8 bytes, more than
		// five eighths. Measured with AVX-512; the neighbours of five eighths were not kept.
		if count < part && count <= part*5/encoding.SizeOf[T]() {
			far := min(n, at+reach(part, count))
			if places, ok := bits.Few(room[:], sel, at, far); ok {
				d.pick(dst[kept:][:places], first, room[:places])
				kept += places
				at = far
				continue
			}
		}
		kept += d.gatherMany(dst[kept:], sel[at/64:], first+at, part)
		at += part
	}
	return kept, err
}

// Pack is Gather for selections with many wanted values: it decodes all of them first.
// dst must have room for n values.
func (d *Numbers[T]) Pack(dst []T, sel []uint64, n int) (int, error) {
	first, n, err := d.Take(n)
	dst = dst[:n]
	d.load(dst, first)
	return pack.Values(dst, dst, sel), err
}

// block is the number of values that are handled at a time, farthest the number
// if few of them are wanted. Not measured: any multiple of 64 works, these bound the stack.
const (
	block    = 512
	farthest = 64 * block
)

// reach returns how far to go if count of part values are wanted: so far that about
// three quarters of a block of wanted values are expected.
func reach(part, count int) int { return min(farthest, (block*3/4*part/(count+4)+64)&^63) }

// gatherMany is Gather for n <= block values from first on, all of which it decodes.
func (d *Numbers[T]) gatherMany(dst []T, sel []uint64, first, n int) (kept int) {
	var room [block]uint64
	values := asNumbers[T](&room)[:n]
	d.load(values, first)
	return pack.Values(dst, values, sel)
}

// pick decodes the values at places, which count from first.
func (d *Numbers[T]) pick(dst []T, first int, places []uint32) {
	switch {
	case len(places) == 0:
	case encoding.SizeOf[T]() == 4:
		pick4(encoding.As[uint32](dst), d.body[first:], d.Count, places)
	default:
		pick8(encoding.As[uint64](dst), d.body[first:], d.Count, places)
	}
}

// pick4 assembles the values at places, as join4 does for all.
func pick4(dst []uint32, src []byte, stride int, places []uint32) {
	a, b, c, d := src, src[stride:], src[2*stride:], src[3*stride:]
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	dst = dst[:len(places)]
	for k, i := range places {
		dst[k] = four(a, b, c, d, i)
	}
}

// four assembles a value from the bytes at place i of four streams.
func four(a, b, c, d []byte, i uint32) uint32 {
	return uint32(a[i]) | uint32(b[i])<<8 | uint32(c[i])<<16 | uint32(d[i])<<24
}

// pick8 is pick4 for values of eight bytes.
func pick8(dst []uint64, src []byte, stride int, places []uint32) {
	h := src[7*stride:]
	a, b, c, d := src[:len(h)], src[stride:][:len(h)], src[2*stride:][:len(h)], src[3*stride:][:len(h)]
	e, f, g := src[4*stride:][:len(h)], src[5*stride:][:len(h)], src[6*stride:][:len(h)]
	dst = dst[:len(places)]
	for k, i := range places {
		low := uint64(a[i]) | uint64(b[i])<<8 | uint64(c[i])<<16 | uint64(d[i])<<24
		dst[k] = low | uint64(e[i])<<32 | uint64(f[i])<<40 | uint64(g[i])<<48 | uint64(h[i])<<56
	}
}

// Range steps over n values and clears in sel the bit of each that is not
// lo <= value <= hi. NaN never is, and -0 equals +0.
func (d *Numbers[T]) Range(sel []uint64, n int, lo, hi T) error {
	first, n, err := d.Take(n)
	var room [block]uint64
	buffer := asNumbers[T](&room)
	for at := 0; at < n; at += len(buffer) {
		part := buffer[:min(len(buffer), n-at)]
		d.load(part, first+at)
		encoding.Within(sel[at/64:], part, lo, hi)
	}
	return err
}
