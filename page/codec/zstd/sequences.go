package zstd

import (
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/moves"
)

// slack is how many bytes after dst and after the literals a kernel may touch.
const slack = 64

// Slack is how many bytes of capacity after dst let the kernels write all of dst.
const Slack = slack

// limits of a block.
type limits struct {
	most   int // the largest decoded size
	window int // how far back matches may go
	whole  bool
}

// sequences are the sequences of a block: each copies some literals, then repeats bytes
// from an offset back.
type sequences struct {
	tables [3][mostStates]state
	logs   [3]int
	known  [3]bool // whether there is a table
	last   [3]int  // offsets
	counts counts
	codes  [3][256]state
	values [3]int // the lengths of the codes
	usual  [3]struct {
		log    int
		states [64]state
	}
	mixed bool // old and new offsets alternate unpredictably
	c     cursor
	b     bounds
}

// A cursor is the position in the sequences of a block.
type cursor struct {
	left   int    // bits that are not read
	state  [3]int // the entries of the three tables for the next sequence
	last   [3]int // offsets
	d, lit int    // how many bytes are written to dst, and how many literals are used
	n      int    // sequences to come
	read   sequence
	held   bool // the next sequence is already in read, and state is of the one after it
}

// A sequence copies plain literals, and repeats size bytes from the offset that number
// stands for.
type sequence struct{ number, size, plain int }

// bounds are the bounds of a kernel. It stops before a sequence that would violate one.
type bounds struct {
	from   int // the first byte of dst that all matches may reach
	d, lit int // the most that a cursor may reach
	mixed  bool
}

// prepare makes the tables that all frames share.
func (s *sequences) prepare() {
	for t := range s.codes {
		s.codes[t], s.values[t] = codes(t)
		s.counts = usual(t)
		s.counts.build(&s.tables[t], &s.codes[t])
		s.usual[t].log = s.counts.log
		copy(s.usual[t].states[:], s.tables[t][:])
	}
}

// start resets s for a frame.
func (s *sequences) start() {
	s.known = [3]bool{}
	s.last = [3]int{1, 4, 8}
}

// run executes the sequences of src[at:end]. It writes to dst[d:], where the frame begins
// at start, and returns where it stopped. room bytes after lits may be read.
func (s *sequences) run(dst []byte, start, d int, src []byte, at, end int, lits []byte, room int, l limits, k *way) (int, error) {
	n, at, err := s.header(src, at, end)
	if err != nil {
		return d, err
	}
	s.c = cursor{d: d, n: n, last: s.last}
	c := &s.c
	blockEnd := d + l.most
	if n > 0 {
		if c.left, err = bitsOf(src[at:end]); err != nil {
			return d, err
		}
		for t := range 3 {
			c.state[t] = c.take(src, at, s.logs[t])
		}
		if c.left < 0 {
			return d, corrupt.At(-1, "sequences without a first state")
		}
		s.b = bounds{
			from:  max(start, min(blockEnd, len(dst))-l.window),
			d:     min(len(dst), cap(dst)-slack, blockEnd),
			lit:   min(len(lits), len(lits)+room-slack),
			mixed: s.mixed,
		}
		for c.n > 0 {
			if c.n > 1 && c.d < s.b.d && k.sequences != nil {
				c.n--
				k.sequences(c, &s.b, &s.tables, dst, src, at, lits)
				c.n++
			}
			if err := s.next(c, dst, start, src, at, lits, blockEnd, l); err != nil {
				return d, err
			}
			if !l.whole && c.d == len(dst) {
				return c.d, nil
			}
		}
		if c.left != 0 {
			return d, corrupt.At(-1, c.left, " bits behind the last sequence")
		}
	}
	s.last = c.last
	rest := lits[c.lit:]
	if len(rest) > blockEnd-c.d {
		return d, corrupt.At(-1, "a block becomes more than ", l.most, " bytes")
	}
	if l.whole && len(rest) > len(dst)-c.d {
		return d, tooMuch(len(dst))
	}
	return c.d + copy(dst[c.d:], rest), nil
}

// take reads n bits of the stream at src[at:]. If there are fewer, left becomes negative.
func (c *cursor) take(src []byte, at, n int) int {
	if c.left < n {
		c.left = -1
		return 0
	}
	v := load(src, at, c.left) >> (64 - n)
	c.left -= n
	return int(v)
}

