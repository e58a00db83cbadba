package delta

import (
	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// atOnce is how many values are decoded to the stack at a time, if the caller does not store them all. Not measured: it bounds the stack.
const atOnce = 256

// integer is the type of a column.
type integer interface{ int32 | int64 }

// Ints decodes DELTA_BINARY_PACKED. The zero Ints holds no values.
type Ints[T integer] struct {
	blocks
	last T // the value before the next delta

	// Decoded values that are not yet stepped over: some of a miniblock of which fewer
	// than 8 values were wanted, or the last ones of a block.
	ready    [8]T
	from, to int

	wide bool // the last decoded block had wide deltas: the kernels for many blocks do few of these
}

// Reset starts on body, which holds one sequence of at most n values. Bytes may
// follow the sequence.
func (d *Ints[T]) Reset(body []byte, n int) error { return d.reset(body, 0, n, false) }

func (d *Ints[T]) reset(body []byte, at, n int, anyBlock bool) error {
	count, first, err := d.start(body, at, n, anyBlock)
	d.last, d.wide = T(first), false
	d.ready[0], d.from, d.to = d.last, 0, 1
	if count == 0 || err != nil {
		d.to, d.toCome = 0, 0
	}
	return err
}

// whole returns how many of the next n deltas, a multiple of 8, lie in one
// miniblock, which it enters.
func (d *Ints[T]) whole(n int) (int, error) {
	if d.toCome == 0 {
		return 0, corrupt.At(d.at, "values end, wanted were ", n, " more")
	}
	if d.inMini == 0 {
		if err := d.enter(); err != nil {
			return 0, err
		}
	}
	return min(n, d.toCome, d.inMini) &^ 7, nil
}

// decode stores the next len(dst) values, a multiple of 8 within the miniblock.
func (d *Ints[T]) decode(dst []T) {
	widths := [1]byte{d.width}
	packed, width := d.take(len(dst)), uint(d.width)
	if k, _ := kernelFor(packed, widths[:], len(dst)); k != none {
		d.decodeWith(k, dst, packed, widths[:], len(dst))
		return
	}
	unpackDeltas(dst, packed, width)
	d.last = sumUp(dst, T(d.least), d.last)
}

// unpackDeltas stores len(dst) deltas, a multiple of 8, above the least one.
func unpackDeltas[T integer](dst []T, packed []byte, width uint) {
	switch {
	case encoding.SizeOf[T]() == 8:
		bitpack.Unpack64(encoding.As[uint64](dst), packed, width)
	case width <= 32:
		bitpack.Unpack32(encoding.As[uint32](dst), packed, width)
	default:
		// The writer subtracts in 64 bits: the low 32 are the delta.
		for i := range dst {
			dst[i] = T(bitpack.Get(packed, i, width))
		}
	}
}

// decodeWith stores the values of miniblocks of size deltas.
func (d *Ints[T]) decodeWith(k kernel, dst []T, packed, widths []byte, size int) {
	d.last = decode(k, dst, packed, widths, size, T(d.least), d.last)
}

// sumUp turns deltas above least into values, and returns the last.
func sumUp[T integer](v []T, least, last T) T {
	for len(v) >= 8 {
		w := v[:8]
		v = v[8:]
		for i := range w {
			last += w[i] + least
			w[i] = last
		}
	}
	for i := range v {
		last += v[i] + least
		v[i] = last
	}
	return last
}

// pass steps over the next n values, a multiple of 8 within the miniblock,
// without storing them.
func (d *Ints[T]) pass(n int) {
	widths := [1]byte{d.width}
	packed := d.take(n)
	d.last += T(d.least) * T(n)
	if d.width == 0 {
		return
	}
	if k, _ := kernelFor(packed, widths[:], n); k != none {
		d.last += T(k.sum(packed, widths[:], n))
	} else {
		d.last += T(sum(n, packed, uint(d.width)))
	}
}

// decodable returns how many values the next block holds if a kernel may decode it
// and the blocks after it; else 0.
func (d *Ints[T]) decodable() int {
	if !hasBlocks || d.wide || d.inBlock() {
		return 0
	}
	return d.minis * d.size
}

// nextBlocks decodes the next blocks, as many as a kernel can, and returns
// how many values they hold: at most len(dst).
func (d *Ints[T]) nextBlocks(dst []T) int {
	block := d.decodable()
	if block == 0 {
		return 0
	}
	blocks, bytes, last := decodeBlocks(dst, d.body[d.at:], min(len(dst), d.toCome)/block, d.minis, d.size, d.last)
	return d.passed(blocks, bytes, last)
}

// nextButFew decodes the next block if it holds a few values more than dst; these stay
// in ready. A window of n rows needs it: blocks begin with the second value, windows with the first.
func (d *Ints[T]) nextButFew(dst []T) int {
	block := d.minis * d.size
	if more := block - len(dst); more <= 0 || more > len(d.ready) || block > atOnce {
		return 0
	}
	var buffer [atOnce]T
	values := buffer[:block]
	if d.nextBlocks(values) == 0 {
		var room blockWidths
		packed, widths, k := d.wholeBlock(block, &room)
		if k == none {
			return 0
		}
		d.wide = k == wide
		d.decodeWith(k, values, packed, widths, d.size)
	}
	d.from, d.to = 0, copy(d.ready[:], values[len(dst):])
	return copy(dst, values)
}

// passed steps over blocks that a kernel has decoded, and returns how many values they hold.
func (d *Ints[T]) passed(blocks, bytes int, last T) int {
	n := blocks * d.minis * d.size
	d.at += bytes
	d.toCome -= n
	d.last = last
	return n
}

// passBlocks steps over the next blocks, as many as a kernel can, and returns how many
// values they hold: at most n.
func (d *Ints[T]) passBlocks(n int) int {
	block := d.minis * d.size
	if d.inBlock() || block == 0 || n < block {
		return 0
	}
	blocks, bytes, sum := sumBlocks(d.body[d.at:], min(n, d.toCome)/block, d.minis, d.size)
	return d.passed(blocks, bytes, d.last+T(sum))
}

// sum adds n deltas up, with wrap-around.
func sum(n int, packed []byte, width uint) (total uint64) {
	var buffer [32]uint64
	for n > 0 {
		part := buffer[:min(n, len(buffer))]
		bitpack.Unpack64(part, packed, width)
		for _, x := range part {
			total += x
		}
		packed = packed[len(part)/8*int(width):]
		n -= len(part)
	}
	return total
}

// prepare decodes the next 8 values to ready, or the rest if there are fewer.
func (d *Ints[T]) prepare() {
	d.from, d.to = 0, min(8, d.toCome)
	d.decode(d.ready[:])
}

// Step returns how many values, at most n, a caller best takes next: up to the end of
// the last block that n values reach, or n if they reach none.
func (d *Ints[T]) Step(n int) int {
	block := d.minis * d.size
	ahead := d.to - d.from + d.inMini + len(d.widths)*d.size // of the block that is entered
	switch {
	case block == 0 || n < ahead:
		return n
	case n-ahead >= block || ahead > 0:
		return n - (n-ahead)%block
	}
	return n
}

// Next decodes the next len(dst) values; fewer only with an error.
func (d *Ints[T]) Next(dst []T) (int, error) {
	var room blockWidths
	n := copy(dst, d.ready[d.from:d.to])
	d.from += n
	for n < len(dst) {
		if some := d.nextBlocks(dst[n:]); some > 0 {
			n += some
			continue
		}
		if packed, widths, k := d.wholeBlock(len(dst)-n, &room); k != none {
			d.wide = k == wide
			d.decodeWith(k, dst[n:], packed, widths, d.size)
			n += d.minis * d.size
			continue
		}
		if some := d.nextButFew(dst[n:]); some > 0 {
			n += some
			continue
		}
		whole, err := d.whole(len(dst) - n)
		if err != nil {
			return n, err
		}
		if whole == 0 {
			d.prepare()
			got := copy(dst[n:], d.ready[:d.to])
			d.from = got
			n += got
			continue
		}
		d.decode(dst[n:][:whole])
		n += whole
	}
	return n, nil
}

// Skip steps over n values: it adds the deltas up without storing values.
func (d *Ints[T]) Skip(n int) error {
	var room blockWidths
	likely := hasBlocks // that blocks can be passed many at a time
	for {
		ready := min(n, d.to-d.from)
		d.from += ready
		n -= ready
		if likely {
			n -= d.passBlocks(n)
		}
		if n == 0 {
			return nil
		}
		if packed, widths, k := d.wholeBlock(n, &room); k != none {
			d.last += T(d.least) * T(d.minis*d.size)
			if len(packed) > 0 { // else all deltas are the least
				d.last += T(k.sum(packed, widths, d.size))
			}
			n -= d.minis * d.size
			likely = hasBlocks && k == narrow
			continue
		}
		whole, err := d.whole(n)
		if err != nil {
			return err
		}
		if whole == 0 {
			d.prepare()
			continue
		}
		d.pass(whole)
		n -= whole
	}
}

// skipSum steps over some of the next blocks, as many as a kernel can sum. They hold no
// more than n values, and their sum, which wraps around at 32 bits, is at most left:
//
//	value j of the block      last + j*least + deltas 1 to j
//	sum of values 1 to n      n*last + n*(n+1)/2*least + sums of deltas 1 to j
func (d *Ints[T]) skipSum(n, left int) (skipped, sum int) {
	if d.from < d.to {
		return 0, 0
	}
	block := d.minis * d.size
	if hasBlocks && !d.inBlock() && block > 0 {
		const most = 4096 // values: bounds the work if the sum exceeds left
		blocks, bytes, deltas, sums := sumBlockValues(d.body[d.at:], min(n, d.toCome, most)/block, d.minis, d.size)
		sums += uint32(blocks*block) * uint32(d.last)
		if blocks > 0 && int64(sums) <= int64(left) {
			return d.passed(blocks, bytes, d.last+T(deltas)), int(sums)
		}
	}
	before, toCome := d.at, d.toCome
	var room blockWidths
	packed, widths, k := d.wholeBlock(n, &room)
	if k == none {
		return 0, 0
	}
	if k == narrow {
		deltas, sums := k.sumBoth(packed, widths, d.size)
		sums += uint32(block)*uint32(d.last) + uint32(uint64(block)*uint64(block+1)/2)*uint32(d.least)
		if int64(sums) <= int64(left) {
			d.last += T(uint32(block)*uint32(d.least) + deltas)
			return block, int(sums)
		}
	}
	d.at, d.toCome = before, toCome
	return 0, 0
}
