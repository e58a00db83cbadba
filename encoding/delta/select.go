package delta

import (
	"slices"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// Gather steps over n values and decodes those whose bit is set in sel. It decodes the
// blocks, or parts of miniblocks, with such values:
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
		p, err := d.nextPart(n-at, &widthsRoom)
		if err != nil {
			return kept + pick(dst[kept:], buffer[:at-first], sel, first), err
		}
		switch {
		case p.n == 0:
			d.prepare()
		case bits.Any(sel, at, at+p.n):
			d.decodePart(room, p)
		default:
			kept += pick(dst[kept:], buffer[:at-first], sel, first)
			d.passPart(p)
			first = at + p.n
		}
		at += p.n
	}
	return kept + pick(dst[kept:], buffer[:at-first], sel, first), nil
}

// pick packs the values, at most 2*atOnce, whose bits are set in sel, from position at on.
func pick[T any](dst, values []T, sel []uint64, at int) int {
	if at%64 == 0 {
		return pack.Values(dst, values, sel[at/64:])
	}
	var words [2 * atOnce / 64]uint64
	bits.Copy(words[:], 0, sel, at, len(values))
	return pack.Values(dst, values, words[:])
}

// kernelMost is how many values kernels keep or test in one call. Their bits are copied to the stack. Not measured: it bounds the stack.
const kernelMost = 2048

// Pack is Gather for selections with many wanted values. dst must have room for n.
func (d *Ints[T]) Pack(dst []T, sel []uint64, n int) (int, error) {
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
			// A block may hold one value more than are left: see nextButFew.
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
		if hasAVX2 {
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

// keepSome is Pack for some of n values whose bits begin at at. It returns how many it passed, and how many it kept.
func (d *Ints[T]) keepSome(dst []T, sel []uint64, at, n int) (got, kept int, err error) {
	all := dst[:d.Step(min(2*atOnce, n))]
	got, err = d.Next(all)
	return got, pick(dst, all[:got], sel, at), err
}

// keepMini is keepSome for values of one miniblock, without a kernel.
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

// rangeBlocks is Range for the next blocks, as many as a kernel can: at most n of the
// values with bits in sel from position at on. It returns how many it tested.
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
	var buffer [2 * atOnce]T // values that are not yet tested, those from first to at
	var widthsRoom blockWidths
	first, at := 0, 0
	for at < n {
		if at-first > atOnce {
			clearOutside(sel, first, buffer[:at-first], lo, hi)
			first = at
		}
		room := buffer[at-first:] // for atOnce, at least
		if ready := d.ready[d.from:d.to]; len(ready) > 0 {
			got := copy(room, ready[:min(len(ready), n-at)])
			d.from += got
			at += got
			continue
		}
		if got := d.rangeBlocks(sel, at, n-at, lo, hi); got > 0 {
			clearOutside(sel, first, buffer[:at-first], lo, hi)
			at += got
			first = at
			continue
		}
		p, err := d.nextPart(n-at, &widthsRoom)
		if err != nil {
			return err
		}
		if p.n == 0 {
			d.prepare()
			continue
		}
		none, all := d.settled(p.n, p.width, lo, hi)
		if !none && !all && bits.Any(sel, at, at+p.n) {
			d.decodePart(room, p)
			at += p.n
			continue
		}
		clearOutside(sel, first, buffer[:at-first], lo, hi)
		if none {
			bits.ClearRange(sel, at, at+p.n)
		}
		d.passPart(p)
		at += p.n
		first = at
	}
	clearOutside(sel, first, buffer[:at-first], lo, hi)
	return nil
}

// part is n values that are decoded at once: a whole block with a kernel, which is
// stepped over already, or some values of a miniblock.
type part struct {
	n      int
	width  byte // of the widest delta
	kernel kernel
	packed []byte // with a kernel: the deltas
	widths []byte
}

// nextPart returns a part of the next n values, at most atOnce. It is empty if fewer
// than 8 values are wanted, or left of the miniblock. Its widths are copied to room.
func (d *Ints[T]) nextPart(n int, room *blockWidths) (p part, err error) {
	if block := d.minis * d.size; block <= atOnce {
		if packed, widths, k := d.wholeBlock(n, room); k != none {
			d.wide = k == wide
			return part{block, slices.Max(widths), k, packed, widths}, nil
		}
	}
	n, err = d.whole(n)
	return part{n: min(n, atOnce), width: d.width}, err
}

func (d *Ints[T]) decodePart(dst []T, p part) {
	if p.kernel == none {
		d.decode(dst[:p.n])
		return
	}
	d.decodeWith(p.kernel, dst[:p.n], p.packed, p.widths, d.size)
}

// passPart steps over the values of p without storing them.
func (d *Ints[T]) passPart(p part) {
	if p.kernel == none {
		d.pass(p.n)
		return
	}
	d.last += T(d.least)*T(p.n) + T(p.kernel.sum(p.packed, p.widths, d.size))
}

// clearOutside is encoding.Within for at most 2*atOnce values; their bits may begin anywhere in a word.
func clearOutside[T integer](sel []uint64, at int, values []T, lo, hi T) {
	if len(values) == 0 {
		return
	}
	var words [2 * atOnce / 64]uint64
	within := words[:bits.Words(len(values))]
	bits.Copy(within, 0, sel, at, len(values))
	encoding.Within(within, values, lo, hi)
	bits.Copy(sel, at, within, 0, len(values))
}

// settled reports whether none, or all, of the next n values can lie within the bounds:
// each delta is between the block's minimum and the minimum plus the largest number of
// the width. It reports neither if sums could wrap around.
func (d *Ints[T]) settled(n int, width byte, lo, hi T) (none, all bool) {
	const big = 1 << 40
	if width > 40 || d.least > big || d.least < -big || n > 1<<20 {
		return false, false
	}
	// n deltas change the value by less than 2^62.
	most := d.least + 1<<width - 1
	last := int64(d.last)
	low, high := last+min(d.least, d.least*int64(n)), last+max(most, most*int64(n))
	if encoding.SizeOf[T]() == 8 && (last > 1<<61 || last < -1<<61) || encoding.SizeOf[T]() == 4 && (low != int64(int32(low)) || high != int64(int32(high))) {
		return false, false
	}
	return high < int64(lo) || low > int64(hi), low >= int64(lo) && high <= int64(hi)
}
