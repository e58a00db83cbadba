package rle

import (
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// keepBlock is the number of codes between two kernels: eight runs of 504, which most
// writers make, so that few are cut. Not measured with neighbours.
const keepBlock = 4096

// spare is how many codes kernels may write after a block.
const spare = 64

// many is how many wanted codes of 64 make it faster to look up all than to find those. Measured in pure Go on Zen 4 with
// 65,536 codes in runs of 504: with 50 % wanted, looking up all takes 0.87 of the time. See many in package pack for 10 %.
const many = 24

// countSample is the number of codes at the front of a block whose bits are counted, to choose the loop for all of it.
const countSample = 512

// repeated is the length from which a run of one code is handled by itself, not unpacked with others.
const repeated = 128

// LookupKept is LookupSelected for selections with many wanted values: it unpacks codes
// of any runs, and drops those that are not wanted before it looks them up. A code out
// of range is an error even if it is not wanted.
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
				most = min(most, d.left) // the kernel decodes the codes after this run
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

// translateKept stores the dictionary entries of the codes whose bits are set in sel, and returns how many it stored. The
// caller has checked that all codes are below len(dictionary). It overwrites codes.
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

// repeats returns how many of the next n codes are equal, below the limit, and in one
// run; 0 if these are few, or if it is not known.
func (d *Codes) repeats(n int) int {
	if d.left == 0 && !d.loadShort() || d.packed || d.value >= d.limit {
		return 0
	}
	if n = min(n, d.left); n < repeated {
		return 0
	}
	return n
}

// stepAlike steps over n values in runs of count values, gap bytes apart, the current
// one first. If count is 0 they are all in the current run.
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
