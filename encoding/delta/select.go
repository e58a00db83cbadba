package delta

import (
	"slices"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Gather steps over n values and decodes those whose bit is set in sel: blocks
// or parts of miniblocks in which there are such.
//
//	sel       0        first             at              n
//	          | packed | in the buffer   |               |
func (d *Ints[T]) Gather(dst []T, sel []uint64, n int) (int, error) {
	var buffer [2 * atOnce]T
	var widthsRoom blockWidths
	kept, first, at := 0, 0, 0
	for at < n {
		if at-first > atOnce {
			kept += pick(dst[kept:], buffer[:at-first], sel, first)
			first = at
		}
		room := buffer[at-first:] // for atOnce, at least
		if ready := d.ready[d.from:d.to]; len(ready) > 0 {
			ready = ready[:min(len(ready), n-at)]
			copy(room, ready)
			d.from += len(ready)
			at += len(ready)
			continue
		}
		if block := d.decodable(); block > 0 {
			if some := min(n-at, atOnce) / block * block; bits.Any(sel, at, at+some) {
				if got := d.nextBlocks(room[:some]); got > 0 {
					at += got
					continue
				}
			}
		}
		var packed, widths []byte
		k, whole := none, 0
		if block := d.minis * d.size; block <= atOnce {
			if packed, widths, k = d.wholeBlock(n-at, &widthsRoom); k != none {
				d.wide, whole = k == wide, block
			}
		}
		if k == none {
			var err error
			if whole, err = d.whole(n - at); err != nil {
				return kept + pick(dst[kept:], buffer[:at-first], sel, first), err
			}
			if whole == 0 {
				d.prepare()
				continue
			}
			whole = min(whole, atOnce)
		}
		wanted := bits.Any(sel, at, at+whole)
		switch {
		case wanted && k != none:
			d.decodeWith(k, room[:whole], packed, widths, d.size)
		case wanted:
			d.decode(room[:whole])
		case k != none:
			d.last += T(d.least)*T(whole) + T(k.sum(packed, widths, d.size))
		default:
			d.pass(whole)
		}
		if !wanted {
			kept += pick(dst[kept:], buffer[:at-first], sel, first)
			first = at + whole
		}
		at += whole
	}
	return kept + pick(dst[kept:], buffer[:at-first], sel, first), nil
}

// pick packs the values, at most 2*atOnce, whose bits, from position at on, are set.
func pick[T any](dst, values []T, sel []uint64, at int) int {
	if at%64 == 0 {
		return pack.Values(dst, values, sel[at/64:])
	}
	var words [2 * atOnce / 64]uint64
	bits.Copy(words[:], 0, sel, at, len(values))
	return pack.Values(dst, values, words[:])
}

// kernelMost is how many values kernels keep or test at once, whose bits are copied for it.
const kernelMost = 2048

// Keep is Gather where much is wanted: dst must have room for n.
func (d *Ints[T]) Keep(dst []T, sel []uint64, n int) (int, error) {
	var wanted [kernelMost / 64]uint64
	kept := 0
	for at := 0; at < n; {
		if ready := d.ready[d.from:d.to]; len(ready) > 0 {
			ready = ready[:min(len(ready), n-at)]
			kept += pick(dst[kept:], ready, sel, at)
			d.from += len(ready)
			at += len(ready)
			continue
		}
		if block := d.decodable(); block > 0 {
			// One value more than are left is the last one, see nextButFew.
			if blocks := min(n-at+1, len(dst)-kept, kernelMost, d.toCome) / block; blocks > 0 {
				some := min(n-at, blocks*block)
				bits.Copy(wanted[:], 0, sel, at, some)
				if some < blocks*block {
					bits.Clear(wanted[:], some)
				}
				blocks, bytes, last, count := keepBlocks(dst[kept:], wanted[:], d.body[d.at:], blocks, d.minis, d.size, d.last)
				if got := d.passed(blocks, bytes, last); got > 0 {
					if got > some {
						d.ready[0], d.from, d.to = last, 0, 1
					}
					at += min(got, some)
					kept += count
					continue
				}
			}
		}
		var got, some int
		var err error
		if hasBlocks {
			got, some, err = d.keepSome(dst[kept:], sel, at, n-at)
		} else {
			got, some, err = d.keepMini(dst[kept:], sel, at, n-at)
		}
		at += got
		kept += some
		if err != nil {
			return kept, err
		}
	}
	return kept, nil
}

// keepSome is Keep for some of n values whose bits begin at at. It returns how many, and how many it kept.
func (d *Ints[T]) keepSome(dst []T, sel []uint64, at, n int) (got, kept int, err error) {
	all := dst[:d.Step(min(2*atOnce, n))]
	got, err = d.Next(all)
	return got, pick(dst, all[:got], sel, at), err
}

// keepMini is keepSome for values of one miniblock, where there is no kernel.
func (d *Ints[T]) keepMini(dst []T, sel []uint64, at, n int) (got, kept int, err error) {
	if got, err = d.whole(min(64, n)); err != nil {
		return 0, 0, err
	}
	if got == 0 {
		d.prepare()
		return 0, 0, nil
	}
	unpackDeltas(dst[:got], d.take(got), uint(d.width))
	kept, d.last = sumUpKept(dst[:got], T(d.least), d.last, bits.Extract(sel, at))
	return got, kept, nil
}

// rangeBlocks is Range for the next blocks, as far as there is a kernel for them: at most
// n of the values whose bits are in sel from position at on. It returns how many these are.
func (d *Ints[T]) rangeBlocks(sel []uint64, at, n int, lo, hi T) int {
	block := d.decodable()
	if block == 0 {
		return 0
	}
	n = min(n, kernelMost, d.toCome) / block * block
	if n == 0 {
		return 0
	}
	if !bits.Any(sel, at, at+n) {
		return d.passBlocks(n)
	}
	var words [kernelMost / 64]uint64
	bits.Copy(words[:], 0, sel, at, n)
	blocks, bytes, last := withinBlocks(words[:], d.body[d.at:], n/block, d.minis, d.size, d.last, lo, hi)
	n = d.passed(blocks, bytes, last)
	bits.Copy(sel, at, words[:], 0, n)
	return n
}

// Range steps over n values and clears in sel the bit of each that is not
// lo <= value <= hi.
func (d *Ints[T]) Range(sel []uint64, n int, lo, hi T) error {
	if lo > hi {
		bits.ClearRange(sel, 0, n)
		return d.Skip(n)
	}
	var buffer [atOnce]T
	for at := 0; at < n; {
		if ready := d.ready[d.from:d.to]; len(ready) > 0 {
			ready = ready[:min(len(ready), n-at)]
			clearOutside(sel, at, ready, lo, hi)
			d.from += len(ready)
			at += len(ready)
			continue
		}
		if got := d.rangeBlocks(sel, at, n-at, lo, hi); got > 0 {
			at += got
			continue
		}
		begins := !d.inBlock()
		whole, err := d.whole(n - at)
		if err != nil {
			return err
		}
		if begins {
			const most = 26 // bits that kernels for many blocks can do
			d.wide = d.width > most || slices.ContainsFunc(d.widths, func(width byte) bool { return width > most })
		}
		if whole == 0 {
			d.prepare()
			continue
		}
		switch none, all := d.settled(whole, lo, hi); {
		case none:
			bits.ClearRange(sel, at, at+whole)
			d.pass(whole)
		case all || !bits.Any(sel, at, at+whole):
			d.pass(whole)
		default:
			whole = min(whole, atOnce)
			d.decode(buffer[:whole])
			clearOutside(sel, at, buffer[:whole], lo, hi)
		}
		at += whole
	}
	return nil
}

// clearOutside is encoding.Within for values whose bits begin anywhere.
func clearOutside[T integer](sel []uint64, at int, values []T, lo, hi T) {
	var words [atOnce / 64]uint64
	for i := range words {
		words[i] = ^uint64(0)
	}
	within := words[:bits.Words(len(values))]
	encoding.Within(within, values, lo, hi)
	for i, w := range within {
		bits.Narrow(sel, at+i*64, w, min(64, len(values)-i*64))
	}
}

// settled reports whether none, or all, of the next n values can lie within
// the bounds: each delta is between the block's minimum and that plus what the
// width can hold. Where sums could wrap around it knows nothing.
func (d *Ints[T]) settled(n int, lo, hi T) (none, all bool) {
	const big = 1 << 40
	if d.width > 40 || d.least > big || d.least < -big || n > 1<<20 {
		return false, false
	}
	// n deltas change the value by less than 2^62.
	most := d.least + 1<<d.width - 1
	last := int64(d.last)
	low, high := last+min(d.least, d.least*int64(n)), last+max(most, most*int64(n))
	if sizeOf[T]() == 8 && (last > 1<<61 || last < -1<<61) || sizeOf[T]() == 4 && (low != int64(int32(low)) || high != int64(int32(high))) {
		return false, false
	}
	return high < int64(lo) || low > int64(hi), low >= int64(lo) && high <= int64(hi)
}
