package plain

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Range steps over n values and clears in sel the bit of each that is not
// lo <= value < hi by comparing bytes as unsigned numbers from the front. A
// nil hi is no bound. Half-open says all: append a zero byte to lo to exclude
// it, to hi to include it.
func (d *Strings) Range(sel []uint64, n int, lo, hi []byte) error {
	m := encoding.InRange(lo, hi)
	return d.match(sel, n, &m)
}

// Equal steps over n values and clears in sel the bit of each that is not want.
func (d *Strings) Equal(sel []uint64, n int, want []byte) error {
	m := encoding.IsEqual(want)
	return d.match(sel, n, &m)
}

// HasPrefix steps over n values and clears in sel the bit of each that does
// not begin with prefix.
func (d *Strings) HasPrefix(sel []uint64, n int, prefix []byte) error {
	m := encoding.HasPrefix(prefix)
	return d.match(sel, n, &m)
}

// HasSuffix steps over n values and clears in sel the bit of each that does
// not end with suffix.
func (d *Strings) HasSuffix(sel []uint64, n int, suffix []byte) error {
	m := encoding.HasSuffix(suffix)
	return d.match(sel, n, &m)
}

// Contains steps over n values and clears in sel the bit of each in which
// needle does not occur.
func (d *Strings) Contains(sel []uint64, n int, needle []byte) error {
	m := encoding.Contains(needle)
	return d.match(sel, n, &m)
}

// match steps over n values and clears in sel the bit of each that does not match.
func (d *Strings) match(sel []uint64, n int, m *encoding.Match) error {
	n, short := d.take(n)
	texts := encoding.Texts{Body: d.body, At: &d.spans, Gap: 4}
	for i := 0; i < n; i += 64 {
		part := min(64, n-i)
		w := sel[i/64] & bits.Low(part)
		if w == 0 {
			if err := d.Skip(part); err != nil {
				return err
			}
			continue
		}
		if _, err := d.walk(part); err != nil {
			return err
		}
		bits.Narrow(sel, i, texts.Matching(w, m), part)
	}
	return short
}
