package zstd

import (
	"encoding/binary"
	"math/bits"

	"github.com/winnow-scan/winnow/internal/corrupt"
)

const (
	mostBits      = 11 // of a literal
	mostWeightLog = 6
)

// streams are four streams of bits, which hold a quarter of the literals each.
type streams struct {
	at   [4]int // the first byte
	left [4]int // how many bits are not read
	out  [4]int // where the next literal goes
	end  [4]int // where the literals of the stream end
}

func highest(v uint) int { return bits.Len(v) - 1 }

// readTable builds the table at the start of b, and returns how many bytes it takes. The
// table is stored as weights: a symbol of weight w > 0 has 2^(w-1) entries of the table;
// the last symbol gets the entries that are left up to a power of two.
func (l *literals) readTable(b []byte) (int, error) {
	if len(b) < 2 {
		return 0, cutShort("table of literals")
	}
	w := l.weights[:]
	size, n := int(b[0]), 0
	if size >= 128 {
		n = size - 127
		size = (n + 1) / 2
		if 1+size > len(b) {
			return 0, cutShort("table of literals")
		}
		for i, v := range b[1 : 1+size] {
			w[2*i], w[2*i+1] = v>>4, v&15
		}
	} else {
		if 1+size > len(b) {
			return 0, cutShort("table of literals")
		}
		var err error
		if n, err = l.readWeights(b[1 : 1+size]); err != nil {
			return 0, err
		}
	}
	if err := l.fillTable(n); err != nil {
		return 0, err
	}
	return 1 + size, nil
}

// fillTable makes the table of n stored weights and the last one.
func (l *literals) fillTable(n int) error {
	// Symbols are counted and sorted by weight in two halves side by side, since each
	// symbol waits for the one before with its weight. If their number is odd, a symbol of
	// weight 0 is added.
	l.weights[n] = 0
	half := (n + 1) / 2
	low, high := l.weights[:half], l.weights[half:2*half]
	var lows, highs [16]int
	sum, all := 0, byte(0)
	for i, v := range low {
		u := high[i]
		all |= u | v
		lows[v&15]++
		highs[u&15]++
		sum += 1<<(v&15)>>1 + 1<<(u&15)>>1
	}
	if all == 0 || all > 15 {
		return corrupt.At(-1, "weights of ", int(all))
	}
	log := bits.Len(uint(sum))
	rest := 1<<log - sum
	if log > mostBits || rest&(rest-1) != 0 {
		return corrupt.At(-1, "weights add up to ", sum)
	}
	last := bits.Len(uint(rest))
	highs[last]++
	if k := lows[1] + highs[1]; k < 2 || k&1 != 0 {
		return corrupt.At(-1, k, " longest codes of literals")
	}
	var ends [mostBits + 1]int
	for v, end := 0, 0; v <= mostBits; v++ {
		lows[v], highs[v], end = end, end+lows[v], end+lows[v]+highs[v]
		ends[v] = end
	}
	var sorted [256 + 2]byte
	for i, v := range low {
		u := high[i]
		sorted[lows[v&15]] = byte(i)
		lows[v&15]++
		sorted[highs[u&15]] = byte(half + i)
		highs[u&15]++
	}
	sorted[highs[last]] = byte(n)

	l.log = log
	at := uint(0)
	for v := 1; v <= log; v++ {
		at = repeatEntries(&l.table, at, 1<<v>>1, uint16(log+1-v), sorted[ends[v-1]:ends[v]])
	}
	return nil
}

// readWeights decodes weights with two states in turn, and returns how many there are.
// They end when no bits are left for the next state.
func (l *literals) readWeights(b []byte) (int, error) {
	used, err := l.counts.read(b, mostWeightLog, 255)
	if err != nil {
		return 0, err
	}
	l.counts.build(&l.states, &l.codes)
	left, err := bitsOf(b[used:])
	if err != nil {
		return 0, err
	}
	b = b[used:]
	log := l.counts.log
	if left -= 2 * log; left < 0 {
		return 0, errWeights()
	}
	w := below(b, left+2*log)
	now, next := l.states[w>>(64-log)], l.states[w<<log>>(64-log)]
	for n := 0; n < 254; n++ {
		if n%8 == 0 {
			w = below(b, left)
		}
		l.weights[n] = byte(now >> 48)
		width := int(now >> 8 & 63)
		if width > left {
			if left > 0 {
				break
			}
			l.weights[n+1] = byte(next >> 48)
			return n + 2, nil
		}
		left -= width
		now, next = next, l.states[(now>>32&0xffff+w>>1>>(63-width&63))%mostStates]
		w <<= width & 63
	}
	return 0, errWeights()
}

func errWeights() error { return corrupt.At(-1, "bad weights of literals") }

// below returns the last of the first n bits of b, at the top: at least 56 of them, or
// all, filled up with zeros.
func below(b []byte, n int) uint64 {
	end := (n + 7) / 8
	if end < 8 {
		return uint64(number(b, end)) << (-n & 7) << (64 - 8*end)
	}
	return binary.LittleEndian.Uint64(b[end-8:]) << (-n & 7)
}

// decodeOne decodes one stream to all of l.out[d:end].
func (l *literals) decodeOne(src []byte, at, left, d, end int) error {
	out := l.out
	shift := uint(64 - l.log)
	for d+perLoad <= end && left >= 0 {
		w := load(src, at, left)
		for range perLoad {
			e := l.table[w>>shift&(1<<mostBits-1)]
			out[d] = byte(e >> 8)
			d++
			w <<= e & 63
			left -= int(e & 255)
		}
	}
	for d < end && left >= 0 {
		e := l.table[load(src, at, left)>>shift&(1<<mostBits-1)]
		out[d] = byte(e >> 8)
		d++
		left -= int(e & 255)
	}
	if left != 0 {
		return corrupt.At(-1, "literals take more or less than their stream")
	}
	return nil
}

// load returns the last of left bits from src[at] on, at the top, at least 56 of them.
// There are enough other bytes before the first one.
func load(src []byte, at, left int) uint64 {
	return binary.LittleEndian.Uint64(src[at+left>>3-leastHeadroom:]) << (8 - left&7)
}

// perLoad is how many literals of 11 bits one load contains.
const perLoad = 5
