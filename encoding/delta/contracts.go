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

// manyBlocks states how far kernels read that go over blocks of four miniblocks of size deltas.
// Reads body, whose length the kernel gets, and which has 64 bytes; writes nothing.
func manyBlocks(body []byte, n, size int) {
	if invariants.On {
		invariants.Assert(n > 0 && size%32 == 0, "a kernel does not know blocks of such a size")
		invariants.Reads(body[:len(body):len(body)], 64)
	}
}

// blocksSum steps over up to n blocks, and returns how many bytes they are, how many blocks are left, and the sums of
// their least deltas, and of all deltas above these.
// Reads body; writes nothing.
func blocksSum(body []byte, n, size int) (bytes, left int, least, deltas uint64) {
	manyBlocks(body, n, size)
	return blocksSumKernel(body, n, size)
}

// blocksSums is blocksSum for the sum of all deltas, and the sum of the sums up to each.
// Reads body; writes nothing.
func blocksSums(body []byte, n, size int) (bytes, left int, sum, sums uint32) {
	manyBlocks(body, n, size)
	return blocksSumsKernel(body, n, size)
}

// blocksDecode is blocksSum that stores the values after last, and returns the last.
// Reads body; writes all values of n blocks.
func blocksDecode[T integer](dst []T, body []byte, n, size int, last T) (bytes, left int, end T) {
	manyBlocks(body, n, size)
	if invariants.On {
		invariants.Writes(dst, n*4*size)
	}
	return blocksDecodeKernel(dst, body, n, size, last)
}

// blocksKeep is blocksDecode for those of the values whose bits are set in sel. It also returns how many these are.
// Reads body, and a bit for each value; writes those, and may spoil what all values of n blocks take.
func blocksKeep[T integer](dst []T, sel []uint64, body []byte, n, size int, last T) (bytes, left int, end T, kept int) {
	manyBlocks(body, n, size)
	if invariants.On {
		invariants.Reads(sel, n*4*size/64)
		invariants.Writes(dst, n*4*size)
	}
	return blocksKeepKernel(dst, sel, body, n, size, last)
}

// blocksWithin is blocksDecode that clears the bits in sel of values that are not lo <= value <= hi.
// Reads body; writes a bit for each value.
func blocksWithin[T integer](sel []uint64, body []byte, n, size int, last, lo, hi T) (bytes, left int, end T) {
	manyBlocks(body, n, size)
	if invariants.On {
		invariants.Writes(sel, n*4*size/64)
	}
	return blocksWithinKernel(sel, body, n, size, last, lo, hi)
}

// makeViews makes the views of up to n values, the first of which is at byte at of body. It stops before a value with a
// negative length, or that ends after limit, and returns how many, and where the next value begins.
// Reads 4 bytes before at, viewRead after limit, and n lengths; writes n views.
func makeViews(dst []bits.View, lengths []int32, n int, body []byte, at, limit int, buffer int32) (done, end int) {
	if invariants.On {
		invariants.Assert(4 <= at && at <= limit, "a kernel for views would read in front of values")
		invariants.Reads(body, limit+viewRead)
		invariants.Reads(lengths, n)
		invariants.Writes(dst, n)
	}
	return makeViewsKernel(dst, lengths, n, body, at, limit, buffer)
}

// makeSome is makeViews for those of sixteens*16 values whose bits are set in sel. It also returns how many these are.
// It overwrites the lengths, and scratch.
// Reads what makeViews does, and the bits; writes a view, a length and a number of scratch for each value.
func makeSome(dst []bits.View, lengths, scratch []int32, sel []uint64, sixteens int, body []byte, at, limit int, buffer int32) (done, end, kept int) {
	if invariants.On {
		invariants.Assert(4 <= at && at <= limit, "a kernel for views would read in front of values")
		invariants.Reads(body, limit+viewRead)
		invariants.Reads(sel, bits.Words(sixteens*16))
		invariants.Writes(lengths, sixteens*16)
		invariants.Writes(scratch, sixteens*16)
		invariants.Writes(dst, sixteens*16)
	}
	return makeSomeKernel(dst, lengths, scratch, sel, sixteens, body, at, limit, buffer)
}

// sumEights returns the sum of groups*8 > 0 lengths, and a negative number if one of them is.
// Reads these; writes nothing.
func sumEights(lengths []int32, groups int) (sum int64, signs int32) {
	if invariants.On {
		invariants.Reads(lengths, groups*8)
	}
	return sumEightsKernel(lengths, groups)
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
