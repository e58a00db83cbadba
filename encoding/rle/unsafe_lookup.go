package rle

import (
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bitpack"
)

// fewestEights of codes are translated by a kernel: fewer are one by one.
const fewestEights = 2

// hasRunCodes says that there is a kernel for runCodes.
func (d *Codes) hasRunCodes() bool { return hasLookup && 0 < d.width && d.width <= lookupWidth }

// runCodes decodes whole valid runs, of at most longest codes each and n codes in all, to
// the front of dst. It returns how many codes it decoded: 0 without a kernel.
func (d *Codes) runCodes(dst []uint32, n, longest int) int {
	if !d.hasRunCodes() || d.left > 0 || d.next == len(d.body) {
		return 0
	}
	room, left := min(len(d.body), cap(d.body)-lookupRead)-d.next, min(n, d.n, len(dst)-lookupRoom)
	limit := min(uint64(d.limit), 1<<d.width)
	if room <= 0 || left <= 0 {
		return 0
	}
	at, done, largest := runs(dst, d.body[d.next:cap(d.body)], longest, room, left, int(d.width), int(limit))
	if uint64(largest) >= limit {
		return 0 // the caller goes run by run, and reports which code is too large
	}
	d.next += at
	d.n -= done
	return done
}

// translateEights replaces codes by their entries, eight at a time, if there is a kernel,
// and returns how many. The caller has checked that all codes are below len(dictionary).
func translateEights[T any](dst []T, codes []uint32, dictionary []T) int {
	n := len(codes) / 8
	if n < fewestEights || !looksUp[T]() || !hasLookup {
		return 0
	}
	_ = dst[n*8-1]
	translateSome8(dst, codes, dictionary, n)
	return n * 8
}

func first[T any](v []T) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(v))) }

// lookupRuns decodes whole groups of the current run, if it is packed, and whole runs, to
// the front of dst and returns how many values. It may stop anywhere. ok is false if there
// is no kernel, or if a code is out of range.
func lookupRuns[T any](d *Codes, dst, dictionary []T) (done int, ok bool) {
	limit := min(uint64(d.limit), 1<<d.width)
	if !looksUp[T]() || !d.hasRunCodes() || limit == 0 || len(dst) == 0 {
		return 0, false
	}
	src, groups := d.next, 0
	readable := min(len(d.body), cap(d.body)-lookupRead)
	if d.left > 0 {
		if !d.packed || d.first%8 != 0 {
			return 0, true
		}
		src = d.start + d.first/8*int(d.width)
		groups = max(0, min(d.left/8, len(dst)/8, (readable-src)/int(d.width)))
		if groups == 0 {
			return 0, true
		}
		if groups*8 < d.left {
			readable = src + groups*int(d.width)
		}
	}
	n, left := readable-src, max(0, min(d.n, len(dst)-lookupRoom))
	if n <= 0 {
		return 0, true
	}
	_ = dictionary[limit-1]
	at, done, largest := lookupNext(dst, d.body[src:cap(d.body)], dictionary, groups, n, left, int(d.width), int(limit))
	if uint64(largest) >= limit {
		return 0, false // the caller goes run by run, and reports which code is too large
	}
	if done == groups*8 {
		d.step(done)
		return done, true
	}
	d.left, d.next = 0, src+at
	d.n -= done
	return done, true
}

// testShort tests the codes of whole runs, of fewer than repeated codes each and at most n
// in all, and returns how many. It may stop anywhere, even at once.
func (d *Codes) testShort(outcome []uint64, n int, mask *bitpack.Mask) int {
	if d.left > 0 {
		return 0
	}
	codes := &d.space().codes
	if d.width > 8 {
		m := d.runCodes(codes[:], min(n, keepBlock), repeated-1)
		bitpack.TestUnpacked(outcome, codes[:m], mask)
		return m
	}
	bytes := unsafe.Slice(first(codes[:]), 4*len(codes))
	limit, room, left := min(d.limit, 1<<d.width), min(len(d.body), cap(d.body)-bytesRead)-d.next, min(n, d.n, testBlock)
	if !hasBytes || d.width == 0 || room <= 0 {
		return 0
	}
	_ = bytes[testBlock+lookupRoom-1]
	at, m := shortBytes(bytes, d.body[d.next:cap(d.body)], repeated-1, room, left, int(d.width), int(limit))
	if m == 0 || bitpack.Test(outcome, m, bytes[:m], 8, mask) >= d.limit {
		return 0 // the caller goes run by run, and reports which code is too large
	}
	d.next += at
	d.n -= m
	return m
}
