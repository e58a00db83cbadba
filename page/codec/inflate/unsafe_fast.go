package inflate

import (
	"encoding/binary"
	"unsafe"

	"github.com/winnow-scan/winnow/page/codec/moves"
)

const (
	// A round gives up to two literals a look-up, then a length; moves write up to 31
	// bytes too many.
	roomSlack = 3*2 + 258 + 31
	// A round loads 8 bytes, then moves on by up to 7, and loads again.
	sourceSlack = 7 + 8
	// distMost is the largest number of bits of a distance.
	distMost = mostBits + 13
)

// fast decodes rounds of symbols, while src and out have room for a whole round, and
// fewer bytes are decoded than wanted.
//
// In here, made counts from start. Only the low 8 bits of n are the number of loaded bits:
// fast subtracts whole entries from n.
func (d *Decoder) fast() reason {
	src, out := d.src, d.out[d.start:]
	in, to := unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(out))
	readLimit, madeLimit := len(src)-sourceSlack, min(len(out)-roomSlack, d.want-d.start)
	read, made, bits, n := d.read, d.made-d.start, d.bits, d.have
	why := atLimit
	for read < readLimit && made < madeLimit {
		bits |= moves.Load8(in, read) << (n & 63)
		read += int(^n >> 3 & 7)
		n |= 56
		e := d.lit[bits%litDirect]
		store2(to, made, e>>16)
		made += int(e >> 14 & 3)
		bits >>= e & 63
		n -= uint(e)
		if e&long == 0 { // nothing but literals
			e = d.lit[bits%litDirect]
			store2(to, made, e>>16)
			made += int(e >> 14 & 3)
			bits >>= e & 63
			n -= uint(e)
			if e&long == 0 {
				e = d.lit[bits%litDirect]
				store2(to, made, e>>16)
				made += int(e >> 14 & 3)
				bits >>= e & 63
				n -= uint(e)
				if e&long == 0 {
					continue
				}
			}
		}
		length := int(e>>24) + leastLength
		if e&odd != 0 {
			if e&(deeper|hasLength) == deeper {
				e = d.lit[(uint64(e>>16&startMask)+bits>>litBits&d.litMore)%litSize]
				bits >>= e & 63
				n -= uint(e)
				if e&litMask != 0 {
					store2(to, made, e>>16)
					made++
					continue
				}
			}
			if e&hasLength == 0 {
				why = wrongCode
				if e&end == end {
					why = atEnd
				}
				break
			}
			more := e >> 21 & 7
			length = int(e>>24) + leastLength + int(uint32(bits)&(e>>16&31))
			bits >>= more
			n -= uint(more)
		}
		if uint8(n) < distMost {
			bits |= moves.Load8(in, read) << (n & 63)
			read += int(^n >> 3 & 7)
			n |= 56
		}
		f := d.dist[bits%distDirect]
		if f&oddDist != 0 {
			if f&deeperDist == deeperDist {
				f = d.dist[(f>>16&startMask+bits>>distBits&d.distMore)%distSize]
			}
			if f&oddDist != 0 {
				why = wrongCode
				break
			}
		}
		distance := int(f>>32) + int(bits>>(f>>8&15)&uint64(uint16(f>>16)))
		bits >>= f & 63
		n -= uint(f)
		if distance > made {
			why = tooFar
			break
		}
		at, from := made, made-distance
		made += length
		// Each move may read what the one before wrote. Few matches are longer than 32 bytes,
		// but many are longer than 16, and which ones cannot be predicted.
		if distance >= 16 {
			moves.Move16(to, at, to, from)
			moves.Move16(to, at+16, to, from+16)
			for ; length > 32; length -= 32 {
				at += 32
				from += 32
				moves.Move16(to, at, to, from)
				moves.Move16(to, at+16, to, from+16)
			}
			continue
		}
		if distance >= 8 {
			moves.Move8(to, at, from)
			moves.Move8(to, at+8, from+8)
			for ; length > 16; length -= 16 {
				at += 16
				from += 16
				moves.Move8(to, at, from)
				moves.Move8(to, at+8, from+8)
			}
			continue
		}
		r := &repeats[distance&7]
		pattern := moves.Load8(to, from) & r.mask * r.times
		for ; length > 0; length -= r.step {
			moves.Store8(to, at, pattern)
			at += r.step
		}
	}
	n &= 63
	d.read, d.made, d.bits, d.have = read, made+d.start, bits, n
	return why
}

// repeats widens a pattern of fewer than 8 bytes to 8: mask keeps the pattern, times
// repeats it, and step is how many of the 8 bytes are whole patterns.
var repeats = [8]struct {
	mask, times uint64
	step        int
}{
	1: {1<<8 - 1, 0x01_01_01_01_01_01_01_01, 8},
	2: {1<<16 - 1, 0x0001_0001_0001_0001, 8},
	3: {1<<24 - 1, 1 + 1<<24 + 1<<48, 6},
	4: {1<<32 - 1, 1 + 1<<32, 8},
	5: {1<<40 - 1, 1 + 1<<40, 5},
	6: {1<<48 - 1, 1 + 1<<48, 6},
	7: {1<<56 - 1, 1 + 1<<56, 7},
}

func store2(p unsafe.Pointer, at int, v uint32) {
	binary.LittleEndian.PutUint16((*[2]byte)(unsafe.Add(p, at))[:], uint16(v))
}
