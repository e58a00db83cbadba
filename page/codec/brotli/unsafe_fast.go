package brotli

import (
	"encoding/binary"
	"unsafe"

	"github.com/winnow-scan/winnow/page/codec/moves"
)

// An input is how far a body is read. Loops have it in registers.
type input struct {
	bits uint64 // the next one lowest; bits from number have on mean nothing
	have uint   // below 64
	read uint   // how many bytes are in bits, or decoded; beyond the end of the body, bits are zero
}

// loaded returns in with at least 56 bits.
func (d *Decoder) loaded(in input) input {
	from := unsafe.Pointer(&d.tail)
	if in.read <= d.lastLoad {
		from = unsafe.Add(unsafe.Pointer(d.first), in.read)
	} else {
		from = unsafe.Add(from, min(in.read-d.lastLoad, 8))
	}
	word := binary.LittleEndian.Uint64((*[8]byte)(from)[:])
	return input{in.bits | word<<(in.have&63), in.have | 56, in.read + ^in.have>>3&7}
}

// taken returns the next n bits, and the input after them.
func (in input) taken(n uint8) (uint64, input) {
	return in.bits & (1<<(n&63) - 1), input{in.bits >> (n & 63), in.have - uint(n), in.read}
}

// next returns the next symbol of a code, and the input after it.
func next(root *[rootSize]uint16, in input) (symbol uint, after input) {
	e := uint(root[in.bits%rootSize])
	if e&63 > rootBits {
		at := e>>6 + rootSize + uint(in.bits>>rootBits&(1<<((e-rootBits)&63)-1))
		e = uint(*(*uint16)(unsafe.Add(unsafe.Pointer(root), 2*at)))
	}
	return e >> 6, input{in.bits >> (e & 63), in.have - e&63, in.read}
}

// moveSlack is how many bytes moves may write too many.
const moveSlack = 15

// commands decodes the commands of a meta-block, which ends at byte end, or until full. Each command
// gives bytes or takes bits, so that the loop ends.
//
// Where memory is accessed without a check of bounds: loaded reads 8 bytes from lastLoad on at most. A table
// has an entry for all bits of its longest code. A literal is stored at made, which is below limit, so below
// len(out). Moves are those of repeatFrom.
func (d *Decoder) commands(end int) error {
	in, limit := d.input, d.made+min(end-d.made, d.want-d.made) // end may overflow
	for d.made < limit {
		b := &d.blocks[commands]
		if b.left == 0 {
			in = d.nextBlock(b, in)
		}
		b.left--
		if in = d.loaded(in); in.read-in.have/8 > uint(len(d.src)) {
			d.input = in
			return d.bad("")
		}
		var symbol uint
		var more uint64
		symbol, in = next(b.trees[0], in)
		c := &commandTable[symbol&1023]
		more, in = in.taken(c.insertBits)
		run := int(c.insert) + int(more)
		if uint(c.copyBits) > in.have {
			in = d.loaded(in)
		}
		more, in = in.taken(c.copyBits)
		length := int(c.copy) + int(more)

		if run > limit-d.made {
			if run > end-d.made {
				return d.bad(tooLong)
			}
			run = limit - d.made
		}
		for run > 0 {
			b := &d.blocks[literals]
			if b.left == 0 {
				in = d.nextBlock(b, in)
			}
			n := min(run, b.left)
			run -= n
			b.left -= n
			if b.only {
				in = d.onlyLiterals(in, n)
			} else {
				in = d.literalsInContext(in, n)
			}
		}
		if d.made == limit {
			break
		}

		distance, again := d.last[(d.turn-1)&3], c.again
		if !again {
			distance, again, in = d.distance(in, c.context)
		}
		if most := min(d.made, d.window); distance > most {
			if err := d.word(length, distance-most-1, end); err != nil {
				return err
			}
			continue
		} else if distance <= 0 {
			return d.bad("a distance is not above 0")
		} else if !again {
			d.last[d.turn&3] = distance
			d.turn++
		}
		if length > limit-d.made {
			if length > end-d.made {
				return d.bad(tooLong)
			}
			length = limit - d.made
		}
		d.repeatFrom(distance, length)
	}
	if d.input = in; d.isCut() {
		return d.bad("")
	}
	return nil
}

