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

// streams are four streams of bits that become the four quarters of literals.
type streams struct {
	at   [4]int // the first byte
	left [4]int // bits that are not yet read
	out  [4]int // where the next literal goes
	end  [4]int // where the last one went
}

func highest(v uint) int { return bits.Len(v) - 1 }

// readTable builds the table that b starts with, and returns how many bytes it
// takes. What is stored are weights: a symbol of weight w > 0 stands for
// 2^(w-1) entries of the table; the last symbol's is what is left to a power of two.
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
	var ranks [mostBits + 2]int
	sum := 0
	for _, v := range w[:n] {
		if v > mostBits {
			return 0, corrupt.At(-1, "weight of ", int(v))
		}
		ranks[v]++
		sum += 1 << v >> 1
	}
	if sum == 0 {
		return 0, corrupt.At(-1, "weights of zero")
	}
	log := bits.Len(uint(sum))
	rest := 1<<log - sum
	if log > mostBits || rest&(rest-1) != 0 {
		return 0, corrupt.At(-1, "weights add up to ", sum)
	}
	last := bits.Len(uint(rest))
	w[n] = byte(last)
	n++
	ranks[last]++
	if ranks[1] < 2 || ranks[1]&1 != 0 {
		return 0, corrupt.At(-1, ranks[1], " longest codes of literals")
	}
	next := 0
	for v := 1; v <= log; v++ {
		next, ranks[v] = next+ranks[v]<<v>>1, next
	}
	l.log = log
	for s, v := range w[:n] {
		if v == 0 {
			continue
		}
		e := uint16(log+1-int(v)) | uint16(s)<<8
		at := ranks[v]
		ranks[v] += 1 << v >> 1
		run := l.table[at:ranks[v]]
		for i := range run {
			run[i] = e
		}
	}
	return 1 + size, nil
}

// readWeights decodes weights with two states that take turns, and returns how
// many there are. They end where the next state has no bits left.
func (l *literals) readWeights(b []byte) (int, error) {
	used, err := l.counts.read(b, mostWeightLog, 255)
	if err != nil {
		return 0, err
	}
	var symbols [256]state
	for i := range symbols {
		symbols[i] = symbol(0, uint32(i))
	}
	l.counts.build(l.states[:], symbols[:])
	left, err := bitsOf(b[used:])
	if err != nil {
		return 0, err
	}
	b = b[used:]
	take := func(n int) int {
		left -= n
		if left < 0 {
			return 0
		}
		return int(window(b, left) & (1<<n - 1))
	}
	s := [2]state{l.states[take(l.counts.log)], l.states[take(l.counts.log)]}
	for n := 0; n < 254; n++ {
		now := &s[n&1]
		l.weights[n] = byte(*now >> 23)
		if left < 0 {
			break
		}
		width := int(*now >> 8 & 255)
		if width > left {
			if left > 0 {
				break
			}
			l.weights[n+1] = byte(s[1-n&1] >> 23)
			return n + 2, nil
		}
		*now = l.states[int(*now>>55)+take(width)]
	}
	return 0, corrupt.At(-1, "bad weights of literals")
}

// decodeOne decodes a stream to l.out[d:end], all of it.
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

// load returns, at the top, the last of left bits from src[at] on, at least 56
// of them. In front of the first byte there are enough that belong to others.
func load(src []byte, at, left int) uint64 {
	return binary.LittleEndian.Uint64(src[at+left>>3-leastHeadroom:]) << (8 - left&7)
}

// perLoad is how many literals of 11 bits are in what a load gives.
const perLoad = 5

// rounds returns how many times perLoad literals of each stream can be decoded
// without a look at where they end.
func (s *streams) rounds(log int) int {
	n := s.end[0]
	for i := range 4 {
		n = min(n, (s.end[i]-s.out[i])/perLoad, s.left[i]/(perLoad*log))
	}
	return n
}

// fourGo decodes the four streams side by side, until one is nearly at its end.
func fourGo(s *streams, table *[1 << mostBits]uint16, log int, dst, src []byte) {
	shift := uint(64-log) & 63
	for n := s.rounds(log); n > 0; n = s.rounds(log) {
		o0, o1, o2, o3 := dst[s.out[0]:][:perLoad*n], dst[s.out[1]:][:perLoad*n], dst[s.out[2]:][:perLoad*n], dst[s.out[3]:][:perLoad*n]
		for i := 0; i < perLoad*n; i += perLoad {
			w0, w1 := load(src, s.at[0], s.left[0]), load(src, s.at[1], s.left[1])
			w2, w3 := load(src, s.at[2], s.left[2]), load(src, s.at[3], s.left[3])
			for k := i; k < i+perLoad; k++ {
				e0, e1 := table[w0>>shift&(1<<mostBits-1)], table[w1>>shift&(1<<mostBits-1)]
				e2, e3 := table[w2>>shift&(1<<mostBits-1)], table[w3>>shift&(1<<mostBits-1)]
				w0, w1, w2, w3 = w0<<(e0&63), w1<<(e1&63), w2<<(e2&63), w3<<(e3&63)
				o0[k], o1[k], o2[k], o3[k] = byte(e0>>8), byte(e1>>8), byte(e2>>8), byte(e3>>8)
				s.left[0] -= int(e0 & 63)
				s.left[1] -= int(e1 & 63)
				s.left[2] -= int(e2 & 63)
				s.left[3] -= int(e3 & 63)
			}
		}
		for i := range 4 {
			s.out[i] += perLoad * n
		}
	}
}
