package rle

import (
	mathbits "math/bits"

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
		r, err := d.NextRun(end - at)
		if err != nil {
			return err
		}
		switch {
		case r.Packed != nil:
			if err := d.narrowPacked(&r, sel, at, mask); err != nil {
				return err
			}
		case r.Value >= d.limit:
			if bits.Any(sel, at, at+r.N) {
				return d.tooBig(r.Value)
			}
		case !bits.Get(mask, int(r.Value)):
			bits.ClearRange(sel, at, at+r.N)
		}
		at += r.N
	}
	return nil
}

func (d *Codes) narrowPacked(r *Run, sel []uint64, at int, mask []uint64) error {
	var outcome [block / 64]uint64
	// Up to which part of the codes it is cheaper to test one by one: measured.
	const few, fewOfNarrow = 16, 128
	sparse := few
	if d.width <= 8 {
		sparse = fewOfNarrow
	}
	for i := 0; i < r.N; {
		m := min(block, r.N-i)
		if lead := (r.First + i) % 8; lead != 0 {
			m = min(m, 8-lead) // the kernel starts on a byte
		}
		if count := bits.Count(sel, at+i, at+i+m); count*sparse < m || m < 8 {
			if err := d.narrowSparse(r, sel, at, at+i, at+i+m, mask); err != nil {
				return err
			}
			i += m
			continue
		}
		if d.limit == 0 {
			return d.tooBig(uint32(bitpack.Get(r.Packed, r.First+i, d.width)))
		}
		src := r.Packed[bitpack.Size(r.First+i, d.width):]
		if largest := bitpack.Test(outcome[:], m, src, d.width, mask, d.limit); largest >= d.limit {
			return d.tooBig(largest)
		}
		if (at+i)%64 == 0 && m%64 == 0 {
			bits.And(sel[(at+i)/64:][:m/64], outcome[:])
		} else {
			for j := 0; j < m; j += 64 {
				bits.Narrow(sel, at+i+j, outcome[j/64], min(64, m-j))
			}
		}
		i += m
	}
	return nil
}

// narrowSparse tests the codes whose bits are set in sel[from, to) one by one.
// Value 0 of the run has position at.
func (d *Codes) narrowSparse(r *Run, sel []uint64, at, from, to int, mask []uint64) error {
	for p := bits.Next(sel, from, to); p < to; p = bits.Next(sel, p+1, to) {
		code := uint32(bitpack.Get(r.Packed, r.First+p-at, d.width))
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
		r, err := d.NextRun(min(n, block))
		if err != nil {
			return total, err
		}
		n -= r.N
		if r.Packed == nil {
			if r.Value >= d.limit {
				return total, d.tooBig(r.Value)
			}
			if bits.Get(mask, int(r.Value)) {
				total += r.N
			}
			continue
		}
		bits.SetRange(outcome[:], 0, r.N)
		if err := d.narrowPacked(&r, outcome[:], 0, mask); err != nil {
			return total, err
		}
		for _, w := range outcome[:r.N/64] {
			total += mathbits.OnesCount64(w)
		}
		total += bits.Count(outcome[:], r.N/64*64, r.N)
	}
	return total, nil
}
