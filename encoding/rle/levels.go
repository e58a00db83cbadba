package rle

import (
	"encoding/binary"
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Levels decodes repetition or definition levels.
type Levels struct {
	d       Codes
	scratch []byte
}

// Reset starts on body, the hybrid of at most n levels of at most max.
func (l *Levels) Reset(body []byte, max uint8, n int) error {
	return l.d.Reset(body, uint(mathbits.Len8(max)), uint32(max)+1, n)
}

// ResetBitPacked starts on body, BIT_PACKED, which holds at most n levels of
// at most max:
//
//	levels   0 1 2 3 4 5 6 7, 3 bits each, the first in the highest bits
//	bytes    00000101 00111001 01110111
//
// Some old writers packed from the lowest bit on without saying so. ResetBitPacked
// assumes this only if a level would be above max otherwise. A caller that can tell by
// the number of values calls ResetBitPackedLSB.
func (l *Levels) ResetBitPacked(body []byte, max uint8, n int) error {
	if err := l.ResetBitPackedLSB(body, max, n); err != nil || l.d.width == 0 {
		return err
	}
	d := &l.d
	n = d.left
	l.scratch = bitpack.FromMSB(l.scratch[:0], body, n, d.width)
	d.body = l.scratch
	d.pack(uint64(n), 0, len(l.scratch))
	if d.limited() && l.largest() > max {
		d.body = body
		d.pack(uint64(n), 0, len(body))
		if l.largest() > max {
			d.body = l.scratch
			d.pack(uint64(n), 0, len(l.scratch))
		}
	}
	return nil
}

// ResetBitPackedLSB is ResetBitPacked for levels that are known to be packed from the
// lowest bit on.
func (l *Levels) ResetBitPackedLSB(body []byte, max uint8, n int) error {
	if err := l.Reset(body, max, n); err != nil {
		return err
	}
	d := &l.d
	if d.width == 0 {
		d.left = d.n
		return nil
	}
	// The body is one packed run.
	d.pack(min(uint64(d.n), uint64(len(body))*8/uint64(d.width)), 0, len(body))
	return nil
}

// largest returns the largest level of the current run, which is packed.
func (l *Levels) largest() uint8 {
	var levels [block]uint8
	d := &l.d
	largest := uint8(0)
	for i := 0; i < d.left; i += block {
		some := levels[:min(block, d.left-i)]
		bitpack.Unpack8(some, d.body[bitpack.Size(i, d.width):], d.width)
		for _, x := range some {
			largest = max(largest, x)
		}
	}
	return largest
}

// Next decodes the next len(dst) levels; fewer only with an error.
func (l *Levels) Next(dst []uint8) (int, error) { return l.d.nextBytes(dst) }

// nextBytes is Next for codes of at most 8 bits.
func (d *Codes) nextBytes(dst []uint8) (int, error) {
	done := 0
	for done < len(dst) {
		if d.left == 0 {
			if done += d.shortLevels(dst[done:]); done == len(dst) {
				break
			}
		}
		n, first, err := d.take(len(dst) - done)
		if err != nil {
			return done, err
		}
		some := dst[done:][:n]
		done += n
		if !d.packed {
			if d.value >= d.limit {
				return done - n, d.tooBig(d.value)
			}
			fill(some, uint8(d.value))
			continue
		}
		d.unpackBytes(some, first)
		if d.limited() && anyAbove(some, uint8(d.limit-1)) {
			for i, x := range some {
				if uint32(x) >= d.limit {
					return done - n + i, d.tooBig(uint32(x))
				}
			}
		}
	}
	return done, nil
}

// unpackBytes is unpack to bytes.
func (d *Codes) unpackBytes(dst []uint8, first int) {
	src := d.run()
	for ; len(dst) > 0 && first%8 != 0; first++ {
		dst[0] = uint8(bitpack.Get(src, first, d.width))
		dst = dst[1:]
	}
	if len(dst) > 0 {
		bitpack.Unpack8(dst, src[bitpack.Size(first, d.width):], d.width)
	}
}

// anyAbove reports whether a level is above max.
func anyAbove(levels []uint8, max uint8) bool {
	const ones = 0x0101010101010101
	var found uint64
	if max < 0x80 {
		// Bytes below 0x80 plus 0x7f-max set their highest bit if they are above max.
		add := (0x7f - uint64(max)) * ones
		for ; len(levels) >= 8; levels = levels[8:] {
			w := binary.LittleEndian.Uint64(levels)
			found |= w | (w&(0x7f*ones) + add)
		}
	}
	for _, x := range levels {
		if x > max {
			return true
		}
	}
	return found&(0x80*ones) != 0
}

// AtLeast steps over n levels and sets the bits of dst from position at on to
// whether they are at least level > 0: for the maximum level, this is validity.
func (l *Levels) AtLeast(dst []uint64, at, n int, level uint8) error {
	d := &l.d
	if d.width == 1 && d.limit == 2 && level == 1 {
		return d.copyBits(dst, at, n)
	}
	bits.SetRange(dst, at, at+n)
	var passing [4]uint64
	mask := fromLevel(&passing, level)
	return d.filter(dst, at, n, &mask)
}

// Count steps over n levels and returns how many are at least level > 0.
func (l *Levels) Count(n int, level uint8) (total int, err error) {
	d := &l.d
	if n <= d.left && !d.packed && d.value < d.limit { // the usual case
		d.step(n)
		if d.value >= uint32(level) {
			total = n
		}
		return total, nil
	}
	var words [testBlock / 64]uint64
	for n > 0 && err == nil {
		part := min(n, testBlock)
		if err = l.AtLeast(words[:], 0, part, level); err == nil {
			total += bits.Count(words[:], 0, part)
		}
		n -= part
	}
	return total, err
}

// fromLevel returns the mask of the levels from level on.
func fromLevel(passing *[4]uint64, level uint8) bitpack.Mask {
	bits.SetRange(passing[:], int(level), 256)
	return bitpack.MakeMask(passing[:], 256)
}

// copyBits stores the next n values, of width 1 and limit 2, as the bits of dst
// from position at on.
func (d *Codes) copyBits(dst []uint64, at, n int) error {
	short := true // assume short runs until a long one is met
	for end := at + n; at < end; {
		if short && d.left == 0 {
			if at += d.shortBits(dst, at, end-at); at == end {
				break
			}
		}
		m, first, err := d.take(end - at)
		short = m <= 4*shortRepeat // most others have 504
		switch {
		case err != nil:
			return err
		case d.packed:
			bits.FromBytes(dst, at, d.run(), first, m)
		case d.value != 0:
			bits.SetRange(dst, at, at+m)
		default:
			bits.ClearRange(dst, at, at+m)
		}
		at += m
	}
	return nil
}
