package snappy

import (
	"encoding/binary"
	"math/rand/v2"
)

// literalOf appends a literal.
func literalOf(block, data []byte) []byte {
	n := len(data) - 1
	switch {
	case n < 60:
		block = append(block, byte(n<<2))
	case n < 1<<8:
		block = append(block, 60<<2, byte(n))
	case n < 1<<16:
		block = append(block, 61<<2, byte(n), byte(n>>8))
	case n < 1<<24:
		block = append(block, 62<<2, byte(n), byte(n>>8), byte(n>>16))
	default:
		block = binary.LittleEndian.AppendUint32(append(block, 63<<2), uint32(n))
	}
	return append(block, data...)
}

// copyOf appends a copy, of a kind that can say it.
func copyOf(block []byte, r *rand.Rand, length, offset int) []byte {
	var kinds []int
	if length >= 4 && length < 12 && offset < 1<<11 {
		kinds = append(kinds, 1, 1)
	}
	if offset < 1<<16 {
		kinds = append(kinds, 2, 2, 2)
	}
	switch append(kinds, 3)[r.IntN(len(kinds)+1)] {
	case 1:
		return append(block, byte(1|(length-4)<<2|offset>>8<<5), byte(offset))
	case 2:
		return append(block, byte(2|(length-1)<<2), byte(offset), byte(offset>>8))
	}
	return binary.LittleEndian.AppendUint32(append(block, byte(3|(length-1)<<2)), uint32(offset))
}

// randomBlock returns the tags of a block and their output, put together as
// the tags are: a writer uses few of those that are possible.
func randomBlock(r *rand.Rand, tags int) (block, body []byte) {
	// How long literals are, how far copies reach, how often those are there.
	most, far, literals := 1<<r.IntN(9), 1<<r.IntN(18), 1+r.IntN(9)
	for range tags {
		if len(body) == 0 || r.IntN(10) < literals {
			data := make([]byte, 1+r.IntN(most))
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			if r.IntN(200) == 0 {
				data = append(data, make([]byte, r.IntN(70_000))...)
			}
			block, body = literalOf(block, data), append(body, data...)
			continue
		}
		length, offset := 1+r.IntN(64), 1+r.IntN(min(far, len(body)))
		if r.IntN(2) == 0 {
			length = 1 + r.IntN(12)
		}
		block = copyOf(block, r, length, offset)
		for range length {
			body = append(body, body[len(body)-offset])
		}
	}
	return block, body
}
