package brotli

import (
	"math/bits"
	"slices"

	"github.com/winnow-scan/winnow/page/codec/codectest"
)

// A code has the bits of each symbol, in the order in which they are written. A code of one symbol has absent.
type code struct {
	bits, lengths []uint
	symbols       []int // that have a code
}

func newCode(lengths []uint) code {
	c, next := code{bits: make([]uint, len(lengths)), lengths: lengths}, uint16(0)
	for n := uint(1); n <= mostBits; n++ {
		for s, length := range lengths {
			if length == n {
				c.bits[s] = uint(bits.Reverse16(next) >> (16 - n))
				c.symbols = append(c.symbols, s)
				next++
			}
		}
		next <<= 1
	}
	return c
}

func (w *stream) symbol(c code, s int) { w.put(c.bits[s], c.lengths[s]) }

func (w *stream) any(c code) int {
	s := c.symbols[w.r.IntN(len(c.symbols))]
	w.symbol(c, s)
	return s
}

// code writes a code of n symbols, of which some must be in it.
func (w *stream) code(n int, must ...int) code {
	if len(must) > 4 || w.r.IntN(2) == 0 {
		lengths := codectest.Lengths(w.r, n, min(n, 1<<w.r.IntN(11)), uint(mostBits), must...)
		w.lengths(lengths)
		return newCode(lengths)
	}
	all := slices.Compact(slices.Sorted(slices.Values(must)))
	for few := min(n, 1+w.r.IntN(4)); len(all) < few; {
		if s := w.r.IntN(n); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	w.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	w.put(1, 2)
	w.put(uint(len(all)-1), 2)
	for _, s := range all {
		w.put(uint(s), uint(bits.Len(uint(n-1))))
	}
	lengths := make([]uint, n)
	if len(all) == 1 {
		return code{lengths, lengths, all}
	}
	few := [][]uint{{1, 1}, {1, 2, 2}, {2, 2, 2, 2}, {1, 2, 3, 3}}[len(all)-2:]
	if len(all) == 4 {
		skewed := w.r.IntN(2)
		w.put(uint(skewed), 1)
		few = few[skewed:]
	}
	for i, s := range all {
		lengths[s] = few[0][i]
	}
	return newCode(lengths)
}

// runs returns lengths as they are written: as symbols, of which those for repeats have digits.
func (w *stream) runs(lengths []uint) (symbols []int, digits []uint) {
	for lengths[len(lengths)-1] == 0 {
		lengths = lengths[:len(lengths)-1]
	}
	last, before := uint(8), 0
	for i := 0; i < len(lengths); {
		length, same := lengths[i], 1
		for i+same < len(lengths) && lengths[i+same] == length {
			same++
		}
		sign, more := repeatLast, 2
		if length == 0 {
			sign, more = repeatLast+1, 3
		}
		if same < 3 || sign == before || length > 0 && length != last || w.r.IntN(4) == 0 {
			symbols, digits, before = append(symbols, int(length)), append(digits, 0), int(length)
			if i++; length > 0 {
				last = length
			}
			continue
		}
		times := 0
		for {
			next, digit := 3, w.r.IntN(1<<more)
			if times > 0 {
				next += (times - 2) << more
			}
			if digit = min(digit, same-next); digit < 0 {
				break
			}
			times = next + digit
			symbols, digits = append(symbols, sign), append(digits, uint(digit))
		}
		i, before = i+times, sign
	}
	return symbols, digits
}

// lengths writes the lengths of a code in a code.
func (w *stream) lengths(lengths []uint) {
	symbols, digits := w.runs(lengths)
	absent := make([]uint, len(lengthOrder))
	short, written := code{bits: absent, lengths: absent}, slices.Clone(absent)
	if slices.Max(symbols) == slices.Min(symbols) {
		written[symbols[0]] = 1 + uint(w.r.IntN(lengthBits))
	} else {
		short = newCode(codectest.Lengths(w.r, len(absent), min(len(absent), 1<<w.r.IntN(11)), uint(lengthBits), symbols...))
		written = short.lengths
	}
	skipped := 0
	if written[1] == 0 && written[2] == 0 {
		if skipped = 2; written[3] == 0 {
			skipped += w.r.IntN(2)
		}
	}
	w.put(uint(skipped), 2)
	space := 32
	for _, s := range lengthOrder[skipped:] {
		n := written[s]
		if w.put([]uint{0, 7, 3, 2, 1, 15}[n], []uint{2, 4, 3, 2, 2, 4}[n]); n > 0 {
			if space -= 32 >> n; space == 0 {
				break
			}
		}
	}
	for i, s := range symbols {
		if w.symbol(short, s); s >= repeatLast {
			w.put(digits[i], uint(s-repeatLast+2))
		}
	}
}
