package plain

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Numbers decodes INT32, INT64, FLOAT and DOUBLE, and the unsigned types that
// are stored as such. The zero Numbers holds no values.
type Numbers[T encoding.Number] struct {
	body []byte
	encoding.Cursor
}

// InPlace reports whether values have the same bytes in memory as in a body.
const InPlace = !bits.BigEndian

// load fills dst with the values at the front of body, which may be unaligned.
func load[T encoding.Number](dst []T, body []byte) {
	if InPlace {
		memory := encoding.Memory(dst)
		copy(memory, body[:len(memory)])
		return
	}
	body = body[:len(dst)*encoding.SizeOf[T]()]
	for i := range dst {
		dst[i] = number[T](body, i)
	}
}

// Reset starts on body, which holds at most n values.
func (d *Numbers[T]) Reset(body []byte, n int) error {
	*d = Numbers[T]{body, cursorOf(body, n, encoding.SizeOf[T]())}
	return nil
}

// cursorOf returns a cursor at the front of at most n values of size bytes.
func cursorOf(body []byte, n, size int) encoding.Cursor {
	n = min(n, len(body)/size)
	return encoding.Cursor{Count: n, EndsAt: n * size}
}

// Next decodes the next len(dst) values; fewer only with an error.
func (d *Numbers[T]) Next(dst []T) (int, error) {
	first, n, err := d.Take(len(dst))
	load(dst[:n], d.body[first*encoding.SizeOf[T]():])
	return n, err
}

// Gather steps over n values and decodes those whose bit is set in sel.
func (d *Numbers[T]) Gather(dst []T, sel []uint64, n int) (int, error) {
	first, n, err := d.Take(n)
	body := d.body[first*encoding.SizeOf[T]():][:n*encoding.SizeOf[T]()]
	if values, ok := view[T](body, n); ok {
		return pack.Values(dst, values, sel), err
	}
	return gather(dst, body, sel), err
}

// Range steps over n values and clears in sel the bit of each that is not
// lo <= value <= hi. NaN never is, and -0 equals +0.
func (d *Numbers[T]) Range(sel []uint64, n int, lo, hi T) error {
	first, n, err := d.Take(n)
	body := d.body[first*encoding.SizeOf[T]():]
	if values, ok := view[T](body, n); ok {
		encoding.Within(sel, values, lo, hi)
		return err
	}
	whole := n / 64
	encoding.WithinBytes(sel[:whole], body, lo, hi)
	if rest := n % 64; rest > 0 {
		var buffer [64]T
		load(buffer[:rest], body[whole*64*encoding.SizeOf[T]():])
		encoding.Within(sel[whole:], buffer[:rest], lo, hi)
	}
	return err
}
