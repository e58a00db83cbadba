package assemble

import (
	"bytes"
	"encoding/binary"
)

// disagreement returns the first slot of a node, with maximum levels s, in which
// the levels of two leaves below it differ; -1 if there is none. Only what the
// levels say of the node and the nodes above it is compared: rep, and the lesser
// of def and s.def. deeper says that a list lies between the node and a leaf.
func disagreement(a, b Leaf, s slots, deeper bool) int {
	if !deeper {
		return firstDifference(a, b, s.def)
	}
	i, j := 0, 0
	for slot := 0; ; slot++ {
		i, j = nextSlot(a.Rep, i, s.rep), nextSlot(b.Rep, j, s.rep)
		switch {
		case i == len(a.Def) && j == len(b.Def):
			return -1
		case i == len(a.Def) || j == len(b.Def):
			return slot
		case repOf(a.Rep, i) != repOf(b.Rep, j) || min(a.Def[i], s.def) != min(b.Def[j], s.def):
			return slot
		}
		i, j = i+1, j+1
	}
}

// repOf returns the repetition level of entry i; 0 where rep is empty.
func repOf(rep []uint8, i int) uint8 {
	if len(rep) == 0 {
		return 0
	}
	return rep[i]
}

// nextSlot returns the first entry from i on with a repetition level of at most r.
func nextSlot(rep []uint8, i int, r uint8) int {
	for i < len(rep) && rep[i] > r {
		i++
	}
	return i
}

// firstDifference is disagreement where no list lies between node and leaves:
// every entry is a slot.
func firstDifference(a, b Leaf, top uint8) int {
	if bytes.Equal(a.Rep, b.Rep) && bytes.Equal(a.Def, b.Def) {
		return -1
	}
	n := min(len(a.Def), len(b.Def))
	i := 0
	if bytes.Equal(a.Rep, b.Rep) && top < 0x80 {
		limit := uint64(top) * 0x0101010101010101
		for ; i+8 <= n; i += 8 {
			if minBytes(binary.LittleEndian.Uint64(a.Def[i:]), limit) != minBytes(binary.LittleEndian.Uint64(b.Def[i:]), limit) {
				break
			}
		}
	}
	for ; i < n; i++ {
		if len(a.Rep) > 0 && a.Rep[i] != b.Rep[i] || min(a.Def[i], top) != min(b.Def[i], top) {
			return i
		}
	}
	if len(a.Def) != len(b.Def) {
		return n
	}
	return -1
}

// minBytes returns, byte by byte, the lesser of x and limit. Bytes of limit are below 0x80.
func minBytes(x, limit uint64) uint64 {
	const highs = 0x8080808080808080
	above := ((x | highs) - limit | x) & highs // the high bit of each byte of x that is >= limit
	all := above >> 7 * 0xff
	return limit&all | x&^all
}