// next runs one sequence of any form.
func (s *sequences) next(c *cursor, dst []byte, start int, src []byte, at int, lits []byte, blockEnd int, l limits) error {
	if !c.held {
		s.take(c, src, at)
	}
	c.held = false
	c.n--
	if c.left < 0 {
		return corrupt.At(-1, "sequences cut short")
	}
	plain, n := c.read.plain, c.read.size
	offset := c.offset(c.read.number, plain)
	if plain > len(lits)-c.lit {
		return corrupt.At(-1, plain, " literals, ", len(lits)-c.lit, " are left")
	}
	if plain+n > blockEnd-c.d {
		return corrupt.At(-1, "a block becomes more than ", l.most, " bytes")
	}
	if l.whole && plain+n > len(dst)-c.d {
		return tooMuch(len(dst))
	}
	copy(dst[c.d:], lits[c.lit:c.lit+plain])
	c.lit += plain
	if c.d += plain; c.d > len(dst) {
		c.d = len(dst) // the match is beyond the wanted bytes
		return nil
	}
	if offset > c.d-start || offset > l.window {
		return corrupt.At(-1, "match from ", offset, " before byte ", c.d-start, " of a frame")
	}
	to := dst[c.d:min(c.d+n, len(dst))]
	moves.Repeat(to, dst[c.d-offset:c.d])
	c.d += len(to)
	return nil
}

// take reads a sequence and, unless it is the last one, the states of the next.
func (s *sequences) take(c *cursor, src []byte, at int) {
	var e [3]state
	for t, i := range c.state {
		e[t] = s.tables[t][i]
	}
	c.read.number = 1<<(e[tableOF]&63) + c.take(src, at, int(e[tableOF]&255))
	c.read.size = lengthOf(e[tableML]) + c.take(src, at, int(e[tableML]&255))
	c.read.plain = lengthOf(e[tableLL]) + c.take(src, at, int(e[tableLL]&255))
	if c.n > 1 {
		for _, t := range [3]int{tableLL, tableML, tableOF} {
			c.state[t] = int(uint16(e[t]>>32)) + c.take(src, at, int(e[t]>>8&255))
		}
	}
}

// offset returns the offset that a number stands for, and remembers it. Numbers up to 3
// stand for the last three offsets. Without literals the last one would repeat the same
// match, so there they stand for the second last, the third last, and the last less one.
func (c *cursor) offset(v, plain int) int {
	if v > 3 {
		c.last = [3]int{v - 3, c.last[0], c.last[1]}
		return v - 3
	}
	if plain == 0 {
		v++
	}
	switch v {
	case 1:
	case 2:
		c.last[0], c.last[1] = c.last[1], c.last[0]
	case 3:
		c.last = [3]int{c.last[2], c.last[0], c.last[1]}
	default:
		c.last = [3]int{max(c.last[0]-1, 1), c.last[0], c.last[1]}
	}
	return c.last[0]
}

// header reads the bytes before the bits of sequences: their number, and their tables. It
// returns where the bits start.
func (s *sequences) header(src []byte, at, end int) (n, bits int, err error) {
	b := src[at:end]
	if len(b) == 0 {
		return 0, 0, cutShort("block")
	}
	size := 1
	if b[0] >= 128 {
		size = 2
	}
	if b[0] == 255 {
		size = 3
	}
	if len(b) < size {
		return 0, 0, cutShort("sequences")
	}
	switch size {
	case 1:
		n = int(b[0])
	case 2:
		n = int(b[0]-128)<<8 | int(b[1])
	default:
		n = 0x7f00 + int(b[1]) + int(b[2])<<8
	}
	b = b[size:]
	if n == 0 {
		if len(b) > 0 {
			return 0, 0, corrupt.At(-1, len(b), " bytes behind no sequences")
		}
		return 0, end, nil
	}
	if len(b) == 0 {
		return 0, 0, cutShort("sequences")
	}
	modes := b[0]
	if modes&3 != 0 {
		return 0, 0, corrupt.At(-1, "reserved bits of sequences are set")
	}
	b = b[1:]
	for t := range 3 {
		used, err := s.readTable(t, modes>>(6-2*t)&3, b)
		if err != nil {
			return 0, 0, err
		}
		b = b[used:]
	}
	return n, end - len(b), nil
}

// readTable makes table t as mode says, from the front of b.
func (s *sequences) readTable(t int, mode byte, b []byte) (used int, err error) {
	mixed := false
	switch mode {
	case 0: // the predefined one
		s.logs[t] = s.usual[t].log
		copy(s.tables[t][:], s.usual[t].states[:])
	case 1: // a table of one symbol
		if len(b) == 0 {
			return 0, cutShort("sequences")
		}
		if int(b[0]) >= s.values[t] {
			return 0, corrupt.At(-1, "symbol ", int(b[0]), " in a table of ", s.values[t])
		}
		used = 1
		s.logs[t], s.tables[t][0] = 0, s.codes[t][b[0]]
	case 2:
		if used, err = s.counts.read(b, mostLog, s.values[t]-1); err != nil {
			return 0, err
		}
		s.logs[t] = s.counts.log
		s.counts.build(&s.tables[t], &s.codes[t])
		// The first two symbols of offsets stand for the last offsets.
		old := max(s.counts.of[0], 0) + max(s.counts.of[1], 0)
		mixed = old > 1<<s.counts.log/8 && old < 1<<s.counts.log/8*7
	default: // the table of the block before
		if !s.known[t] {
			return 0, corrupt.At(-1, "sequences with the table before, and there is none")
		}
		return 0, nil
	}
	s.known[t] = true
	if t == tableOF {
		s.mixed = mixed
	}
	return used, nil
}
