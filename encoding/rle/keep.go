package rle

import (
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

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
	codes := d.space().codes[:]
	kept := 0
	for at := 0; at < n; {
		most := min(n-at, keepBlock)
		m, k, err := d.runCodes(codes, most, repeated-1), 0, error(nil)
		if m == 0 {
			if m := d.repeats(n - at); m > 0 {
				count := bits.Count(sel, at, at+m)
				fill(dst[kept:][:count], dictionary[d.value])
				d.step(m)
				kept += count
				at += m
				continue
			}
			if m, k := lookupDense(d, dst[kept:], dictionary, sel, at, most); m > 0 {
				kept += k
				at += m
				continue
			}
			m, k = d.keepPacked(codes, sel, at, most)
		}
		if k == 0 { // none is wanted, or all are still there
			if m == 0 {
				if d.hasRunCodes() && d.left > 0 && !d.packed {
					most = min(most, d.left) // the kernel has those behind
				}
				m, err = d.Next(codes[:most])
			}
			some := codes[:m]
			k = pack.Values(some, some, d.words(sel, at, m))
		}
		translate(dst[kept:], codes[:k], dictionary) // all have been looked at
		if kept += k; err != nil {
			return kept, err
		}
		at += m
	}
	return kept, nil
}

// Keeps reports whether LookupKept has a kernel for codes of this width.
func (d *Codes) Keeps() bool { return bitpack.Keeps(d.width) }

// repeats returns how many of the next n codes are the same, below the limit, and
// in one run; 0 if these are few, or it is not known.
func (d *Codes) repeats(n int) int {
	if d.left == 0 && !d.loadShort() || d.packed || d.value >= d.limit {
		return 0
	}
	if n = min(n, d.left); n < repeated {
		return 0
	}
	return n
}

// keepPacked unpacks those of the next n codes whose bits in sel, from position at
// on, are set, as long as they stand in packed runs that are alike, if a kernel can and
// nothing is wrong. It returns over how many codes it stepped, and how many it stored.
func (d *Codes) keepPacked(dst []uint32, sel []uint64, at, n int) (done, kept int) {
	if !d.Keeps() {
		return 0, 0
	}
	m, count, gap := d.packedAhead(n)
	if m == 0 {
		return 0, 0
	}
	kept, largest, ok := bitpack.KeepRuns32(dst, d.run(), d.width, sel, at, m, d.first, count, gap)
	if !ok || largest >= d.limit {
		return 0, 0
	}
	d.stepAlike(m, count, gap)
	return m, kept
}

// packedAhead returns how many of the next n codes stand in packed runs that are alike:
// in the current run, and then in others of count each, up to gap bytes that are no codes.
func (d *Codes) packedAhead(n int) (m, count, gap int) {
	const fewest = 64 // codes of a run: shorter ones are unpacked with others
	if n <= 0 || d.left == 0 && !d.loadShort() || !d.packed || d.first%8 != 0 || d.first+d.left < fewest {
		return 0, 0, 0
	}
	if m = min(n, d.left); m < n {
		each, header, runs := d.alike(d.first + n)
		if runs > 0 {
			m, count, gap = min(n, d.left+runs*each, d.n), each, header
		}
	}
	return m, count, gap
}

// stepAlike steps over n values in runs of so many that are alike, if that is not 0,
// the current one to begin with.
func (d *Codes) stepAlike(n, count, gap int) {
	if n <= d.left {
		d.step(n)
		return
	}
	on := (d.first + n - 1) / count * (gap + d.next - d.start)
	d.start, d.next = d.start+on, d.next+on
	d.n -= n
	d.first = (d.first+n-1)%count + 1
	d.left = min(count-d.first, d.n)
}

// words returns n bits of sel from position at on, the first as bit 0.
func (d *Codes) words(sel []uint64, at, n int) []uint64 {
	if at%64 == 0 {
		return sel[at/64:]
	}
	moved := d.bitmap()
	bits.Copy(moved, 0, sel, at, n)
	return moved
}
