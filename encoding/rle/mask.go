package rle

import (
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Mask steps over n codes and clears in sel the bit of each code whose bit is
// clear in mask. The mask has a bit for each code below the limit. Codes whose
// bit in sel is clear already may or may not be looked at.
func (d *Codes) Mask(sel []uint64, n int, mask []uint64) error { return d.narrow(sel, 0, n, mask) }

// narrow is Mask where the bits of sel begin at position at.
func (d *Codes) narrow(sel []uint64, at, n int, mask []uint64) error {
	for end := at + n; at < end; {
		m, first, err := d.take(end - at)
		if err != nil {
			return err
		}
		switch {
		case d.packed:
			if err := d.narrowPacked(sel, at, first, m, mask); err != nil {
				return err
			}
		case d.value >= d.limit:
			if bits.Any(sel, at, at+m) {
				return d.tooBig(d.value)
			}
		case !bits.Get(mask, int(d.value)):
			bits.ClearRange(sel, at, at+m)
		}
		at += m
	}
	return nil
}

// narrowPacked is narrow for n values of the current run, which is packed, from
// number first on.
func (d *Codes) narrowPacked(sel []uint64, at, first, n int, mask []uint64) error {
	var outcome [block / 64]uint64
	// Up to which part of the codes it is cheaper to test one by one: measured.
	sparse := 16
	if d.width <= 8 {
		sparse = 128
	}
	src := d.run()
	for n > 0 {
		m := min(block, n)
		if lead := first % 8; lead != 0 {
			m = min(m, 8-lead) // the kernel starts on a byte
		}
		switch count := bits.Count(sel, at, at+m); {
		case count*sparse < m || m < 8:
			if err := d.narrowSparse(sel, at, first, m, mask); err != nil {
				return err
			}
		case d.limit == 0:
			return d.tooBig(uint32(bitpack.Get(src, first, d.width)))
		default:
			largest := bitpack.Test(outcome[:], m, src[bitpack.Size(first, d.width):], d.width, mask, d.limit)
			if largest >= d.limit {
				return d.tooBig(largest)
			}
			if at%64 == 0 && m%64 == 0 {
				bits.And(sel[at/64:][:m/64], outcome[:])
				break
			}
			for i := 0; i < m; i += 64 {
				bits.Narrow(sel, at+i, outcome[i/64], min(64, m-i))
			}
		}
		at, first, n = at+m, first+m, n-m
	}
	return nil
}

// narrowSparse is narrowPacked, one by one and only where bits are set.
func (d *Codes) narrowSparse(sel []uint64, at, first, n int, mask []uint64) error {
	src := d.run()
	for p := bits.Next(sel, at, at+n); p < at+n; p = bits.Next(sel, p+1, at+n) {
		code := uint32(bitpack.Get(src, first+p-at, d.width))
		if code >= d.limit {
			return d.tooBig(code)
		}
		if !bits.Get(mask, int(code)) {
			bits.Clear(sel, p)
		}
	}
	return nil
}

// count steps over n codes and returns how many have their bit set in mask.
func (d *Codes) count(n int, mask []uint64) (int, error) {
	var outcome [block / 64]uint64
	total := 0
	for n > 0 {
		m, first, err := d.take(min(n, block))
		if err != nil {
			return total, err
		}
		n -= m
		if !d.packed {
			if d.value >= d.limit {
				return total, d.tooBig(d.value)
			}
			if bits.Get(mask, int(d.value)) {
				total += m
			}
			continue
		}
		bits.SetRange(outcome[:], 0, m)
		if err := d.narrowPacked(outcome[:], 0, first, m, mask); err != nil {
			return total, err
		}
		total += bits.Count(outcome[:], 0, m)
	}
	return total, nil
}
