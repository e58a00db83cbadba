package delta

import (
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/invariants"
)

const (
	overread = 16 // bytes after the deltas that kernels read
	viewRead = 16 // bytes after values that those for views read
	slack    = 64 // bytes after a value that those for prefixed values read and write
)

// miniblocks states how far kernels read that go over miniblocks of size deltas.
// Reads overread bytes after the deltas, and widths; writes nothing.
func (k kernel) miniblocks(packed, widths []byte, size int) {
	if invariants.On {
		known, bytes := uint64(eightBytes), 0
		if k == narrow {
			known = fourBytes
		}
		for _, width := range widths {
			bytes += int(width) * (size / 8)
			invariants.Assert(width != 63 && known>>min(width, 63)&1 != 0, "a kernel does not know the widths of deltas")
		}
		invariants.Assert(len(widths) > 0 && size%8 == 0, "a kernel for deltas has nothing to do")
		invariants.Reads(packed, bytes+overread)
	}
}

// decode stores the values of miniblocks of size deltas after last, and returns the last of them.
// Reads overread bytes after the deltas; writes the values.
func decode[T integer](k kernel, dst []T, packed, widths []byte, size int, least, last T) T {
	k.miniblocks(packed, widths, size)
	if invariants.On {
		invariants.Writes(dst, len(widths)*size)
	}
	return decodeKernel(k, dst, packed, widths, size, least, last)
}

// sum adds deltas up.
// Reads overread bytes after them; writes nothing.
func (k kernel) sum(packed, widths []byte, size int) uint64 {
	k.miniblocks(packed, widths, size)
	return k.sumKernel(packed, widths, size)
}

// sumBoth adds narrow deltas up, and the sums up to each, both with wrap-around.
// Reads overread bytes after the deltas; writes nothing.
func (k kernel) sumBoth(packed, widths []byte, size int) (sum, sums uint32) {
	k.miniblocks(packed, widths, size)
	return sumBothKernel(packed, widths, size)
}

// canPass reports whether the kernels for many blocks can do these: n blocks of minis miniblocks of size deltas at the
// front of body.
func canPass(body []byte, n, minis, size int) bool {
	return n > 0 && minis == 4 && size%32 == 0 && len(body) >= 64
}

// sumBlocks steps over up to n blocks at the front of body, of minis miniblocks of size deltas. It stops at a block that
// is not of the usual form. It returns how many blocks and bytes it passed, and the sum of their differences.
// Reads body, whose length the kernel gets; writes nothing.
func sumBlocks(body []byte, n, minis, size int) (blocks, bytes int, sum uint64) {
	if !canPass(body, n, minis, size) {
		return 0, 0, 0
	}
	bytes, left, least, deltas := blocksSumKernel(body, n, size)
	blocks = n - left
	return blocks, bytes, least*uint64(minis*size) + deltas
}

// sumBlockValues is sumBlocks that also returns the sum of all deltas, and the sum of the sums up to each, with
// wrap-around.
// Reads body, whose length the kernel gets; writes nothing.
func sumBlockValues(body []byte, n, minis, size int) (blocks, bytes int, sum, sums uint32) {
	if !canPass(body, n, minis, size) {
		return 0, 0, 0, 0
	}
	bytes, left, sum, sums := blocksSumsKernel(body, n, size)
	return n - left, bytes, sum, sums
}

// decodeBlocks stores the values of up to n blocks, where sumBlocks would only add, and returns the last.
// Reads body; writes all values of n blocks.
func decodeBlocks[T integer](dst []T, body []byte, n, minis, size int, last T) (blocks, bytes int, end T) {
	if !canPass(body, n, minis, size) {
		return 0, 0, last
	}
	dst = dst[:n*minis*size]
	if invariants.On {
		invariants.Writes(dst, n*minis*size)
	}
	bytes, left, end := blocksDecodeKernel(dst, body, n, size, last)
	return n - left, bytes, end
}

// keepBlocks is decodeBlocks for the values whose bits are set in sel. It also returns how many they are.
// Reads body, and a bit for each value; writes those, and may spoil what all values of n blocks take.
func keepBlocks[T integer](dst []T, sel []uint64, body []byte, n, minis, size int, last T) (blocks, bytes int, end T, kept int) {
	if !canPass(body, n, minis, size) {
		return 0, 0, last, 0
	}
	values := n * minis * size
	dst, sel = dst[:values], sel[:values/64]
	if invariants.On {
		invariants.Reads(sel, values/64)
		invariants.Writes(dst, values)
	}
	bytes, left, end, kept := blocksKeepKernel(dst, sel, body, n, size, last)
	return n - left, bytes, end, kept
}

