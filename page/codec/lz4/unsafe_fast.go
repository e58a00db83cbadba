package lz4

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/winnow-scan/winnow/page/codec/moves"
)

// fast decodes sequences, from byte s of src to byte d of dst, until d or s has reached its limit, or up to
// one that it does not decode: with an invalid offset, many literals, or an end beyond a limit. It returns
// d and s.
//
// It touches up to Slack bytes of dst after dLimit and up to sourceSlack bytes of src after sLimit.
func fast(dst []byte, d, dLimit int, src []byte, s, sLimit int) (int, int) {
	out, in := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))
	for d < dLimit && s < sLimit {
		token := load1(in, s)
		at, read := d, s+1
		literals := int(token >> 4)
		if literals < longest {
			moves.Move16(out, at, in, read)
		} else {
			more := load1(in, read)
			read++
			literals += int(more)
			if more == 255 || literals > dLimit-at || literals > sLimit-moveSlack-read {
				break
			}
			for i := 0; i < literals; i += 32 {
				moves.Move16(out, at+i, in, read+i)
				moves.Move16(out, at+i+16, in, read+i+16)
			}
		}
		at += literals
		read += literals
		offset := int(binary.LittleEndian.Uint16((*[2]byte)(unsafe.Add(in, read))[:]))
		read += 2
		if uint(offset-1) >= uint(at) { // 0, or before the start
			break
		}
		from, length := at-offset, int(token&longest)
		if length < longest && offset >= 8 {
			// Each move may read what the one before wrote.
			moves.Move8(out, at, from)
			moves.Move8(out, at+8, from+8)
			*(*[2]byte)(unsafe.Add(out, at+16)) = *(*[2]byte)(unsafe.Add(out, from+16))
			d, s = at+length+leastMatch, read
			continue
		}
		if length == longest {
			more := load1(in, read)
			read++
			for length += int(more); more == 255 && read < sLimit && length < dLimit-at; length += int(more) {
				more = load1(in, read)
				read++
			}
			if more == 255 || length+leastMatch > dLimit-at {
				break
			}
		}
		d, s = at+length+leastMatch, read
		match(dst, at, d, offset)
	}
	return d, s
}

// match fills bytes at to end of dst with those from offset before. It changes up to moveSlack bytes after them.
func match(dst []byte, at, end, offset int) {
	out, from := unsafe.Pointer(unsafe.SliceData(dst)), at-offset
	switch {
	case offset >= end-at: // else each move would wait for the one before, whose bytes it reads
		for ; at < end; at, from = at+32, from+32 {
			moves.Move16(out, at, out, from)
			moves.Move16(out, at+16, out, from+16)
		}
	case offset <= 16 && offset&(offset-1) == 0: // so two registers have the pattern a whole number of times
		pattern := moves.Load8(out, from)
		for o := offset; o < 8; o *= 2 {
			pattern = pattern&(1<<(8*o&63)-1) | pattern<<(8*o&63)
		}
		second := pattern
		if offset == 16 {
			second = moves.Load8(out, from+8)
		}
		for ; at < end; at += 16 {
			moves.Store8(out, at, pattern)
			moves.Store8(out, at+8, second)
		}
	default:
		moves.Repeat(dst[at:end], dst[from:at])
	}
}

// near is fast for a stretch where most matches are of the 8 bytes before: these stay in a register, since
// memory that was just written is slow to read. It also stops at more literals than mostLiterals, at a length
// with a further byte, and at other matches that reach into themselves.
func near(dst []byte, d, dLimit int, src []byte, s, sLimit int) (int, int) {
	return nearLoop(unsafe.Pointer(unsafe.SliceData(dst)), d, dLimit, unsafe.Pointer(unsafe.SliceData(src)), s, sLimit)
}

// nearLoop is near. It has no slices, so that all that it needs is in registers.
func nearLoop(out unsafe.Pointer, d, dLimit int, in unsafe.Pointer, s, sLimit int) (int, int) {
	last, lastEnd := uint64(0), -1 // the 8 bytes before byte lastEnd
	for d < dLimit && s < sLimit {
		token, behind := load1(in, s), moves.Load8(in, s+1)
		literals, length := int(token>>4), int(token&longest)+leastMatch
		if literals > mostLiterals || length == longest+leastMatch {
			break
		}
		moves.Store8(out, d, behind)
		shift := 8 * literals & 63
		at, offset := d+literals, int(behind>>shift&0xffff)
		if offset == nearOffset && at >= nearOffset {
			if lastEnd == d {
				last = last>>shift | behind<<1<<(63-shift)
			} else {
				last = moves.Load8(out, at-nearOffset)
			}
			moves.Store8(out, at, last) // which repeats itself after its end
			moves.Store8(out, at+8, last)
			moves.Store8(out, at+16, last)
			last = bits.RotateLeft64(last, -8*length)
			lastEnd = at + length
		} else if offset >= length && offset <= at {
			moves.Move16(out, at, out, at-offset)
			moves.Move16(out, at+16, out, at-offset+16)
		} else {
			break
		}
		d = at + length
		s += literals + 3
	}
	return d, s
}

func load1(p unsafe.Pointer, at int) byte { return *(*byte)(unsafe.Add(p, at)) }
