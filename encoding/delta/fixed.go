package delta

import (
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Fixed decodes DELTA_BYTE_ARRAY of a FIXED_LEN_BYTE_ARRAY. All lengths are
// encoded there, though only one is right.
type Fixed struct {
	size   int
	values Prefixed
}

// Reset starts on body, which holds at most n values of size bytes.
func (d *Fixed) Reset(body []byte, n, size int) error { return d.reset(body, n, size, false) }

func (d *Fixed) reset(body []byte, n, size int, anyBlock bool) error {
	d.size = size
	if size <= 0 {
		d.values = Prefixed{}
		return corrupt.At(-1, "values of ", size, " bytes")
	}
	return d.values.reset(body, n, anyBlock)
}

// next is that of Prefixed, and checks that lengths are the one length.
func (d *Fixed) next(s *shares, n int) (int, error) {
	n, _, err := d.values.next(s, n)
	for i := range n {
		if length := int64(s.prefix[i]) + int64(s.suffix[i]); length != int64(d.size) {
			return i, corrupt.At(d.values.suffixes.at, "value of ", length, " bytes among values of ", d.size)
		}
	}
	return n, err
}

// Next decodes the next len(dst)/size values, a whole number, and returns how many.
func (d *Fixed) Next(dst []byte) (int, error) {
	var s shares
	n := len(dst) / max(d.size, 1)
	for done := 0; ; {
		if done == n {
			return done, nil
		}
		part, err := d.next(&s, min(atOnce, n-done))
		for i := range part {
			copy(dst[(done+i)*d.size:], d.values.put(s.prefix[i], s.suffix[i]))
		}
		if done += part; err != nil {
			return done, err
		}
	}
}

// Skip steps over n values.
func (d *Fixed) Skip(n int) error {
	_, err := d.Gather(nil, nil, n)
	return err
}

// Gather steps over n values and decodes those whose bit is set in sel, none
// if it is nil. It returns their number.
func (d *Fixed) Gather(dst []byte, sel []uint64, n int) (int, error) {
	var s shares
	kept := 0
	for at := 0; at < n; {
		part, err := d.next(&s, min(64, n-at))
		w := uint64(0)
		if sel != nil {
			w = sel[at/64] & bits.Low(part)
		}
		for i := range part {
			v := d.values.put(s.prefix[i], s.suffix[i])
			if w>>i&1 != 0 {
				kept += copy(dst[kept:][:d.size], v)
			}
		}
		if err != nil {
			return kept / max(d.size, 1), err
		}
		at += part
	}
	return kept / max(d.size, 1), nil
}