// withinBlocks tests the values of up to n blocks instead of storing them: it clears in sel the bit of each that is not
// lo <= value <= hi, where lo <= hi.
// Reads body; writes a bit for each value.
func withinBlocks[T integer](sel []uint64, body []byte, n, minis, size int, last, lo, hi T) (blocks, bytes int, end T) {
	if !canPass(body, n, minis, size) {
		return 0, 0, last
	}
	sel = sel[:n*minis*size/64]
	if invariants.On {
		invariants.Writes(sel, len(sel))
	}
	bytes, left, end := blocksWithinKernel(sel, body, n, size, last, lo, hi)
	return n - left, bytes, end
}

// viewsOf makes views of values of these lengths from byte at of body on. It stops before a value with a negative
// length, or that ends where kernels cannot read, and returns how many, and where the next value begins.
// Reads 4 bytes before at, viewRead after the last value, and the lengths; writes as many views.
func viewsOf(dst []bits.View, lengths []int32, body []byte, at int, buffer int32) (done, end int) {
	limit, n := viewable(body, at), min(len(dst), len(lengths))
	if limit < 0 || n == 0 {
		return 0, at
	}
	if invariants.On {
		invariants.Reads(body, limit+viewRead)
		invariants.Reads(lengths, n)
		invariants.Writes(dst, n)
	}
	return makeViewsKernel(dst, lengths, n, body, at, limit, buffer)
}

// keepViews is viewsOf for the values, at most len(dst), whose bits are set in sel. It also returns how many they are.
// Reads what viewsOf does, and the bits; writes a view, a length and a number of scratch for each value.
func keepViews(dst []bits.View, lengths, scratch []int32, sel []uint64, body []byte, at int, buffer int32) (done, end, kept int) {
	limit, sixteens := viewable(body, at), min(len(dst), len(lengths), len(scratch), 64*len(sel))/16
	if !hasVBMI || limit < 0 || sixteens == 0 {
		return 0, at, 0
	}
	if invariants.On {
		invariants.Reads(body, limit+viewRead)
		invariants.Reads(sel, bits.Words(sixteens*16))
		invariants.Writes(lengths, sixteens*16)
		invariants.Writes(scratch, sixteens*16)
		invariants.Writes(dst, sixteens*16)
	}
	return makeSomeKernel(dst, lengths, scratch, sel, sixteens, body, at, limit, buffer)
}

// sumOf adds up as many of the lengths as it can; signs is negative if one of them is.
// Reads these; writes nothing.
func sumOf(lengths []int32) (n int, sum int64, signs int32) {
	groups := len(lengths) / 8
	if !hasAVX2 || groups == 0 {
		return 0, 0, 0
	}
	if invariants.On {
		invariants.Reads(lengths, groups*8)
	}
	sum, signs = sumEightsKernel(lengths, groups)
	return groups * 8, sum, signs
}

// joined states how far kernels reach that make values i to i+n of prefixes and suffixes.
// Reads n lengths of both, and slack bytes after bodyLimit; writes slack bytes after outLimit.
func (s *shares) joined(i, n int, out []byte, outLimit int, body []byte, bodyLimit int) {
	if invariants.On {
		invariants.Reads(s.prefix[i:], n)
		invariants.Reads(s.suffix[i:], n)
		invariants.Reads(body[:len(body):len(body)], bodyLimit+slack)
		invariants.Writes(out, outLimit+slack)
	}
}

// joinShort makes up to sixteens*16 values and their views. It stops before 16 of which one is not right, or has more
// than 32 bytes.
// Reads and writes what joined says; writes as many views.
func joinShort(dst []bits.View, s *shares, i, sixteens int, state *splicer, out []byte, outLimit int, body []byte, bodyLimit int, buffer int32) (done int) {
	s.joined(i, sixteens*16, out, outLimit, body, bodyLimit)
	if invariants.On {
		invariants.Writes(dst, sixteens*16)
	}
	return joinShortKernel(dst, s, i, sixteens, state, out, outLimit, body, bodyLimit, buffer)
}

// joinViews makes up to n values and their views. It stops before a value whose lengths are wrong, or that ends after a
// limit.
// Reads and writes what joined says; writes n views.
func joinViews(dst []bits.View, s *shares, i, n int, state *splicer, out []byte, outLimit int, body []byte, bodyLimit int, buffer int32) (done int) {
	s.joined(i, n, out, outLimit, body, bodyLimit)
	if invariants.On {
		invariants.Writes(dst, n)
	}
	return joinViewsKernel(dst, s, i, n, state, out, outLimit, body, bodyLimit, buffer)
}

// joinFixed is joinViews for values of size bytes, one after the other in out, without views.
// Reads and writes what joined says.
func joinFixed(size int, s *shares, i, n int, state *splicer, out []byte, outLimit int, body []byte, bodyLimit int) (done int) {
	s.joined(i, n, out, outLimit, body, bodyLimit)
	return joinFixedKernel(size, s, i, n, state, out, outLimit, body, bodyLimit)
}
