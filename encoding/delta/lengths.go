package delta

import (
	"math"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// Strings decodes DELTA_LENGTH_BYTE_ARRAY to views into the body.
type Strings struct {
	// Buffer is what the views say that they point into: the place of the body
	// among the caller's buffers. It may be changed between calls.
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

// next decodes up to len(lengths) lengths, and says how many of them there are
// and how many bytes they are in sum. All of those are checked.
func (d *Strings) next(lengths []int32) (n, size int, err error) {
	n, err = d.lengths.Next(lengths)
	left := int64(len(d.body) - d.at)
	total, signs := int64(0), int32(0)
	for _, length := range lengths[:n] {
		total += int64(length)
		signs |= length
	}
	if signs >= 0 && total <= left {
		return n, int(total), err
	}
	// One of them is wrong: find it.
	total = 0
	for i, length := range lengths[:n] {
		if length < 0 {
			return i, int(total), corrupt.At(d.at+int(total), "value of ", length, " bytes")
		}
		if int64(length) > left-total {
			return i, int(total), corrupt.At(d.at+int(total), "value of ", length, " bytes, the page holds ", left-total)
		}
		total += int64(length)
	}
	return n, int(total), err
}

// Next decodes the next len(dst) values; fewer only with an error.
func (d *Strings) Next(dst []bits.View) (int, error) {
	var lengths [atOnce]int32
	done := 0
	for done < len(dst) {
		n, size, err := d.next(lengths[:min(atOnce, len(dst)-done)])
		d.views(dst[done:][:n], lengths[:n])
		d.at += size
		if done += n; err != nil {
			return done, err
		}
	}
	return done, nil
}

// views makes the views of values of these lengths, which are within the body.
func (d *Strings) views(dst []bits.View, lengths []int32) {
	at := d.at
	for i, length := range lengths {
		end := at + int(length)
		dst[i] = bits.Make(d.body[at:end], d.Buffer, int32(at))
		at = end
	}
}

// Skip steps over n values.
func (d *Strings) Skip(n int) error {
	var lengths [atOnce]int32
	for n > 0 {
		part, size, err := d.next(lengths[:min(atOnce, n)])
		d.at += size
		if n -= part; err != nil {
			return err
		}
	}
	return nil
}

// Gather steps over n values and decodes those whose bit is set in sel.
func (d *Strings) Gather(dst []bits.View, sel []uint64, n int) (int, error) {
	var lengths [64]int32
	kept := 0
	for i := 0; i < n; i += 64 {
		part, size, err := d.next(lengths[:min(64, n-i)])
		at, next := d.at, 0
		for w := sel[i/64] & bits.Low(part); w != 0; w &= w - 1 {
			j := mathbits.TrailingZeros64(w)
			for ; next < j; next++ {
				at += int(lengths[next])
			}
			dst[kept] = bits.Make(d.body[at:][:lengths[j]], d.Buffer, int32(at))
			kept++
		}
		d.at += size
		if err != nil {
			return kept, err
		}
	}
	return kept, nil
}
