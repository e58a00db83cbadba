package plain

import (
	"bytes"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Range steps over n values and clears in sel the bit of each that is not
// lo <= value < hi by comparing bytes as unsigned numbers from the front. A
// nil hi is no bound. Half-open says all: append a zero byte to lo to exclude
// it, to hi to include it.
func (d *Strings) Range(sel []uint64, n int, lo, hi []byte) error {
	return d.match(sel, n, func(w uint64) uint64 {
		for rest := w; rest != 0; rest &= rest - 1 {
			i := mathbits.TrailingZeros64(rest)
			v := d.value(i)
			if bytes.Compare(v, lo) < 0 || hi != nil && bytes.Compare(v, hi) >= 0 {
				w &^= 1 << i
			}
		}
		return w
	})
}

// Equal steps over n values and clears in sel the bit of each that is not want.
func (d *Strings) Equal(sel []uint64, n int, want []byte) error {
	return d.match(sel, n, func(w uint64) uint64 {
		for rest := w; rest != 0; rest &= rest - 1 {
			i := mathbits.TrailingZeros64(rest)
			if !bytes.Equal(d.value(i), want) {
				w &^= 1 << i
			}
		}
		return w
	})
}

// HasPrefix steps over n values and clears in sel the bit of each that does
// not begin with prefix.
func (d *Strings) HasPrefix(sel []uint64, n int, prefix []byte) error {
	return d.match(sel, n, func(w uint64) uint64 {
		for rest := w; rest != 0; rest &= rest - 1 {
			i := mathbits.TrailingZeros64(rest)
			if !bytes.HasPrefix(d.value(i), prefix) {
				w &^= 1 << i
			}
		}
		return w
	})
}

// HasSuffix steps over n values and clears in sel the bit of each that does
// not end with suffix.
func (d *Strings) HasSuffix(sel []uint64, n int, suffix []byte) error {
	return d.match(sel, n, func(w uint64) uint64 {
		for rest := w; rest != 0; rest &= rest - 1 {
			i := mathbits.TrailingZeros64(rest)
			if !bytes.HasSuffix(d.value(i), suffix) {
				w &^= 1 << i
			}
		}
		return w
	})
}

// sparse is the number of candidates among 64 values up to which each is
// searched by itself, not the whole stretch of them.
const sparse = 8

// Contains steps over n values and clears in sel the bit of each in which
// needle does not occur.
//
// It searches the bytes of 64 values at once, lengths included, and then asks
// which value a hit lies in. A hit that touches a length is none: search goes
// on one byte behind its start.
//
//	body     03 00 00 00 f o o 04 00 00 00 o b a r
//	"oba"                              ^^^^^^^^^^^    searched: no length between
//	"oo"                   ^^^                        in value 0
func (d *Strings) Contains(sel []uint64, n int, needle []byte) error {
	return d.match(sel, n, func(w uint64) uint64 {
		if mathbits.OnesCount64(w) <= sparse || len(needle) == 0 {
			for rest := w; rest != 0; rest &= rest - 1 {
				i := mathbits.TrailingZeros64(rest)
				if !bytes.Contains(d.value(i), needle) {
					w &^= 1 << i
				}
			}
			return w
		}
		i := mathbits.TrailingZeros64(w)
		last := 63 - mathbits.LeadingZeros64(w)
		at, end := int(d.spans[i])+4, int(d.spans[last+1])
		var found uint64
		for {
			hit := bytes.Index(d.body[at:end], needle)
			if hit < 0 {
				return w & found
			}
			at += hit
			for int(d.spans[i+1]) <= at {
				i++
			}
			if at >= int(d.spans[i])+4 && at+len(needle) <= int(d.spans[i+1]) {
				found |= 1 << i
				at = int(d.spans[i+1]) // the rest of the value can add nothing
			} else {
				at++
			}
		}
	})
}

// match steps over n values and replaces each word of sel that is not 0 by
// what test makes of it. The call of a closure is paid once for 64 values.
func (d *Strings) match(sel []uint64, n int, test func(w uint64) uint64) error {
	n, short := d.take(n)
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
		bits.Narrow(sel, i, test(w), part)
	}
	return short
}
