package delta

import (
	"slices"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Fixed decodes DELTA_BYTE_ARRAY of a FIXED_LEN_BYTE_ARRAY. The page has lengths all
// the same; each must be the type's.
type Fixed struct {
	size   int
	values Prefixed
	large  []byte // room for a value that is larger than the scratch
}

// Reset starts on body, which holds at most n values of size bytes.
func (d *Fixed) Reset(body []byte, n, size int) error { return d.reset(body, n, size, false) }

func (d *Fixed) reset(body []byte, n, size int, anyBlock bool) error {
	d.size = size
	if size <= 0 {
		d.values = Prefixed{}
		return corrupt.At(-1, "values of ", size, " bytes")
	}
	if n > 0 && size > len(body) { // the first one has no prefix: callers may have memory for it
		d.values = Prefixed{}
		return corrupt.At(-1, "values of ", size, " bytes in ", len(body), " bytes")
	}
	return d.values.reset(body, n, anyBlock)
}

// put makes the next value from its parts.
func (d *Fixed) put(prefix, suffix int32) error {
	if err := d.values.put(prefix, suffix); err != nil {
		return err
	}
	if n := len(d.values.last); n != d.size {
		return corrupt.At(d.values.suffixes.at, "value of ", n, " bytes among values of ", d.size)
	}
	return nil
}

// Next decodes the next len(dst)/size values, a whole number, and returns how many.
func (d *Fixed) Next(dst []byte) (int, error) {
	var s shares
	n := len(dst) / max(d.size, 1)
	for done := 0; done < n; {
		part, short := d.values.lengths(&s, min(atOnce, n-done))
		for i := 0; i < part; i++ {
			i = d.splice(dst, &s, i, part, done)
			if i == part {
				break
			}
			if err := d.put(s.prefix[i], s.suffix[i]); err != nil {
				return done + i, err
			}
			copy(dst[(done+i)*d.size:], d.values.last)
		}
		if done += part; short != nil {
			return done, short
		}
	}
	return n, nil
}

// Skip steps over n values.
func (d *Fixed) Skip(n int) error {
	_, err := d.Gather(nil, nil, n)
	return err
}

// Gather steps over n values and decodes those whose bit is set in sel, none
// if it is nil. It returns their number.
func (d *Fixed) Gather(dst []byte, sel []uint64, n int) (int, error) {
	if d.size <= 0 {
		return 0, d.put(0, 0)
	}
	buffer := d.values.space().bytes[:]
	if n > 0 && d.size > len(buffer) {
		if d.size > len(d.values.suffixes.body) { // there are no values: see reset
			_, err := d.values.lengths(new(shares), 1)
			return 0, err
		}
		d.large = slices.Grow(d.large[:0], d.size)[:d.size]
		buffer = d.large
	}
	kept := 0
	for at := 0; at < n; {
		part, err := d.Next(buffer[:min(len(buffer)/d.size, n-at)*d.size])
		for i := next(sel, at, at+part); i < at+part; i = next(sel, i+1, at+part) {
			kept += copy(dst[kept:][:d.size], buffer[(i-at)*d.size:])
		}
		if err != nil {
			return kept / d.size, err
		}
		at += part
	}
	return kept / d.size, nil
}
