package delta

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
	var lengths [atOnce]int32
	var at [65]int32
	texts := encoding.Texts{Body: d.body, At: &at}
	for i := 0; i < n; {
		got, size, err := d.next(lengths[:min(atOnce, n-i)])
		at[0] = int32(d.at)
		d.at += size
		for some := lengths[:got]; len(some) > 0; {
			part := some[:min(64, len(some))]
			some = some[len(part):]
			end := at[0]
			for j, length := range part {
				end += length
				at[j+1] = end
			}
			if w := bits.Extract(sel, i) & bits.Low(len(part)); w != 0 {
				bits.Narrow(sel, i, texts.Matching(w, m), len(part))
			}
			at[0] = end
			i += len(part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
