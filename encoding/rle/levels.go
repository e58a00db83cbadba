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
// Some old writers packed from the lowest bit on without saying so. That is
// taken for granted only where a level would else be above max.
func (l *Levels) ResetBitPacked(body []byte, max uint8, n int) error {
	if err := l.Reset(body, max, n); err != nil {
		return err
	}
	d := &l.d
	if d.width == 0 {
		d.run = Run{N: d.n}
		return nil
	}
	have := min(uint64(d.n), uint64(len(body))*8/uint64(d.width))
	n = int(have)
	// All of it is one packed run.
	d.next = len(body)
	l.scratch = bitpack.FromMSB(l.scratch[:0], body, n, d.width)
	d.run = Run{N: n, Packed: l.scratch}
	if l.largest() > max {
		d.run.Packed = body
		if l.largest() > max {
			d.run.Packed = l.scratch
		}
	}
	return nil
}

// largest returns the largest level of the current run, which is packed.
func (l *Levels) largest() uint8 {
	var levels [block]uint8
	largest := uint8(0)
	for i := 0; i < l.d.run.N; i += block {
		some := levels[:min(block, l.d.run.N-i)]
		bitpack.Unpack8(some, l.d.run.Packed[bitpack.Size(i, l.d.width):], l.d.width)
		for _, x := range some {
			largest = max(largest, x)
		}
	}
	return largest
}

// NextRun is that of Codes.
func (l *Levels) NextRun(max int) (Run, error) { return l.d.NextRun(max) }

// Next decodes the next len(dst) levels; fewer only with an error.
func (l *Levels) Next(dst []uint8) (int, error) {
	d := &l.d
	done := 0
	for done < len(dst) {
		r, err := d.NextRun(len(dst) - done)
		if err != nil {
			return done, err
		}
		some := dst[done:][:r.N]
		if r.Packed == nil {
			if r.Value >= d.limit {
				return done, d.tooBig(r.Value)
			}
			fill(some, uint8(r.Value))
			done += r.N
			continue
		}
		from := r.First
		for i := 0; i < len(some) && from%8 != 0; i++ {
			some[i] = uint8(bitpack.Get(r.Packed, from, d.width))
			from++
		}
		if rest := some[from-r.First:]; len(rest) > 0 {
			bitpack.Unpack8(rest, r.Packed[bitpack.Size(from, d.width):], d.width)
		}
		if d.limit < 1<<d.width && anyAbove(some, uint8(d.limit-1)) {
			for i, x := range some {
				if uint32(x) >= d.limit {
					return done + i, d.tooBig(uint32(x))
				}
			}
		}
		done += r.N
	}
	return done, nil
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

// Skip steps over n levels.
func (l *Levels) Skip(n int) error { return l.d.Skip(n) }

// AtLeast steps over n levels and sets the bits of dst from position at on to
// where they are at least level > 0: for the maximum, that is validity.
func (l *Levels) AtLeast(dst []uint64, at, n int, level uint8) error {
	d := &l.d
	if d.width == 1 && d.limit == 2 && level == 1 {
		return d.copyBits(dst, at, n)
	}
	bits.SetRange(dst, at, at+n)
	mask := fromLevel(level)
	return d.narrow(dst, at, n, mask[:])
}

// Count steps over n levels and returns how many are at least level > 0.
func (l *Levels) Count(n int, level uint8) (int, error) {
	mask := fromLevel(level)
	return l.d.count(n, mask[:])
}

// fromLevel returns the mask of the levels from level on.
func fromLevel(level uint8) (mask [4]uint64) {
	bits.SetRange(mask[:], int(level), 256)
	return mask
}

// copyBits stores the next n values, of width 1 and limit 2, as the bits of dst
// from position at on.
func (d *Codes) copyBits(dst []uint64, at, n int) error {
	for end := at + n; at < end; {
		r, err := d.NextRun(end - at)
		switch {
		case err != nil:
			return err
		case r.Packed != nil:
			bits.FromBytes(dst, at, r.Packed, r.First, r.N)
		case r.Value != 0:
			bits.SetRange(dst, at, at+r.N)
		default:
			bits.ClearRange(dst, at, at+r.N)
		}
		at += r.N
	}
	return nil
}
