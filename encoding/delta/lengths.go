package delta

import (
	"math"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Strings decodes DELTA_LENGTH_BYTE_ARRAY to views into the body.
type Strings struct {
	// Buffer is the index of the body among the caller's buffers, for the views. It may be
	// changed between calls.
	Buffer int32

	lengths Ints[int32]
	body    []byte
	at      int // the bytes of the next value: 0 <= at <= len(body)
}

// Reset starts on body, which holds at most n values.
func (d *Strings) Reset(body []byte, n int) error { return d.reset(body, 0, n, false) }

// reset starts at byte from of body.
func (d *Strings) reset(body []byte, from, n int, anyBlock bool) error {
	d.body, d.at = body, len(body)
	if len(body) > math.MaxInt32 {
		d.lengths = Ints[int32]{}
		return corrupt.At(-1, "page body of ", len(body), " bytes")
	}
	err := d.lengths.reset(body, from, n, anyBlock)
	if err == nil {
		d.at, err = d.lengths.end()
	}
	if err != nil {
		d.lengths, d.at = Ints[int32]{}, len(body)
	}
	return err
}

// sum checks the lengths of the next values: each is not negative, and all lie within
// the body. It returns how many are valid, and how many bytes these take.
func (d *Strings) sum(lengths []int32) (n, size int, err error) {
	left := int64(len(d.body) - d.at)
	i, total, signs := sumOf(lengths)
	for _, length := range lengths[i:] {
		total += int64(length)
		signs |= length
	}
	if signs >= 0 && total <= left {
		return len(lengths), int(total), nil
	}
	// One of them is wrong: find it.
	total = 0
	for i, length := range lengths {
		switch at := d.at + int(total); {
		case length < 0:
			return i, int(total), corrupt.At(at, "value of ", length, " bytes")
		case int64(length) > left-total:
			return i, int(total), corrupt.At(at, "value of ", length, " bytes, the page holds ", left-total)
		}
		total += int64(length)
	}
	return len(lengths), int(total), nil
}

// Next decodes the next len(dst) values; fewer only with an error.
func (d *Strings) Next(dst []bits.View) (int, error) {
	var lengths [atOnce]int32
	for done := 0; done < len(dst); {
		n, short := d.lengths.Next(lengths[:d.lengths.Step(min(atOnce, len(dst)-done))])
		got, err := d.views(dst[done:][:n], lengths[:n])
		if err == nil {
			err = short
		}
		if done += got; err != nil {
			return done, err
		}
	}
	return len(dst), nil
}

// views makes the views of the next values, which have these lengths.
func (d *Strings) views(dst []bits.View, lengths []int32) (int, error) {
	done, at := viewsOf(dst, lengths, d.body, d.at, d.Buffer)
	d.at = at
	if done == len(dst) {
		return done, nil
	}
	n, size, err := d.sum(lengths[done:])
	n += done
	body := withPadding(d.body)
	for ; done < n; done++ {
		size := int(lengths[done])
		dst[done] = d.view(body, at, size)
		at += size
	}
	d.at += size
	return n, err
}

// view makes the view of a value of size bytes at byte at of body, which is the body with the padding after it.
func (d *Strings) view(body []byte, at, size int) bits.View {
	switch v := body[at:][:size]; {
	case size > bits.MaxInline:
		return bits.MakeRef(v, d.Buffer, int32(at))
	case at+bits.MaxInline <= len(body):
		return bits.MakeFrom(body[at:], size, 0, 0)
	default:
		return bits.MakeInline(v)
	}
}

// RareStrings returns the largest average distance of wanted values for which Gather is
// not faster than Pack, by the kernels of this machine. rareStrings has the figures.
func RareStrings() int { return rareStrings() }

// Pack is Gather for selections with many wanted values: it sums up the lengths of all
// values at once. dst must have room for n.
func (d *Strings) Pack(dst []bits.View, sel []uint64, n int) (int, error) {
	var lengths, scratch [atOnce]int32
	var wanted [atOnce / 64]uint64
	kept := 0
	for i := 0; i < n; {
		part, short := d.lengths.Next(lengths[:d.lengths.Step(min(atOnce, n-i))])
		for k := 0; k < part; k += 64 {
			wanted[k/64] = bits.Extract(sel, i+k)
		}
		done, at, some := keepViews(dst[kept:][:part], lengths[:part], scratch[:], wanted[:], d.body, d.at, d.Buffer)
		d.at = at
		kept += some
		i += done
		if done < part { // the values that kernels left
			got, size, err := d.sum(lengths[done:part])
			d.at += size
			body := withPadding(d.body)
			for j, length := range lengths[done:][:got] {
				dst[kept] = d.view(body, at, int(length)) // overwritten by the next one unless it is wanted
				kept += int(wanted[uint(done+j)/64] >> (uint(done+j) % 64) & 1)
				at += int(length)
			}
			if i += got; err != nil {
				return kept, err
			}
		}
		if short != nil {
			return kept, short
		}
	}
	return kept, nil
}

// next decodes up to len(lengths) lengths. It returns how many of them exist and are
// valid, and their sum.
func (d *Strings) next(lengths []int32) (n, size int, err error) {
	n, short := d.lengths.Next(lengths)
	if n, size, err = d.sum(lengths[:n]); err == nil {
		err = short
	}
	return n, size, err
}

// Skip steps over n values. It knows only the sum of most lengths, so it may pass over a
// negative length without an error, and continue at a wrong place within the body. If all
// lengths are valid, the place is right.
func (d *Strings) Skip(n int) error {
	var lengths [atOnce]int32
	for n > 0 {
		if some, size := d.lengths.skipSum(n, len(d.body)-d.at); some > 0 {
			d.at += size
			n -= some
			continue
		}
		part, size, err := d.next(lengths[:d.lengths.Step(min(atOnce, n))])
		d.at += size
		if n -= part; err != nil {
			return err
		}
	}
	return nil
}

// Gather steps over n values and decodes those whose bit is set in sel, few of them.
func (d *Strings) Gather(dst []bits.View, sel []uint64, n int) (int, error) {
	var lengths [atOnce]int32
	kept := 0
	for i := 0; i < n; {
		part, size, err := d.next(lengths[:d.lengths.Step(min(atOnce, n-i))])
		at, next := d.at, 0
		for p := bits.Next(sel, i, i+part); p < i+part; p = bits.Next(sel, p+1, i+part) {
			at += total(lengths[next : p-i])
			next = p - i
			dst[kept] = bits.Make(d.body[at:][:lengths[next]], d.Buffer, int32(at))
			kept++
		}
		d.at += size
		i += part
		if err != nil {
			return kept, err
		}
	}
	return kept, nil
}

// total adds up valid lengths.
func total(lengths []int32) int {
	n, sum := 0, int64(0)
	if len(lengths) >= 16 {
		n, sum, _ = sumOf(lengths)
	}
	for _, length := range lengths[n:] {
		sum += int64(length)
	}
	return int(sum)
}
