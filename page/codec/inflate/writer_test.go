package inflate

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// A bitWriter writes blocks, those too that no compressor would.
type bitWriter struct {
	out  []byte
	bits uint64
	have uint
}

func (w *bitWriter) put(v, n int) {
	w.bits |= uint64(v) << w.have
	for w.have += uint(n); w.have >= 8; w.have -= 8 {
		w.out = append(w.out, byte(w.bits))
		w.bits >>= 8
	}
}

func (w *bitWriter) toByte() {
	if w.have > 0 {
		w.put(0, 8-int(w.have))
	}
}

// A code has the bits of each symbol, in the order in which they are written.
type code struct{ bits, lengths []int }

// codeOf numbers the codes of these lengths as RFC 1951, 3.2.2 does.
func codeOf(lengths []int) code {
	c := code{make([]int, len(lengths)), lengths}
	next := 0
	for n := 1; n <= 15; n++ {
		for symbol, length := range lengths {
			if length == n {
				c.bits[symbol] = int(bits.Reverse16(uint16(next)) >> (16 - n))
				next++
			}
		}
		next <<= 1
	}
	return c
}

func (w *bitWriter) symbol(c code, s int) { w.put(c.bits[s], c.lengths[s]) }

// codes writes what a block of two codes starts with.
func (w *bitWriter) codes(r *rand.Rand, lits, dists []int) {
	w.put(len(lits)-257, 5)
	w.put(len(dists)-1, 5)
	short := codeOf(codectest.Lengths(r, 19, 19, 7, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18))
	w.put(19-4, 4)
	for _, s := range []int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15} {
		w.put(short.lengths[s], 3)
	}
	all := append(append([]int{}, lits...), dists...)
	for i := 0; i < len(all); {
		same := 1
		for i+same < len(all) && all[i+same] == all[i] {
			same++
		}
		switch {
		case all[i] == 0 && same >= 11 && r.IntN(8) > 0:
			same = min(same, 138)
			w.symbol(short, 18)
			w.put(same-11, 7)
		case all[i] == 0 && same >= 3 && r.IntN(8) > 0:
			same = min(same, 10)
			w.symbol(short, 17)
			w.put(same-3, 3)
		case i > 0 && all[i-1] == all[i] && same >= 3:
			same = min(same, 6)
			w.symbol(short, 16)
			w.put(same-3, 2)
		default:
			same = 1
			w.symbol(short, all[i])
		}
		i += same
	}
}

// The fixed codes.
var fixedLits, fixedDists = func() (lits, dists []int) {
	for _, run := range [][2]int{{144, 8}, {112, 9}, {24, 7}, {8, 8}} {
		for range run[0] {
			lits = append(lits, run[1])
		}
	}
	for range 32 {
		dists = append(dists, 5)
	}
	return lits, dists
}()

// Lengths and distances as tables of RFC 1951, 3.2.5: the least, and how many bits are added.
var lengthTable = [][2]int{
	{3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}, {8, 0}, {9, 0}, {10, 0}, {11, 1}, {13, 1}, {15, 1}, {17, 1}, {19, 2}, {23, 2}, {27, 2},
	{31, 2}, {35, 3}, {43, 3}, {51, 3}, {59, 3}, {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0},
}
var distanceTable = [][2]int{
	{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 1}, {7, 1}, {9, 2}, {13, 2}, {17, 3}, {25, 3}, {33, 4}, {49, 4}, {65, 5}, {97, 5}, {129, 6}, {193, 6},
	{257, 7}, {385, 7}, {513, 8}, {769, 8}, {1025, 9}, {1537, 9}, {2049, 10}, {3073, 10}, {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12},
	{16385, 13}, {24577, 13},
}

// within returns the last line of table with a least of at most v.
func within(table [][2]int, v int) int {
	i := len(table) - 1
	for table[i][0] > v {
		i--
	}
	return i
}

// match writes a match. Some lengths can be written in two ways: 258 is here not.
func (w *bitWriter) match(lits, dists code, length, distance int) {
	i, j := within(lengthTable, length), within(distanceTable, distance)
	w.symbol(lits, 257+i)
	w.put(length-lengthTable[i][0], lengthTable[i][1])
	w.symbol(dists, j)
	w.put(distance-distanceTable[j][0], distanceTable[j][1])
}

// repeated returns out with length bytes more, from distance bytes back.
func repeated(out []byte, length, distance int) []byte {
	for range length {
		out = append(out, out[len(out)-distance])
	}
	return out
}

// stored writes a stored block.
func (w *bitWriter) stored(last int, data []byte) {
	w.put(last, 3)
	w.toByte()
	w.out = binary.LittleEndian.AppendUint16(w.out, uint16(len(data)))
	w.out = binary.LittleEndian.AppendUint16(w.out, ^uint16(len(data)))
	w.out = append(w.out, data...)
}

func ofLength(lengths []int) (symbols []int) {
	for s, n := range lengths {
		if n > 0 {
			symbols = append(symbols, s)
		}
	}
	return symbols
}

// randomStream returns blocks of up to so many symbols, and their output.
func randomStream(r *rand.Rand, blocks, symbols int) (stream, out []byte) {
	var w bitWriter
	for i := range blocks {
		last := 0
		if i == blocks-1 {
			last = 1
		}
		lits, dists := fixedLits, fixedDists
		switch r.IntN(8) {
		case 0:
			data := make([]byte, r.IntN(2*symbols+1))
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			w.stored(last, data)
			out = append(out, data...)
			continue
		case 1, 2:
			w.put(last|1<<1, 3)
		default:
			w.put(last|2<<1, 3)
			n := 257 + r.IntN(30)
			lits = codectest.Lengths(r, n, n, 15, 256)
			n = 2 + r.IntN(29)
			dists = codectest.Lengths(r, n, n, 15)
			if r.IntN(8) == 0 { // a single one of one bit, or none
				dists = make([]int, 1+r.IntN(30))
				dists[r.IntN(len(dists))] = r.IntN(2)
			}
			w.codes(r, lits, dists)
		}
		litCode, distCode := codeOf(lits), codeOf(dists)
		use, use2 := ofLength(lits), ofLength(dists)
		for range r.IntN(symbols + 1) {
			s := use[r.IntN(len(use))]
			switch {
			case s < 256:
				w.symbol(litCode, s)
				out = append(out, byte(s))
			case s > 256 && s < 286 && len(use2) > 0:
				j := use2[r.IntN(len(use2))]
				if j >= 30 || distanceTable[j][0] > len(out) {
					continue
				}
				more := min(1<<distanceTable[j][1], len(out)-distanceTable[j][0]+1)
				length := lengthTable[s-257][0] + r.IntN(1<<lengthTable[s-257][1])
				distance := distanceTable[j][0] + r.IntN(more)
				w.symbol(litCode, s)
				w.put(length-lengthTable[s-257][0], lengthTable[s-257][1])
				w.symbol(distCode, j)
				w.put(distance-distanceTable[j][0], distanceTable[j][1])
				out = repeated(out, length, distance)
			}
		}
		w.symbol(litCode, 256)
	}
	w.toByte()
	return w.out, out
}
