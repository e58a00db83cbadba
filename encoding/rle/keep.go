package rle

import "github.com/winnow-scan/winnow/encoding/pack"

// keepBlock is the number of codes between two kernels: some runs of 504, which
// most writers make, so that few are cut.
const keepBlock = 4096

// repeated is so many of one code that they are not handled as codes that differ.
const repeated = 128

// LookupKept is LookupSelected for values of which many are wanted: codes are
// unpacked whatever runs they stand in, and those that are not wanted dropped
// before they become values. A code out of range is an error even then.
func LookupKept[T any](d *Codes, dst, dictionary []T, sel []uint64, n int) (int, error) {
	dictionary = dictionary[:d.limit]
	codes := &d.space().codes
	kept := 0
	for at := 0; at < n; {
		some := sel[at/64:]
		if m := d.repeats(n - at); m > 0 {
			k, err := LookupSelected(d, dst[kept:], dictionary, some, m)
			if kept += k; err != nil {
				return kept, err
			}
			at += m
			continue
		}
		m, err := d.Next(codes[:min(n-at, keepBlock)])
		part := codes[:m]
		k := pack.Values(part, part, some)
		translate(dst[kept:], part[:k], dictionary) // Next has looked at all
		if kept += k; err != nil {
			return kept, err
		}
		at += m
	}
	return kept, nil
}

// repeats returns how many of the next n codes, in words of 64, are the same and
// in one run; 0 if these are few, or it is not known.
func (d *Codes) repeats(n int) int {
	if d.left == 0 && !d.loadShort() || d.packed {
		return 0
	}
	if n = min(n, d.left) &^ 63; n < repeated {
		return 0
	}
	return n
}
