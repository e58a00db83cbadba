package brotli

import (
	"bytes"
	"math"

	"github.com/winnow-scan/winnow/page/codec/moves"
)

// What a meta-block has blocks of.
const (
	literals = iota
	commands
	distances
)

const mostTypes, literalContexts, distanceContexts = 256, 64, 4

// blocks is the state of the blocks of literals, commands or distances. A block's type picks its codes.
type blocks struct {
	types, now, before int
	left               int                                // symbols of this block
	typeCode, sizeCode int                                // positions of tables
	contexts           int                                // of a type
	codes              []byte                             // by type and context, which of the codes
	tables             [mostTypes]int                     // positions, by code
	roots              [mostTypes]*[rootSize]uint16       // of tables, by code
	trees              [literalContexts]*[rootSize]uint16 // of this type, by context
	only               bool                               // all contexts have the first of the trees
}

// meta is what the head of a meta-block says.
type meta struct {
	codes
	blocks  [3]blocks
	postfix uint
	direct  int
	modes   [mostTypes]byte // of the contexts of literals, by type of block
	maps    [mostTypes * (literalContexts + 1 + distanceContexts)]byte
}

// readMeta reads the head of a meta-block.
func (d *Decoder) readMeta() {
	d.tables = d.tables[:0]
	for i := range d.blocks {
		d.readBlocks(&d.blocks[i])
	}
	d.load()
	d.postfix = uint(d.take(2))
	d.direct = int(d.take(4)) << d.postfix
	for i := range d.blocks[literals].types {
		d.load()
		d.modes[i] = byte(d.take(2))
	}
	var number [3]int // of codes
	maps := d.maps[:]
	for i, contexts := range [3]int{literalContexts, 1, distanceContexts} {
		b := &d.blocks[i]
		b.contexts = contexts
		b.codes, maps = maps[:contexts*b.types], maps[contexts*b.types:]
		if number[i] = b.types; i == commands {
			for j := range b.codes {
				b.codes[j] = byte(j)
			}
		} else {
			number[i] = d.readMap(b.codes)
		}
	}
	for i, symbols := range [3]int{256, mostSymbols, 16 + d.direct + 48<<d.postfix} {
		for j := range number[i] {
			if d.blocks[i].tables[j] = d.readCode(symbols); d.err != nil {
				return
			}
		}
	}
	for i := range d.blocks { // tables do not move any more
		b := &d.blocks[i]
		for j := range number[i] {
			b.roots[j] = d.root(b.tables[j])
		}
		b.pick()
	}
}

// pick makes trees those of the current type.
func (b *blocks) pick() {
	codes := b.codes[b.now*b.contexts:][:b.contexts]
	if b.only = bytes.Count(codes, codes[:1]) == len(codes); b.only && b.contexts != distanceContexts {
		codes = codes[:1]
	}
	for i, code := range codes {
		b.trees[i] = b.roots[code]
	}
}

// number reads how many types or codes there are: 1 to 256.
func (d *Decoder) number() int {
	d.load()
	if d.take(1) == 0 {
		return 1
	}
	n := uint(d.take(3))
	return 1<<n + 1 + int(d.take(n))
}

// readBlocks reads how the symbols of one kind are split into blocks.
func (d *Decoder) readBlocks(b *blocks) {
	b.types, b.now, b.before, b.left = d.number(), 0, 1, math.MaxInt
	if b.types > 1 {
		b.typeCode, b.sizeCode = d.readCode(b.types+2), d.readCode(len(sizeBits))
		d.load()
		b.left = d.blockSize(b.sizeCode)
	}
}

// sizeBits is how many more bits the symbols for the size of a block have.
var sizeBits = [26]byte{2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24}

var sizeBases = bases(1, sizeBits[:])

// bases returns the least value of each symbol, from how many more bits the symbols have.
func bases(least int, bits []byte) []int {
	all := make([]int, len(bits))
	for i, n := range bits {
		all[i] = least
		least += 1 << n
	}
	return all
}

// blockSize decodes the size of a block.
func (d *Decoder) blockSize(code int) int {
	s := d.symbol(code)
	return sizeBases[s] + int(d.take(uint(sizeBits[s])))
}

// nextBlock reads the type and size of the next block, and returns the input after it.
func (d *Decoder) nextBlock(b *blocks, in input) input {
	d.input = in
	d.load()
	next := d.symbol(b.typeCode) - 2
	switch next {
	case -2:
		next = b.before
	case -1:
		next = b.now + 1
	}
	if next >= b.types {
		next -= b.types
	}
	b.before, b.now = b.now, next
	b.left = d.blockSize(b.sizeCode)
	b.pick()
	return d.input
}

// readMap reads which code each context of each type of block has, and returns the number of codes.
func (d *Decoder) readMap(m []byte) (codes int) {
	codes = d.number()
	clear(m)
	if codes == 1 {
		return 1
	}
	longest := 0
	d.load()
	if d.take(1) == 1 {
		longest = int(d.take(4)) + 1
	}
	code := d.readCode(codes + longest)
	period := len(m) // after which places in a list repeat
	for i := 0; i < len(m); {
		d.load()
		have := d.have
		s, n := d.symbol(code), 1
		if s > longest {
			m[i] = byte(s - longest)
		} else if s > 0 { // so many zeros
			n = 1<<s + int(d.take(uint(s)))
		}
		if d.have == have { // the only symbol
			moves.Repeat(m[1:], m[:1])
			n, period = len(m), min(len(m), int(m[0])+1)
		}
		if i += n; i > len(m) {
			d.fail("a context map is too long")
		}
	}
	d.load()
	if d.take(1) == 1 {
		moveToFront(m[:period])
		moves.Repeat(m[period:], m[:period])
	}
	return codes
}

// moveToFront replaces places in a list of codes by the codes, each of which moves to the front of it.
func moveToFront(m []byte) {
	var list [mostTypes]byte
	for i := range list {
		list[i] = byte(i)
	}
	for i, at := range m {
		if at > 0 {
			code := list[at]
			copy(list[1:], list[:at])
			list[0] = code
		}
		m[i] = list[0]
	}
}

// asciiKinds is the kind of each ASCII character, from A on: spaces, quotes, digits, vowels and so on.
const asciiKinds = "AAAAAAAAABBAABAAAAAAAAAAAAAAAAAACDEDDFDEGHDDIDJDLLLLLLLLLLIIGKHD" +
	"DMNNNMNNNMNNNNNMNNNNNMNNNNNGDHDDDOPPPOPPPOPPPPPOPPPPPOPPPPPGDHDA"

// contexts is, for each mode, what the last byte and the one before it add to the context.
var contexts = func() (all [4][2][256]byte) {
	for i := range 256 {
		b := byte(i)
		all[0][0][i], all[1][0][i] = b&63, b>>2
		signed := byte(0)
		for _, from := range []int{1, 16, 64, 128, 192, 240, 255} {
			if i >= from {
				signed++
			}
		}
		all[3][0][i], all[3][1][i] = signed<<3, signed
		if i < 128 {
			all[2][0][i] = (asciiKinds[i] - 'A') << 2
		} else {
			all[2][0][i] = b>>6&1<<1 | b&1
		}
		switch {
		case 'a' <= b && b <= 'z':
			all[2][1][i] = 3
		case '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || b >= 0xe0:
			all[2][1][i] = 2
		case ' ' < b && b < 0x7f:
			all[2][1][i] = 1
		}
	}
	return all
}()
