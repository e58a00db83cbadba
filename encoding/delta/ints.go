package delta

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// atOnce is how many values are decoded to the stack where they are not stored.
const atOnce = 256

// Ints decodes DELTA_BINARY_PACKED. The zero Ints holds no values.
type Ints[T integer] struct {
	blocks
	last T // the value before the deltas that are to come

	// Values that are decoded and not yet stepped over: some of a miniblock
	// that was entered for less than 8 values.
	ready    [8]T
	from, to int
}

// Reset starts on body, which holds one sequence of at most n values, and
// perhaps more behind it.
func (d *Ints[T]) Reset(body []byte, n int) error { return d.reset(body, 0, n, false) }

func (d *Ints[T]) reset(body []byte, at, n int, anyBlock bool) error {
	count, first, err := d.start(body, at, n, anyBlock)
	d.last = T(first)
	d.ready[0], d.from, d.to = d.last, 0, 1
	if count == 0 || err != nil {
		d.to, d.toCome = 0, 0
	}
	return err
}

// Len returns how many values are left.
func (d *Ints[T]) Len() int { return d.to - d.from + d.toCome }

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
	packed := d.take(len(dst))
	switch {
	case sizeOf[T]() == 8:
		bitpack.Unpack64(as64(dst), packed, d.width)
	case d.width <= 32:
		bitpack.Unpack32(as32(dst), packed, d.width)
	default:
		// Of a writer that subtracts in 64 bits: the low 32 are what counts.
		for i := range dst {
			dst[i] = T(bitpack.Get(packed, i, d.width))
		}
	}
	d.last = sumUp(dst, T(d.least), d.last)
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
	packed := d.take(n)
	d.last += T(d.least) * T(n)
	if d.width == 0 {
		return
	}
	if sizeOf[T]() == 4 && d.width <= 32 {
		var buffer [atOnce]uint32
		for n > 0 {
			part := buffer[:min(n, atOnce)]
			bitpack.Unpack32(part, packed, d.width)
			d.last += T(sum(part))
			packed = packed[len(part)/8*int(d.width):]
			n -= len(part)
		}
		return
	}
	var buffer [atOnce]uint64
	for n > 0 {
		part := buffer[:min(n, atOnce)]
		bitpack.Unpack64(part, packed, d.width)
		d.last += T(sum(part))
		packed = packed[len(part)/8*int(d.width):]
		n -= len(part)
	}
}

// sum adds with wrap-around, four numbers at a time.
func sum[U uint32 | uint64](v []U) U {
	var a, b, c, d U
	for ; len(v) >= 4; v = v[4:] {
		a, b, c, d = a+v[0], b+v[1], c+v[2], d+v[3]
	}
	for _, x := range v {
		a += x
	}
	return a + b + c + d
}

// prepare decodes the next 8 values to ready, or as many as there are.
func (d *Ints[T]) prepare() {
	d.from, d.to = 0, min(8, d.toCome)
	d.decode(d.ready[:])
}

// Next decodes the next len(dst) values; fewer only with an error.
func (d *Ints[T]) Next(dst []T) (int, error) {
	n := copy(dst, d.ready[d.from:d.to])
	d.from += n
	for n < len(dst) {
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

// Skip steps over n values: it adds the deltas up, and stores none.
func (d *Ints[T]) Skip(n int) error {
	for {
		ready := min(n, d.to-d.from)
		d.from += ready
		if n -= ready; n == 0 {
			return nil
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

// Gather steps over n values and decodes those whose bit is set in sel.
func (d *Ints[T]) Gather(dst []T, sel []uint64, n int) (int, error) {
	var buffer [atOnce]T
	kept := 0
	for at := 0; at < n; {
		first := bits.Next(sel, at, n)
		if first > at {
			if err := d.Skip(first - at); err != nil {
				return kept, err
			}
			at = first
			continue
		}
		// A run of values needs no detour. Others are decoded with what is between them.
		run := bits.NextClear(sel, at, n) - at
		if run >= 32 {
			got, err := d.Next(dst[kept:][:run])
			if kept += got; err != nil {
				return kept, err
			}
			at += run
			continue
		}
		part := min(64-at%64, n-at)
		w := sel[at/64] >> (at % 64) & bits.Low(part)
		part = mathbits.Len64(w)
		got, err := d.Next(buffer[:part])
		for w &= bits.Low(got); w != 0; w &= w - 1 {
			dst[kept] = buffer[mathbits.TrailingZeros64(w)]
			kept++
		}
		if err != nil {
			return kept, err
		}
		at += part
	}
	return kept, nil
}

// Range steps over n values and clears in sel the bit of each that is not
// lo <= value <= hi.
func (d *Ints[T]) Range(sel []uint64, n int, lo, hi T) error {
	var buffer [atOnce]T
	for at := 0; at < n; {
		if ready := d.ready[d.from:d.to]; len(ready) > 0 {
			ready = ready[:min(len(ready), n-at)]
			narrow(sel, at, ready, lo, hi)
			d.from += len(ready)
			at += len(ready)
			continue
		}
		whole, err := d.whole(n - at)
		if err != nil {
			return err
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
			narrow(sel, at, buffer[:whole], lo, hi)
		}
		at += whole
	}
	return nil
}

// narrow is encoding.Within for values whose bits begin anywhere.
func narrow[T integer](sel []uint64, at int, values []T, lo, hi T) {
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
