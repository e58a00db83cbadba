package rle

import (
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// keepBlock is the number of codes between two kernels: some runs of 504, which
// most writers make, so that few are cut.
const keepBlock = 4096

// spare is how many codes kernels may write after those.
const spare = 64

// many is of how many wanted codes of 64 it takes less time to look all up than to find those: measured.
const many = 24

// countSample is of how many codes of a block those that are wanted are counted, to choose how to go through all.
const countSample = 512

// repeated is so many of one code that they are not handled as codes that differ.
const repeated = 128

// LookupKept is LookupSelected for values of which many are wanted: codes are
// unpacked whatever runs they stand in, and those that are not wanted dropped
// before they become values. A code out of range is an error even then.
func LookupKept[T any](d *Codes, dst, dictionary []T, sel []uint64, n int) (int, error) {
	dictionary = dictionary[:d.limit]
	codes := d.space().codes[:]
	kept, narrow := 0, narrowUpTo[T](d, true)
	for at := 0; at < n; {
		if done, k := keepNarrow(d, dst[kept:], dictionary, sel, at, n-at, narrow); done > 0 {
			kept += k
			at += done
			continue
		}
		most := min(n-at, keepBlock)
		done, err := d.runCodes(codes, most, repeated-1), error(nil)
		if done == 0 {
			if same := d.repeats(n - at); same > 0 {
				count := bits.Count(sel, at, at+same)
				fill(dst[kept:][:count], dictionary[d.value])
				d.step(same)
				kept += count
				at += same
				continue
			}
			if d.hasRunCodes() && d.left > 0 {
				most = min(most, d.left) // the kernel has those after
			}
			done, err = d.Next(codes[:most])
		}
		kept += translateKept(dst[kept:], codes[:done], dictionary, d.words(sel, at, done))
		if err != nil {
			return kept, err
		}
		at += done
	}
	return kept, nil
}

// translateKept replaces those codes whose bits are set in sel by their dictionary entries, and returns how many these
// are. All codes must have been found to be below len(dictionary). codes are used up.
func translateKept[T any](dst []T, codes []uint32, dictionary []T, sel []uint64) (kept int) {
	if !hasLookup {
		sample := min(len(codes), countSample)
		if bits.Count(sel, 0, sample)*64 >= many*sample {
			return translateSome(dst, codes, dictionary, sel)
		}
	}
	kept = pack.Values(codes, codes, sel)
	translate(dst, codes[:kept], dictionary)
	return kept
}

// Keeps reports whether LookupKept has a kernel that drops codes of this width.
func (d *Codes) Keeps() bool { return hasNarrow && 0 < d.width && d.width <= 16 }

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
