package build

import (
	"encoding/binary"
	stdbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Values of a fixed size are moved in words. If the size is no multiple of a word's, the last word overlaps the one before:
//
//	5 bytes     a b c d|e        7 bytes    a b c d|e f g
//	            a|b c d e                   a b c|d e f g

// spreadFixed is Spread for values of w bytes.
func spreadFixed(b []byte, w int, validity []uint64, first int) {
	if w == 0 {
		return
	}
	n := len(b) / w
	packed := bits.Count(validity, first, first+n)
	for end := n; packed < end; {
		start := (end - 1) &^ 63
		valid := bits.Extract(validity, first+start) & bits.Low(end-start)
		switch count := stdbits.OnesCount64(valid); count {
		case 0:
			clear(b[start*w : end*w])
		case end - start:
			packed -= count
			copy(b[start*w:end*w], b[packed*w:])
		default:
			spreadWord(b[:end*w], w, start, packed, valid)
			packed -= count
		}
		end = start
	}
}

// spreadWord moves the values in front of packed to the slots from start to the end of b whose bits in valid are set,
// and zeroes the others. It goes from the last slot to the first: a value never moves towards the start, so it is either
// in its slot already or does not overlap it. There is no branch on the bits: NULL slots get a value masked to zero.
func spreadWord(b []byte, w, start, packed int, valid uint64) {
	end := len(b) / w
	valid <<= uint(64 - (end - start)) // the last slot has the highest bit
	for i := end - 1; i >= start; i-- {
		mask := uint64(int64(valid) >> 63)
		valid <<= 1
		packed += int(mask)
		if w == 16 { // decimals and UUIDs
			from, to := (*[16]byte)(b[packed*16:]), (*[16]byte)(b[i*16:])
			head, tail := binary.NativeEndian.Uint64(from[:8]), binary.NativeEndian.Uint64(from[8:])
			binary.NativeEndian.PutUint64(to[:8], head&mask)
			binary.NativeEndian.PutUint64(to[8:], tail&mask)
			continue
		}
		from, to := b[packed*w:][:w], b[i*w:][:w]
		switch {
		case w >= 8:
			last := w - 8
			for k := 0; k < last; k += 8 {
				binary.NativeEndian.PutUint64(to[k:], binary.NativeEndian.Uint64(from[k:])&mask)
			}
			binary.NativeEndian.PutUint64(to[last:], binary.NativeEndian.Uint64(from[last:])&mask)
		case w >= 4:
			last := w - 4
			head, tail := binary.NativeEndian.Uint32(from), binary.NativeEndian.Uint32(from[last:])
			binary.NativeEndian.PutUint32(to, head&uint32(mask))
			binary.NativeEndian.PutUint32(to[last:], tail&uint32(mask))
		default:
			for k, x := range from {
				to[k] = x & byte(mask)
			}
		}
	}
}
