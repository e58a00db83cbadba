package rle

import (
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// testBlock is how many codes are tested at a time, most of them in one run or in several
// of one form. Measured over pages of 32,256 codes: 8,192 at a time take 0.6 to 0.95 of
// 4,096 at a time, together with storing outcomes in place.
const testBlock = 8192

// Mask steps over n codes and clears in sel the bit of each code that does not pass.
// A code at or above the mask's limit is an error, as one above the limit of Reset is.
// Mask may leave codes unread whose bits in sel are clear.
func (d *Codes) Mask(sel []uint64, n int, mask *bitpack.Mask) error {
	d.limit = min(d.limit, mask.Limit())
	d.space()
	return d.filter(sel, 0, n, mask)
}

// filter is Mask for bits of sel from position at on.
func (d *Codes) filter(sel []uint64, at, n int, mask *bitpack.Mask) error {
	kernel := hasBytes && d.room != nil // levels and booleans have no room
	short := true                       // assume short runs until a long one is met
	for end := at + n; at < end; {
		if kernel && short && d.shortAhead() {
			m := d.testShort(d.bitmap(), end-at, mask)
			if kernel = m > 0; kernel { // else a run is invalid, maybe a later one
				bits.AndBits(sel, at, d.bitmap(), m)
				at += m
				continue
			}
		}
		if runs, count, header := d.join(end - at); runs > 1 {
			m := runs * count
			set := bits.Count(sel, at, at+m)
			outcome, there := d.outcome(sel, at, m, set)
			if !d.sparse(set, m) && d.testJoined(outcome, runs, count, header, mask) {
				if !there {
					bits.AndBits(sel, at, outcome, m)
				}
				at += m
				continue
			}
			if there {
				bits.SetRange(sel, at, at+m) // undo: all of these bits were set
			}
		}
		m, first, err := d.take(end - at)
		if err != nil {
			return err
		}
		short = m < fewRepeated
		switch {
		case d.packed:
			if err := d.filterPacked(sel, at, first, m, mask); err != nil {
				return err
			}
		case d.value >= d.limit:
			if bits.Any(sel, at, at+m) {
				return d.tooBig(d.value)
			}
		case !mask.Passes(d.value):
			bits.ClearRange(sel, at, at+m)
		}
		at += m
	}
	return nil
}

// shortAhead reports whether the next two runs are so short that a kernel best handles
// many runs together.
func (d *Codes) shortAhead() bool {
	if d.left > 0 || d.next >= len(d.body) {
		return false
	}
	first := d.body[d.next]
	size := (d.width + 7) / 8
	if first&1 != 0 {
		size = uint(first>>1) * d.width
	}
	at := d.next + int(1+size)
	return isShort(first) && at < len(d.body) && isShort(d.body[at])
}

// fewRepeated is the number of codes from which on a repeated run is no longer short,
// and fewPacked the number of groups of a packed one. Measured by BenchmarkMaskRepeated: the
// kernel for short runs takes 0.3 of the time for runs of 20, 1.1 for runs of 40.
const fewRepeated, fewPacked = 32, repeated / 8

func isShort(header byte) bool {
	return header < 2*fewPacked || header < 2*fewRepeated && header&1 == 0
}

// filterPacked is filter for n values of the current run, which is packed, from
// number first on.
func (d *Codes) filterPacked(sel []uint64, at, first, n int, mask *bitpack.Mask) error {
	for n > 0 {
		m := min(n, testBlock)
		set := bits.Count(sel, at, at+m)
		if d.sparse(set, m) {
			if err := d.filterSparse(sel, at, first, m, mask); err != nil {
				return err
			}
		} else {
			outcome, there := d.outcome(sel, at, m, set)
			if first%8 != 0 {
				outcome, there = d.bitmap(), false // fewer may be tested
			}
			var err error
			if m, err = d.test(outcome, first, m, mask); err != nil {
				return err
			}
			if !there {
				bits.AndBits(sel, at, outcome, m)
			}
		}
		at, first, n = at+m, first+m, n-m
	}
	return nil
}

// sparse reports whether so few of n bits are set that testing codes one by one is
// faster. Measured; the figures of the two thresholds were not kept: see BenchmarkMask.
func (d *Codes) sparse(set, n int) bool {
	dense := 16
	if d.width <= 8 {
		dense = 128
	}
	return set*dense < n
}

// outcome returns where to store the outcomes of n codes, of whose bits in sel from
// position at on set are set: in sel itself (there) if all are set and fill words.
func (d *Codes) outcome(sel []uint64, at, n, set int) (to []uint64, there bool) {
	if set == n && at%64 == 0 && n%64 == 0 {
		return sel[at/64:][:n/64], true
	}
	return d.bitmap(), false
}

// join looks for packed runs of the same length as the next one, as most writers make
// them. It returns how many of them lie in the next n values, with the next run, how many
// values each has, and how many bytes each header has. The next run is the current one
// then. It returns fewer than two runs if they should not be tested at once.
func (d *Codes) join(n int) (runs, count, header int) {
	if d.left > 0 || !d.loadShort() || !d.packed {
		return 0, 0, 0
	}
	count, header, runs = d.alike(min(n, testBlock))
	if runs == 0 {
		return 0, 0, 0
	}
	return min(runs+1, min(n, d.n, testBlock)/count), count, header
}

// testJoined tests the values of runs that join has found, and steps over them. If a code
// is not below the limit it returns false without a step, and the outcomes mean nothing:
// the caller goes run by run, and reports which code it is.
func (d *Codes) testJoined(outcome []uint64, runs, count, header int, mask *bitpack.Mask) bool {
	if d.limit == 0 || bitpack.TestRuns(outcome, d.run(), d.width, mask, runs, count, header) >= d.limit {
		return false
	}
	d.stepAlike(runs*count, count, header)
	return true
}

// test tests up to n values of the current run, which is packed, from number first on. It
// returns how many it tested: if first is a multiple of 8, n or testBlock.
func (d *Codes) test(outcome []uint64, first, n int, mask *bitpack.Mask) (int, error) {
	src := d.run()
	n = min(n, testBlock)
	if d.width == 1 && d.limit > 1 {
		// The codes are a bitmap already.
		var zero, one uint64
		if mask.Passes(0) {
			zero = ^uint64(0)
		}
		if mask.Passes(1) {
			one = ^uint64(0)
		}
		words := outcome[:bits.Words(n)]
		bits.FromBytes(words, 0, src, first, n)
		for i, w := range words {
			words[i] = w&one | zero&^w
		}
		return n, nil
	}
	if lead := first % 8; lead != 0 || n < 8 {
		// The kernel starts on a byte.
		n = min(n, 8-lead)
		outcome[0] = 0
		for i := range n {
			code := uint32(bitpack.Get(src, first+i, d.width))
			if code >= d.limit {
				return 0, d.tooBig(code)
			}
			if mask.Passes(code) {
				outcome[0] |= 1 << i
			}
		}
		return n, nil
	}
	if d.limit == 0 {
		return 0, d.tooBig(uint32(bitpack.Get(src, first, d.width)))
	}
	largest := bitpack.Test(outcome, n, src[bitpack.Size(first, d.width):], d.width, mask)
	if largest >= d.limit {
		return 0, d.tooBig(largest)
	}
	return n, nil
}

// filterSparse is filterPacked that tests one code at a time, only where bits are set.
func (d *Codes) filterSparse(sel []uint64, at, first, n int, mask *bitpack.Mask) error {
	src := d.run()
	for p := bits.Next(sel, at, at+n); p < at+n; p = bits.Next(sel, p+1, at+n) {
		code := uint32(bitpack.Get(src, first+p-at, d.width))
		if code >= d.limit {
			return d.tooBig(code)
		}
		if !mask.Passes(code) {
			bits.Clear(sel, p)
		}
	}
	return nil
}
