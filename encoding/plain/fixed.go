package plain

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/pack"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Fixed decodes values of a fixed number of bytes: FIXED_LEN_BYTE_ARRAY, and INT96
// with 12. It copies them back to back.
type Fixed struct {
	body []byte
	size int
	encoding.Cursor
}

// Reset starts on body, which holds at most n values of size bytes.
func (d *Fixed) Reset(body []byte, n, size int) error {
	if size <= 0 {
		*d = Fixed{}
		return corrupt.At(-1, "values of ", size, " bytes")
	}
	*d = Fixed{body, size, cursorOf(body, n, size)}
	return nil
}

// Next copies the next len(dst)/size values, a whole number, and returns how many.
func (d *Fixed) Next(dst []byte) (int, error) {
	view, n, err := d.View(len(dst) / max(d.size, 1))
	copy(dst, view)
	return n, err
}

// View returns the bytes of the next n values within the body.
func (d *Fixed) View(n int) ([]byte, int, error) {
	first, n, err := d.Take(n)
	return d.body[first*d.size:][:n*d.size], n, err
}

// Gather steps over n values and copies those whose bit is set in sel; it
// returns the number of values.
func (d *Fixed) Gather(dst []byte, sel []uint64, n int) (int, error) {
	view, _, err := d.View(n)
	return pack.Fixed(dst, view, d.size, sel), err
}
