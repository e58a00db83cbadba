package brotli

import (
	"math/bits"
	"slices"
)

// A table finds the symbol of a code's next bits: symbol<<6 | length of its code. Codes that are longer
// than rootBits have an entry position<<6 | bits in its root: that of a second table, counted from the
// end of the root, for as many bits in all.
const (
	rootBits    = 9
	rootSize    = 1 << rootBits
	mostBits    = 15
	mostSymbols = 704 // of commands

	// mostSecond bounds the second tables of a code. Codes are sorted by length, so that at most five of
	// these tables have codes of several lengths, of 64 entries at most; others have one entry a symbol.
	mostSecond = mostSymbols + 5*64
)

// The lengths of a code are themselves written in a code, of at most lengthBits. Its symbols 0 to 15 are
// lengths; repeatLast and the one after it, for zeros, repeat a length.
const lengthBits, repeatLast = 5, 16

// lengthOrder is the order in which the lengths of that code are stored.
var lengthOrder = [18]byte{1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// lengthCodes is the code of these lengths: length<<4 | bits.
var lengthCodes = [16]byte{0x02, 0x42, 0x32, 0x23, 0x02, 0x42, 0x32, 0x14, 0x02, 0x42, 0x32, 0x23, 0x02, 0x42, 0x32, 0x54}

// fewCodes has the lengths of codes of up to four symbols, which are named.
var fewCodes = [5]string{"\x00", "\x01\x01", "\x01\x02\x02", "\x02\x02\x02\x02", "\x01\x02\x03\x03"}

// codes has the tables of a meta-block, one after another, and the code that is read.
type codes struct {
	tables []uint16
	sorted [mostBits + 1][mostSymbols]uint16 // the symbols by length; at 0 the only one of a code
	count  [mostBits + 1]int                 // of them
}

// root returns the root of the table at a position. It is good until the next table is made.
func (c *codes) root(at int) *[rootSize]uint16 { return (*[rootSize]uint16)(c.tables[at:]) }

// add adds n symbols from one on to the code that is read.
func (c *codes) add(from, n, length int) {
	to := c.sorted[length][c.count[length]:][:n]
	for i := range to {
		to[i] = uint16(from + i)
	}
	c.count[length] += n
}

// readCode reads a code of so many symbols, and returns the position of its table. The table of a code that
// is not one has only symbol 0.
func (d *Decoder) readCode(symbols int) (at int) {
	d.load()
	if skipped := int(d.take(2)); skipped == 1 {
		d.readFew(symbols)
	} else if d.readLengthCode(skipped); d.err == nil {
		d.readLengths(symbols)
	}
	if d.err != nil {
		d.sorted[0][0], d.count = 0, [mostBits + 1]int{1}
	}
	return d.build(rootBits)
}

// readFew reads a code of up to four symbols, which are named.
func (d *Decoder) readFew(symbols int) {
	var named [4]int
	n := int(d.take(2))
	for i := range n + 1 {
		named[i] = int(d.take(uint(bits.Len(uint(symbols - 1)))))
		if named[i] >= symbols || slices.Contains(named[:i], named[i]) {
			d.fail("a code names no symbol, or one twice")
		}
	}
	d.load()
	if n == 3 {
		n += int(d.take(1))
	}
	d.count = [mostBits + 1]int{}
	for i, length := range []byte(fewCodes[n]) {
		d.add(named[i], 1, int(length))
	}
	longest := fewCodes[n][len(fewCodes[n])-1]
	slices.Sort(d.sorted[longest][:d.count[longest]])
}

// readLengthCode reads the code of code lengths, of which the first ones skipped have no symbol.
func (d *Decoder) readLengthCode(skipped int) {
	var lengths [len(lengthOrder)]byte
	space, used := 1<<lengthBits, 0
	for i := skipped; i < len(lengths) && space > 0; i++ {
		d.load()
		e := lengthCodes[d.bits&15]
		d.take(uint(e & 15))
		if lengths[lengthOrder[i]] = e >> 4; e>>4 > 0 {
			space -= 1 << lengthBits >> (e >> 4)
			used++
		}
	}
	if space != 0 && used != 1 {
		d.fail("lengths of code lengths make no code")
	}
	d.count = [mostBits + 1]int{}
	for symbol, length := range lengths {
		if length > 0 && used == 1 {
			d.add(symbol, 1, 0)
		} else if length > 0 {
			d.add(symbol, 1, int(length))
		}
	}
}

// readLengths reads the lengths of a code, in the code that was read.
func (d *Decoder) readLengths(symbols int) {
	at := d.build(lengthBits)
	table := d.tables[at:]
	d.tables, d.count = d.tables[:at], [mostBits + 1]int{}
	space, last, before, times := 1<<mostBits, 8, 0, 0
	for i := 0; i < symbols && space > 0; {
		d.load()
		e := table[d.bits%(1<<lengthBits)]
		d.take(uint(e & 63))
		symbol, n := int(e>>6), 1
		length := symbol
		if symbol >= repeatLast {
			// Repeats of one kind, one after another, are one number.
			more, old := symbol-repeatLast+2, 0
			if symbol == before {
				old, times = times, (times-2)<<more
			} else {
				times = 0
			}
			times += int(d.take(uint(more))) + 3
			if n = times - old; n > symbols-i {
				d.fail("a code has too many lengths")
				return
			}
			if length = 0; symbol == repeatLast {
				length = last
			}
		}
		if before = symbol; length > 0 {
			last = length
			space -= n << mostBits >> length
			d.add(i, n, length)
		}
		i += n
	}
	if space != 0 {
		d.fail("code lengths make no code")
	}
}

// build makes the table of the code that was read, which is complete or has one symbol, which takes no
// bits. It returns the position of the root, which is for so many bits.
func (c *codes) build(rootBits int) int {
	at := len(c.tables)
	c.tables = slices.Grow(c.tables, rootSize+mostSecond)
	table, used, code := c.tables[at:at+rootSize+mostSecond], 1<<rootBits, 0
	table[0] = c.sorted[0][0] << 6 // which others take the place of
	// The root holds the codes of each length, then twice itself for the next length. A code is read from
	// its highest bit on, so that its reverse is the number in the table.
	for length := 1; length <= rootBits; length++ {
		copy(table[1<<(length-1):], table[:1<<(length-1)])
		for _, s := range c.sorted[length][:c.count[length]] {
			table[reverse(code, length)] = s<<6 | uint16(length)
			code++
		}
		code <<= 1
	}
	prefix, start := -1, 0
	for length := rootBits + 1; length <= mostBits; length++ {
		for i, s := range c.sorted[length][:c.count[length]] {
			reversed := reverse(code, length)
			if first := reversed & (1<<rootBits - 1); first != prefix {
				wide, space := length-rootBits, c.count[length]-i
				for space < 1<<wide {
					wide++
					space = space<<1 + c.count[rootBits+wide]
				}
				prefix, start = first, used
				used += 1 << wide
				table[prefix] = uint16(start-rootSize)<<6 | uint16(rootBits+wide)
			}
			for j := start + reversed>>rootBits; j < used; j += 1 << (length - rootBits) {
				table[j] = s<<6 | uint16(length)
			}
			code++
		}
		code <<= 1
	}
	c.tables = c.tables[:at+used]
	return at
}

func reverse(code, length int) int { return int(bits.Reverse16(uint16(code)) >> (16 - length)) }
