package thrift

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A shape is the layout of a struct: all but the values of its integers and binaries. Most column
// chunks of a file have one of a few shapes, so they are skipped by comparing words:
//
//	chunk  26 c8 01 1c … 18 05 …   a header, an integer, a header … and a binary with its length
//	want   26 80 00 1c … 18 01     equal to a chunk of the shape under the mask, which stops at
//	mask   ff 80 80 ff … ff 00     a binary and at the struct's end
type shape struct {
	want, mask []byte
	learnt     int // the offset up to which a struct is learnt
	resized    int // how many integers were longer or shorter than in the struct that was learnt
	vain       int // how many bytes of structs of other shapes were equal
}

const (
	integerMask     = 0x80 // whether another byte follows
	aBinary, theEnd = 1, 2 // want where the mask is 0
	word            = 8
	maxShapes       = 8  // are compared with a struct that has none of them
	relearn         = 64 // resized integers after which a shape is learnt again: offsets grow along a file
)

// learn is skipStruct for a struct that s becomes the shape of. After a fault, s is of no use.
func (s *shape) learn(b []byte, i int) (int, fault) {
	*s = shape{want: slices.Grow(s.want[:0], 128), mask: slices.Grow(s.mask[:0], 128), learnt: i, vain: s.vain}
	next, f := skipStruct(b, i, 0, s)
	s.add(b, next, next, theEnd, 0)
	s.want, s.mask = append(s.want, make([]byte, word)...), append(s.mask, make([]byte, word)...)
	return next, f
}

// add adds what stands before start, and the integer, the binary or the end between start and end:
// want and mask are those of its last byte.
func (s *shape) add(b []byte, start, end int, want, mask byte) {
	for ; s.learnt < start; s.learnt++ {
		s.want, s.mask = append(s.want, b[s.learnt]), append(s.mask, 0xff)
	}
	for ; mask == integerMask && s.learnt < end-1; s.learnt++ {
		s.want, s.mask = append(s.want, integerMask), append(s.mask, integerMask)
	}
	s.want, s.mask, s.learnt = append(s.want, want), append(s.mask, mask), end
}

// skip returns the offset after the struct at i, or -1 if its shape is another one.
func (s *shape) skip(b []byte, i int) int {
	p, want, mask, f := 0, s.want, s.mask[:len(s.want)], noFault
	for f == noFault && i+word <= len(b) {
		differs := binary.LittleEndian.Uint64(b[i:])&binary.LittleEndian.Uint64(mask[p:]) ^ binary.LittleEndian.Uint64(want[p:])
		if differs == 0 {
			i, p = i+word, p+word
			continue
		}
		same := bits.TrailingZeros64(differs) / 8
		i, p = i+same, p+same
		switch {
		case mask[p] == integerMask:
			for ; mask[p-1] == integerMask && want[p-1] != 0; i, p = i-1, p-1 { // to the integer's start
			}
			i, f = skipVarint(b, i)
			for ; want[p] != 0; p++ {
			}
			s.resized++
		case mask[p] != 0:
			s.vain += p
			return -1
		case want[p] == theEnd:
			return i
		default:
			i, f = skipBinary(b, i)
		}
		p++
	}
	return -1
}

// shapes are those of the column chunks of a file.
type shapes struct {
	known  []shape
	latest []int // by column: the last chunk's shape in known; maxShapes for none
}

// skip is skipStruct for a chunk of the column.
func (s *shapes) skip(b []byte, i, column int) (int, fault) {
	latest := s.latest[column]
	for n := 0; n < len(s.known) && latest < maxShapes; n++ {
		k := (latest + n) % len(s.known)
		if n > 0 && s.known[k].vain > 4096+i/4 { // a hostile file takes in proportion to its bytes, too
			continue
		}
		if next := s.known[k].skip(b, i); next >= 0 {
			if s.latest[column] = k; s.known[k].resized > relearn {
				return s.known[k].learn(b, i)
			}
			return next, noFault
		}
	}
	if s.latest[column] = len(s.known); len(s.known) == maxShapes {
		return skipStruct(b, i, 0, nil)
	}
	s.known = append(s.known, shape{})
	return s.known[len(s.known)-1].learn(b, i)
}
