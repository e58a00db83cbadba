package zstd

import (
	"encoding/binary"
	"math/bits"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// counts are the frequencies of symbols in a table; -1 stands for one entry, at the table's end.
type counts struct {
	of  [256]int16
	n   int // symbols
	log int // of the table's size
}

const leastLog = 5

// read reads the counts of at most most symbols from the front of b, and returns how many
// bytes they take.
//
// The first 4 bits are log-5. A count takes as many bits as the rest of the table needs,
// or one less if the number is unique without it; 0 stands for -1. After a count of 0,
// numbers of 2 bits say how many more zeros follow; 3 means that another number does.
func (c *counts) read(b []byte, mostLog, most int) (int, error) {
	w, at := window(b, 0), 4
	c.log = int(w&15) + leastLog
	if c.log > mostLog {
		return 0, corrupt.At(-1, "table of 2^", c.log, " states")
	}
	left := 1<<c.log + 1 // entries that are left, plus 1
	c.n = 0
	for left > 1 {
		if c.n > most || at > 8*len(b) {
			return 0, corrupt.At(-1, "bad counts of symbols")
		}
		w = window(b, at)
		width := bits.Len(uint(left)) // bits of a number up to left, some take width-1
		short := 1<<width - 1 - left  // numbers below short take width-1
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

// window returns at least 32 bits of b from a bit on, with zeros after its end.
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
//	bits 0-7    number of bits to read and add to the base
//	     8-15   number of bits to read and add to the next state
//	     16-23  sum of both, or rare if a kernel must not run it
//	     32-47  the next state
//	     48-63  the base: a length, or a symbol
//
// The low fields of a sum of three states are the sums of their fields. The base of an
// offset is the bit above the bits to read. Lengths of 2^16 and more have 16 bits to read,
// and a base without its bit 16: kernels do not run these.
type state = uint64

// symbol returns the entry of a symbol, without its next state.
func symbol(extra int, base uint32) state {
	width := extra
	if base >= 1<<16 {
		width = rare
	}
	return state(extra) | state(width)<<16 | state(base)<<48
}

// A kernel runs sequences of up to mostOfLoad bits; rare is more than that.
const (
	mostOfLoad = 56
	rare       = 64
)

// lengthOf returns the base of a length.
func lengthOf(e state) int { return int(e>>48) | 1<<(e&63)>>16<<16 }

// build fills the states of a table. If a symbol has k entries, its n-th entry leads to
// the n-th of k ranges that make up the table.
func (c *counts) build(table *[mostStates]state, code *[256]state) {
	var dealt [mostStates]byte
	var nth [256]uint16
	c.deal(&dealt, &nth)
	size := 1 << (c.log & 15)
	// The n-th of k entries has the number k+n. If it has l bits, the entry reads b = log+1-l
	// bits, and leads to (k+n) << b minus the table's size: a product and a sum.
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

// deal spreads symbols over a table, in steps, and returns how many entries each has.
func (c *counts) deal(dealt *[mostStates]byte, times *[256]uint16) {
	// First in a row. The length of a run cannot be predicted, so each store writes eight
	// entries, and the next one overwrites those that are too many.
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
	// The end belongs to symbols of count -1: a symbol dealt there is dealt again.
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