// onlyLiterals decodes n literals of one code.
func (d *Decoder) onlyLiterals(in input, n int) input {
	root, made := d.blocks[literals].trees[0], d.made
	to := unsafe.Pointer(unsafe.SliceData(d.out))
	var literal uint
	for d.made += n; n > 0; n -= 3 {
		in = d.loaded(in)
		literal, in = next(root, in)
		*(*byte)(unsafe.Add(to, made)) = byte(literal)
		if n > 1 {
			literal, in = next(root, in)
			*(*byte)(unsafe.Add(to, made+1)) = byte(literal)
		}
		if n > 2 {
			literal, in = next(root, in)
			*(*byte)(unsafe.Add(to, made+2)) = byte(literal)
		}
		made += 3
	}
	return in
}

// literalsInContext decodes n literals whose codes the two bytes before pick.
func (d *Decoder) literalsInContext(in input, n int) input {
	b := &d.blocks[literals]
	mode := &contexts[d.modes[b.now]&3]
	var p1, p2 byte
	if d.made > 0 {
		p1 = d.out[d.made-1]
	}
	if d.made > 1 {
		p2 = d.out[d.made-2]
	}
	out := d.out[d.made : d.made+n]
	for i := range out {
		if in.have < mostBits {
			in = d.loaded(in)
		}
		var literal uint
		literal, in = next(b.trees[(mode[0][p1]|mode[1][p2])%literalContexts], in)
		p1, p2 = byte(literal), p1
		out[i] = p1
	}
	d.made += n
	return in
}

// distance decodes a distance in a context, tells whether it is the last one, and returns the input after it.
func (d *Decoder) distance(in input, context uint8) (distance int, again bool, after input) {
	b := &d.blocks[distances]
	if b.left == 0 {
		in = d.nextBlock(b, in)
	}
	b.left--
	symbol, in := next(b.trees[context%distanceContexts], d.loaded(in))
	if symbol < 16 {
		return d.last[(d.turn-shortBack[symbol])&3] + shortChange[symbol], symbol == 0, in
	}
	far := int(symbol) - 16 - d.direct
	if far < 0 {
		return int(symbol) - 15, false, in
	}
	postfix := d.postfix & 3
	wide := uint8(1 + far>>(postfix+1)&31)
	more, in := in.taken(wide)
	distance = (2+far>>postfix&1)<<wide - 4 + int(more)
	return distance<<postfix + far&(1<<postfix-1) + d.direct + 1, false, in
}

// repeatFrom appends length bytes from a distance, which is not beyond the first byte. Moves write up to
// moveSlack bytes too many, which end in front of the end of out; they read from as many bytes, so nothing
// beyond those that they write.
func (d *Decoder) repeatFrom(distance, length int) {
	at := d.made
	d.made += length
	if distance < 8 || d.made > len(d.out)-moveSlack {
		moves.Repeat(d.out[at:d.made], d.out[at-distance:at])
		return
	}
	to := unsafe.Pointer(unsafe.SliceData(d.out))
	for ; at < d.made; at += 16 {
		moves.Move8(to, at, at-distance)
		moves.Move8(to, at+8, at+8-distance)
	}
}

// A command inserts literals, then copies. Its symbol is one of its lengths.
type command struct {
	insert, copy         uint16
	insertBits, copyBits uint8
	context              uint8 // of the distance
	again                bool  // the last distance, which is not written
}

// commandTable has the commands by symbol.
var commandTable = func() (all [1024]command) {
	insertBits := []byte{0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24}
	copyBits := []byte{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24}
	insertBases, copyBases := bases(0, insertBits), bases(2, copyBits)
	cells := [11][2]int{{0, 0}, {0, 8}, {0, 0}, {0, 8}, {8, 0}, {8, 8}, {0, 16}, {16, 0}, {8, 16}, {16, 8}, {16, 16}}
	for s := range mostSymbols {
		i, c := cells[s>>6][0]+s>>3&7, cells[s>>6][1]+s&7
		all[s] = command{
			uint16(insertBases[i]), uint16(copyBases[c]), insertBits[i], copyBits[c],
			uint8(min(c, distanceContexts-1)), s < 128,
		}
	}
	return all
}()

// Distances 0 to 15 are the last ones, changed a little.
var (
	shortBack   = [16]int{1, 2, 3, 4, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}
	shortChange = [16]int{0, 0, 0, 0, -1, 1, -2, 2, -3, 3, -1, 1, -2, 2, -3, 3}
)
