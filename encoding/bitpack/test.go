package bitpack

import (
	mathbits "math/bits"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// A Mask says for each code below a limit whether it passes. It is immutable, so
// goroutines may share it.
type Mask struct {
	bits  []uint64
	limit uint32

	// For kernels, which look up any code of the width, even one above the limit.
	padded []uint64             // if not nil: bits, filled up to a power of two for the widths that kernels look up here
	filled [1 << 10 / 64]uint64 // the first bits
	bytes  [16]byte             // the first bits, a byte 0x00 or 0xff each
	span   span
}

// A span means that the codes from lo to hi pass, and no others; if flip is all ones,
// that they fail, and all others pass. A mask of another form has is false.
type span struct {
	is     bool
	lo, hi uint32
	flip   uint64
}

// spanOf finds the span of the lowest n > 0 bits.
func spanOf(b []uint64, n int) span {
	start, end := bits.NextRun(b, 0, n)
	if start == n {
		return span{true, 0, uint32(n - 1), ^uint64(0)}
	}
	if !bits.Any(b, end, n) {
		return span{true, uint32(start), uint32(end - 1), 0}
	}
	// The passing codes are one span, flipped, if [end, next) is the only gap.
	if next := bits.Next(b, end, n); start == 0 && bits.All(b, next, n) {
		return span{true, uint32(end), uint32(next - 1), ^uint64(0)}
	}
	return span{}
}

// MakeMask returns a mask for the codes below limit > 0: code c passes if bit
// c is set. The mask keeps the slice passing.
func MakeMask(passing []uint64, limit uint32) Mask {
	m := Mask{bits: passing[:(uint64(limit)+63)/64], limit: limit}
	if limit > 1<<8 && limit <= 1<<16 {
		m.span = spanOf(m.bits, int(limit))
	}
	copy(m.filled[:], m.bits)
	for i := range m.bytes {
		m.bytes[i] = -byte(m.filled[0] >> i & 1)
	}
	if limit <= 1<<10 || !hasAVX2 || m.span.is {
		return m // kernels need no memory for these, if there are any
	}
	m.padded = m.bits // enough for pages of a smaller width
	if table := 1 << mathbits.Len32(limit-1); table <= 1<<mostFetched && len(m.bits) < table/64 {
		m.padded = make([]uint64, table/64)
		copy(m.padded, m.bits)
	}
	return m
}

// Limit returns the limit.
func (m *Mask) Limit() uint32 { return m.limit }

// Passes reports whether code c, below the limit, passes.
func (m *Mask) Passes(c uint32) bool { return m.bits[c/64]>>(c%64)&1 != 0 }

// Test tests n codes of at most 32 bits and stores the outcomes as the first n bits
// of out. It clears the bits after them in the last word. It returns the largest
// code: if that is not below the mask's limit, the outcomes mean nothing.
func Test(out []uint64, n int, src []byte, width uint, mask *Mask) (largest uint32) {
	src = src[:Size(n, width):cap(src)]
	done, largest := vectorTest(out, n, src, width, mask)
	if done < n {
		largest = max(largest, unpackAndTest(out[done/64:], n-done, src[Size(done, width):], width, mask))
	}
	return largest
}

// TestRuns is Test for the codes of runs of count each, a multiple of 8 and at
// most LongestRun, with gap bytes between one run and the next. src is the first run;
// the others follow within its capacity. Bits after the outcomes may become anything.
func TestRuns(out []uint64, src []byte, width uint, mask *Mask, runs, count, gap int) (largest uint32) {
	if count < 64 && width > 0 {
		return testShort(out, src, width, mask, runs, count, gap)
	}
	done, largest := vectorTestRuns(out, src, width, mask, runs, count, gap)
	stride := Size(count, width) + gap
	for ; done < runs; done++ {
		largest = max(largest, testRun(out, done*count, count, src[done*stride:cap(src)], width, mask))
	}
	return largest
}

// testShort is TestRuns for runs of less than 64 codes of at least one bit. It first
// copies the runs together without the gaps, at least eight, so that outcomes fill words.
func testShort(out []uint64, src []byte, width uint, mask *Mask, runs, count, gap int) (largest uint32) {
	var joined [8*7*32 + 256]byte
	size := Size(count, width)
	most := len(joined) / size &^ 7
	for done := 0; done < runs; done += most {
		some := joined[:0]
		for i := done; i < min(done+most, runs); i++ {
			some = append(some, src[i*(size+gap) : cap(src)][:size]...)
		}
		largest = max(largest, Test(out[done*count/64:], min(most, runs-done)*count, some, width, mask))
	}
	return largest
}

// testRun is Test with outcomes stored from bit at of out on.
func testRun(out []uint64, at, n int, src []byte, width uint, mask *Mask) (largest uint32) {
	var run [LongestRun / 64]uint64
	largest = Test(run[:], n, src, width, mask)
	bits.Copy(out, at, run[:], 0, n)
	return largest
}

// unpackAndTest is Test for codes and masks without a kernel.
func unpackAndTest(out []uint64, n int, src []byte, width uint, mask *Mask) (largest uint32) {
	var buffer [512]uint32
	for done := 0; done < n; {
		codes := buffer[:min(len(buffer), n-done)]
		Unpack32(codes, src[Size(done, width):], width)
		largest = max(largest, Largest(codes))
		if largest >= mask.limit {
			return largest
		}
		TestUnpacked(out[done/64:], codes, mask)
		done += len(codes)
	}
	return largest
}

// TestUnpacked is Test for codes that are unpacked and known to be below the mask's limit.
func TestUnpacked(out []uint64, codes []uint32, mask *Mask) {
	done := vectorTestUnpacked(out, codes, mask)
	out, codes = out[done/64:], codes[done:]
	for ; len(codes) >= 64; codes = codes[64:] {
		block := (*[64]uint32)(codes)
		var a, b, c, d uint64 // four short chains instead of one long
		for i := range 16 {
			a = a>>1 | highBit(mask.bits, block[i])
			b = b>>1 | highBit(mask.bits, block[i+16])
			c = c>>1 | highBit(mask.bits, block[i+32])
			d = d>>1 | highBit(mask.bits, block[i+48])
		}
		out[0] = a>>48 | b>>32 | c>>16 | d
		out = out[1:]
	}
	if len(codes) > 0 {
		var word uint64
		for _, c := range codes {
			word = word>>1 | highBit(mask.bits, c)
		}
		out[0] = word >> (64 - uint(len(codes)))
	}
}

// highBit returns bit c of the mask as the highest of a word.
func highBit(mask []uint64, c uint32) uint64 { return mask[c/64] >> (c % 64) << 63 }
