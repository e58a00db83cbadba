package rle

import (
	"encoding/binary"

	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// Decoding a run of a few values takes less time than a mispredicted branch on their
// number. So loops for many such runs always write as many values as a short run may
// have, and the next run overwrites those that are too many. They go on while runs are
// whole and valid, with headers of one or two bytes; after that, the caller goes run by run
// and reports what is wrong.

// shortHeader reads a header of at most two bytes at byte at of body, which has two more
// bytes. count is 0 if the header is longer.
func shortHeader(body []byte, at int) (count int, packed bool, start int) {
	header := int(body[at])
	at++
	if header >= 0x80 {
		second := int(body[at])
		if second >= 0x80 {
			return 0, false, at
		}
		header, at = header&0x7f|second<<7, at+1
	}
	return header >> 1, header&1 != 0, at
}

// shortLevels decodes whole runs to the front of dst and returns how many levels.
func (d *Codes) shortLevels(dst []uint8) (done int) {
	if done := d.runBytes(dst); done > 0 {
		return done
	}
	const atLeast = 64
	body, at, left := d.body, d.next, min(d.n, len(dst))
	for d.width > 0 && len(body)-at >= 4 && len(dst)-done >= atLeast {
		count, packed, start := shortHeader(body, at)
		if count == 0 {
			break
		}
		if packed {
			size := count * int(d.width)
			if count*8 > left-done || size > len(body)-start || !bitpack.Spread8(dst[done:], body[start:], count, d.width) {
				break
			}
			at, done = start+size, done+count*8
			continue
		}
		value := body[start]
		if count > left-done || uint32(value) >= d.limit {
			break
		}
		w, out := uint64(value)*0x0101010101010101, dst[done:][:atLeast]
		for i := 0; i < atLeast; i += 8 {
			binary.LittleEndian.PutUint64(out[i:], w)
		}
		if count > atLeast {
			fill(dst[done+atLeast:][:count-atLeast], value)
		}
		at, done = start+1, done+count
	}
	if d.limited() && anyAbove(dst[:done], uint8(d.limit-1)) {
		return 0
	}
	d.next = at
	d.n -= done
	return done
}

// shortRuns decodes whole runs, of at most shortRepeat codes each and n in all, to the
// front of dst. It returns how many codes it decoded.
func (d *Codes) shortRuns(dst []uint32, n int) int {
	if d.next < len(d.body) {
		if h := int(d.body[d.next]); h >= 0x80 || h&1 == 1 && h>>1*8 > shortRepeat {
			return 0 // the first is longer
		}
	}
	if done := d.runCodes(dst, n, shortRepeat); done > 0 {
		return done
	}
	return d.shortCodes(dst[:n], shortRepeat, shortRepeat)
}

// shortCodes decodes whole runs to the front of dst, up to one of more than repeated codes,
// or more than packed codes. It returns how many codes it decoded.
func (d *Codes) shortCodes(dst []uint32, repeated, packed int) (done int) {
	const atLeast = 16
	body, at, left := d.body, d.next, min(d.n, len(dst))
	size := int(d.width+7) / 8
	mask := uint32(1)<<(8*size) - 1 // all ones if size is 4
	for d.width > 0 && len(body)-at >= 6 && len(dst)-done >= atLeast {
		count, isPacked, start := shortHeader(body, at)
		if count == 0 {
			break
		}
		if isPacked {
			size, most := count*int(d.width), min(left-done, packed)
			if count*8 > most || size > len(body)-start {
				break
			}
			_, header, more := d.alikeIn(start, start+size, most-count*8+1) // whole runs
			runs := bitpack.SpreadRuns32(dst[done:], body[start:], count, d.width, 1+more, header)
			if runs == 0 {
				break
			}
			at, done = start+size+(runs-1)*(header+size), done+runs*count*8
			continue
		}
		value := binary.LittleEndian.Uint32(body[start:]) & mask
		if count > min(left-done, repeated) || value >= d.limit || uint64(value)>>d.width != 0 {
			break
		}
		repeat((*[atLeast]uint32)(dst[done:]), value)
		if count > atLeast {
			fill(dst[done+atLeast:][:count-atLeast], value)
		}
		at, done = start+size, done+count
	}
	if d.firstBad(dst[:done]) >= 0 {
		return 0
	}
	d.next = at
	d.n -= done
	return done
}

// repeat is a function of its own because its caller would run out of registers.
//
//go:noinline
func repeat(dst *[16]uint32, v uint32) {
	dst[0], dst[1], dst[2], dst[3] = v, v, v, v
	dst[4], dst[5], dst[6], dst[7] = v, v, v, v
	dst[8], dst[9], dst[10], dst[11] = v, v, v, v
	dst[12], dst[13], dst[14], dst[15] = v, v, v, v
}

// shortBits is copyBits for whole runs of at most 64 values, and returns how many values it
// copied. It has no branch on the kind of a run, nor on whether a run fills a word:
//
//	dst[w]   00000000 wwvvvvvv    a run's values after what is there, as far as they fit
//	word     00000000 000000vv    the rest of them, where the next begins
//
// It stops at the word in which the n values end.
func (d *Codes) shortBits(dst []uint64, at, n int) (done int) {
	if done := d.runBits(dst, at, n); done > 0 {
		return done
	}
	body, next, left := d.body, d.next, min(d.n, n)
	w, used := at/64, uint(at%64)
	if w >= len(dst) {
		return 0
	}
	word := dst[w] & (1<<used - 1)
	for full := dst[:(at+n)/64]; w < len(full) && len(body)-next >= 10; {
		count, packed, start := shortHeader(body, next)
		values, size, repeated := count, 1, ^uint64(0)
		if packed { // compiled to conditional moves, not branches
			values, size, repeated = count*8, count, 0
		}
		v := binary.LittleEndian.Uint64(body[start:])
		if uint(values-1) >= 64 || values > left-done || size > len(body)-start || v&0xfe&repeated != 0 {
			break
		}
		v = (v&^repeated | -(v&1)&repeated) & (^uint64(0) >> (64 - uint(values)))
		word |= v << used
		full[w] = word
		over := used + uint(values)
		carry := over / 64
		word = word&(uint64(carry)-1) | v>>(64-used)&-uint64(carry)
		w, used = w+int(carry), over%64
		next, done = start+size, done+values
	}
	if used > 0 {
		dst[w] = word | dst[w]&^(1<<used-1)
	}
	d.next = next
	d.n -= done
	return done
}

// runBits is shortBits by way of bytes, if there is a kernel for runs. It leaves a long packed run at the front to the
// caller: it is a bitmap already.
func (d *Codes) runBits(dst []uint64, at, n int) (done int) {
	if !hasNarrow || !d.shortNext() {
		return 0 // before the array below is cleared
	}
	var values [keepBlock + lookupRoom]uint8
	var words [keepBlock / 64]uint64
	for done < n && d.shortNext() {
		m := d.runBytes(values[:min(keepBlock, n-done)+lookupRoom])
		if m == 0 {
			break
		}
		bits.AtLeast(words[:], values[:m], 1)
		bits.Copy(dst, at+done, words[:], 0, m)
		done += m
	}
	return done
}

// shortNext reports whether a short run follows.
func (d *Codes) shortNext() bool { return d.next < len(d.body) && isShort(d.body[d.next]) }
