package inflate

import (
	"github.com/winnow-scan/winnow/internal/corrupt"
	"github.com/winnow-scan/winnow/page/codec/moves"
)

// symbols decodes the rest of a block whose codes are in the tables, or until full.
func (d *Decoder) symbols() error {
	for {
		why := d.fast()
		if why == atLimit {
			why = d.slow()
		}
		if d.full() { // even if the rest of the block is invalid
			d.made = d.want
			return nil
		}
		switch {
		case why == inputEnds:
			return d.isCut()
		case why == wrongCode:
			return corrupt.At(-1, "no such code, behind byte ", d.made)
		case why == tooFar:
			return corrupt.At(-1, "distance that reaches in front of all bytes, behind byte ", d.made)
		case d.made > d.want:
			return d.tooMuch()
		case why == atEnd:
			return nil
		}
	}
}

// A reason is why a loop over symbols has ended.
type reason int

const (
	atLimit reason = iota // this loop can or should not decode the next symbol
	atEnd                 // of the block
	inputEnds
	wrongCode
	tooFar
)

// slowRun is how many symbols slow decodes before fast is tried again. Not measured: any value works, it bounds the time in slow.
const slowRun = 16

// slow decodes a few symbols, the last of which may give more bytes than wanted. It counts
// bytes that are not wanted, but does not write them.
func (d *Decoder) slow() reason {
	for range slowRun {
		if d.full() || d.made > d.want {
			return atLimit
		}
		d.load()
		e := d.lit[d.bits%litDirect]
		if e&(deeper|hasLength) == deeper {
			e = d.lit[(uint64(e>>16&startMask)+d.bits>>litBits&d.litMore)%litSize]
		}
		if e&litMask != 0 { // the first literal only: a second one may not be wanted
			n := uint(e >> 8 & 15)
			if n > d.have {
				return inputEnds
			}
			d.take(n)
			if d.made < d.want {
				d.out[d.made] = byte(e >> 16)
			}
			d.made++
			continue
		}
		if uint(e&totalMask) > d.have {
			return inputEnds
		}
		d.take(uint(e & totalMask))
		if e&hasLength == 0 {
			if e&end == end {
				return atEnd
			}
			return wrongCode
		}
		length := int(e>>24) + leastLength
		d.load()
		if e&odd != 0 {
			n := uint(e >> 21 & 7)
			if n > d.have {
				return inputEnds
			}
			length += int(d.take(n))
			d.load()
		}
		f := d.dist[d.bits%distDirect]
		if f&deeperDist == deeperDist {
			f = d.dist[(f>>16&startMask+d.bits>>distBits&d.distMore)%distSize]
		}
		if uint(f&totalMask) > d.have {
			return inputEnds
		}
		if f&oddDist != 0 {
			return wrongCode
		}
		more := d.take(uint(f&totalMask)) >> (f >> 8 & 15)
		distance := int(f>>32) + int(more)
		if distance > d.made-d.start {
			return tooFar
		}
		n := min(length, d.want-d.made)
		moves.Repeat(d.out[d.made:d.made+n], d.out[d.made-distance:d.made])
		d.made += length
	}
	return atLimit
}
