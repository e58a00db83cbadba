package zstd

import (
	"encoding/binary"
	"math/bits"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// counts are how often each symbol stands in a table; -1 is once, at its end.
type counts struct {
	of  [256]int16
	n   int // symbols
	log int // of the table's size
}

const leastLog = 5

// read takes counts of symbols up to most from the front of b, and returns how
// many bytes they take.
//
// The first 4 bits are log-5. A count takes as many bits as what is left of the
// table needs, one less where that makes no difference; 0 stands for -1. After
// a count of 0 numbers of 2 bits say how many more follow, 3 that yet another does.
func (c *counts) read(b []byte, mostLog, most int) (int, error) {
	w, at := window(b, 0), 4
	c.log = int(w&15) + leastLog
	if c.log > mostLog {
		return 0, corrupt.At(-1, "table of 2^", c.log, " states")
	}
	left := 1<<c.log + 1 // one more than what is left
	c.n = 0
	for left > 1 {
		if c.n > most || at > 8*len(b) {
			return 0, corrupt.At(-1, "bad counts of symbols")
		}
		w = window(b, at)
		width := bits.Len(uint(left)) // left needs so many, or width-1
		short := 1<<width - 1 - left  // numbers below need width-1
		v := int(w & (1<<width - 1))
		if low := v & (1<<(width-1) - 1); low < short {
			v = low
			at += width - 1
		} else {
			if v >= 1<<(width-1) {
				v -= short
			}
			at += width
		}
		v--
		c.of[c.n] = int16(v)
		c.n++
		left -= max(v, -v)
		if v == 0 {
			for {
				w = window(b, at)
				more := int(w & 3)
				at += 2
				if c.n+more > len(c.of)-1 || at > 8*len(b)+8 {
					return 0, corrupt.At(-1, "bad counts of symbols")
				}
				clear(c.of[c.n : c.n+more])
				c.n += more
				if more != 3 {
					break
				}
			}
		}
	}
	used := (at + 7) / 8
	if left != 1 || used > len(b) || c.n > most+1 || c.n < 2 {
		return 0, corrupt.At(-1, "bad counts of symbols")
	}
	return used, nil
}

// window returns at least 32 bits of b from a bit on, zeros after its end.
func window(b []byte, bit int) uint64 {
	i := min(bit>>3, len(b))
	if len(b)-i >= 8 {
		return binary.LittleEndian.Uint64(b[i:]) >> (bit & 7)
	}
	var tail [8]byte
	copy(tail[:], b[i:])
	return binary.LittleEndian.Uint64(tail[:]) >> (bit & 7)
}

// A state is an entry of a table:
//
//	bits 0-7    how many bits to add to the base
//	     8-15   how many bits to add to the next state
//	     16-23  both together, or more than a kernel takes
//	     32-47  the next state
//	     48-63  the base, a length; or a symbol
//
// In sums of three of them the low fields are sums of their own. An offset has
// no base but the bit above those that are added. Lengths of 2^16 and more have
// 16 bits to add, and a base without its bit 16: kernels leave them alone.
type state = uint64

// symbol returns what a table has for a symbol, before it knows where it leads.
func symbol(extra int, base uint32) state {
	width := extra
	if base >= 1<<16 {
		width = rare
	}
	return state(extra) | state(width)<<16 | state(base)<<48
}

// A kernel takes sequences of up to mostOfLoad bits; rare is more.
const (
	mostOfLoad = 56
	rare       = 64
)

// lengthOf returns the base of a length.
func lengthOf(e state) int { return int(e>>48) | 1<<(e&63)>>16<<16 }

// build fills the states of a table. The n-th state of a symbol that stands
// there k times leads to the n-th of k ranges that make up the table.
func (c *counts) build(table *[mostStates]state, code *[256]state) {
	var dealt [mostStates]byte
	var nth [256]uint16
	c.deal(&dealt, &nth)
	size := 1 << (c.log & 15)
	// The n-th of k is k+n: of l bits, it leads to itself and b = log+1-l bits
	// more, less the table's size, which is k+n times one number and another.
	var by [mostLog + 2]struct{ times, plus state }
	for l := range c.log + 2 {
		b := uint(c.log + 1 - l)
		by[l].times = 1 << (32 + b)
		by[l].plus = state(b)<<8 + state(b)<<16 - state(size)<<32
	}
	for i, s := range dealt[:size] {
		k := nth[s]
		nth[s]++
		e := &by[bits.Len16(k)]
		table[i] = code[s] + e.times*state(k) + e.plus
	}
}

// deal deals symbols out over a table, in steps, and returns how often each is there.
func (c *counts) deal(dealt *[mostStates]byte, times *[256]uint16) {
	// First in a row. How long a run is cannot be foreseen, so eight are
	// written at once, and what are too many again by the next.
	var row [mostStates + 8]byte
	n, single := 0, 0
	for s, k := range c.of[:c.n] {
		if k < 0 {
			times[s] = 1
			single++
			continue
		}
		times[s] = uint16(k)
		eight := uint64(s) * 0x0101010101010101
		binary.LittleEndian.PutUint64(row[n:], eight)
		for i := 8; i < int(k); i += 8 {
			binary.LittleEndian.PutUint64(row[n+i:], eight)
		}
		n += int(k)
	}
	// The end belongs to others: what comes there comes again.
	size := uint(1) << (c.log & 15)
	step, next, high := size>>1+size>>3+3, uint(0), size-uint(single)
	for i := range size {
		at := i * step & (size - 1)
		dealt[at%mostStates] = row[next%mostStates]
		next += (at - high) >> (bits.UintSize - 1)
	}
	if single == 0 {
		return
	}
	for s, k := range c.of[:c.n] {
		if k < 0 {
			size--
			dealt[size%mostStates] = byte(s)
		}
	}
}
