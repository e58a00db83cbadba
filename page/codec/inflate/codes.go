package inflate

import (
	"bytes"
	"slices"
	"sync"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

// The lengths of a block's codes are themselves written in a code. Its symbols 0 to 15
// are lengths; the others repeat a length.
const (
	lengthBits     = 7 // of its codes, at most
	repeatLast     = 16
	repeatZero     = 17
	repeatZeroes   = 18
	mostRepeatBits = 7 // behind a code
)

// lengthOrder is the order in which the lengths of that code are stored.
var lengthOrder = [19]byte{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// readCodes reads the codes at the start of a block, and makes their tables.
func (d *Decoder) readCodes() error {
	d.load()
	if d.have < 14 {
		return d.isCut()
	}
	lits, dists, n := int(d.take(5))+firstLength, int(d.take(5))+1, int(d.take(4))+4
	if lits > mostLit || dists > mostDist {
		return corrupt.At(-1, "codes of ", lits, " and ", dists, " symbols, behind byte ", d.made)
	}
	var short [len(lengthOrder)]byte
	for i := range n {
		if d.have < 3 {
			if d.load(); d.have < 3 {
				return d.isCut()
			}
		}
		short[lengthOrder[i]] = byte(d.take(3))
	}
	var table [1 << lengthBits]uint32
	if _, ok := fill(table[:], lengthBits, short[:], lengthEntries[:], litSpecial); !ok {
		return corrupt.At(-1, "no code of lengths, behind byte ", d.made)
	}
	var lengths [mostLit + mostDist]byte
	for i := 0; i < lits+dists; {
		if d.have < lengthBits+mostRepeatBits {
			d.load()
		}
		e := table[d.bits%uint64(len(table))]
		if e&odd != 0 {
			return corrupt.At(-1, "no such length of a code, behind byte ", d.made)
		}
		symbol := e >> 16
		length, times, more := byte(0), 3, uint(0)
		switch symbol {
		case repeatLast:
			if i == 0 {
				return corrupt.At(-1, "the first length of a code is that before, behind byte ", d.made)
			}
			length, more = lengths[i-1], 2
		case repeatZero:
			more = 3
		case repeatZeroes:
			times, more = 11, 7
		default:
			length, times = byte(symbol), 1
		}
		if uint(e&totalMask)+more > d.have {
			return d.isCut()
		}
		d.take(uint(e & totalMask))
		times += int(d.take(more))
		if times > lits+dists-i {
			return corrupt.At(-1, "more lengths of codes than ", lits+dists, ", behind byte ", d.made)
		}
		for end := i + times; i < end; i++ {
			lengths[i] = length
		}
	}
	if !d.set(lengths[:lits], lengths[lits:lits+dists], d.repays()) {
		return corrupt.At(-1, "lengths that make no code, behind byte ", d.made)
	}
	return nil
}

// fixedTables are those of fixed blocks: no code is too long for the first ones.
var fixedTables = sync.OnceValue(func() *tables {
	times := func(n int, length byte) []byte { return bytes.Repeat([]byte{length}, n) }
	t := new(tables)
	t.set(slices.Concat(times(144, 8), times(112, 9), times(24, 7), times(8, 8)), times(mostDist+unused, 5), true)
	return t
})

// fix makes the tables those of fixed blocks.
func (t *tables) fix() {
	if !t.fixed {
		t.fixed, t.litMore, t.distMore = true, 0, 0
		copy(t.lit[:litDirect], fixedTables().lit[:])
		copy(t.dist[:distDirect], fixedTables().dist[:])
	}
}

// set makes the tables of codes with these lengths, and reports whether these are valid codes.
// Tables that are not joined give the same bytes by more look-ups.
func (t *tables) set(lits, dists []byte, join bool) (ok bool) {
	t.fixed = false
	if t.litMore, ok = fill(t.lit[:], litBits, lits, litEntries[:], litSpecial); !ok {
		return false
	}
	if t.distMore, ok = fill(t.dist[:], distBits, dists, distEntries[:], distSpecial); !ok {
		return false
	}
	if join {
		t.join()
	}
	return true
}

// leastJoined is the number of wanted bytes from which a block's tables are joined. Measured on pages of
// 1,000 values, which join made slower by half at 8,000 bytes and less, and faster from 14,000 on. Measure
// it again where join or fast change.
const leastJoined = 8 << 10

// repays reports whether joining the tables of the next block saves more time than it takes.
func (d *Decoder) repays() bool { return d.eager || d.want-d.made >= leastJoined }
