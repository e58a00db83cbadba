//go:build !purego

package rle

import (
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
)

// kernelFor returns the kernel for entries of type T in a dictionary of limit entries, nil
// if there is none. Few entries of 4 and 8 bytes are held in registers.
func kernelFor[T, K any](limit uint64, few4, few8, load4, load8, of16 K) (kernel K) {
	of4, of8 := load4, load8
	if hasFew && limit <= lookupFew {
		of4, of8 = few4, few8
	}
	switch any(*new(T)).(type) {
	case int32, uint32, float32:
		return of4
	case int64, uint64, float64:
		return of8
	case bits.View, [16]byte:
		return of16
	}
	return kernel
}

// translateEights replaces codes by their entries, eight at a time, if there is a kernel,
// and returns how many. The caller has checked that all codes are below len(dictionary).
func translateEights[T any](dst []T, codes []uint32, dictionary []T) int {
	kernel := kernelFor[T](uint64(len(dictionary)), translateFew4AVX512, translateFew8AVX512, translate4AVX2, translate8AVX2, translate16AVX2)
	n := len(codes) / 8
	if n < fewestEights || kernel == nil || !hasLookup {
		return 0
	}
	_ = dst[n*8-1]
	kernel(first(dst), &codes[0], first(dictionary), n, len(dictionary))
	return n * 8
}

func first[T any](v []T) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(v))) }

// lookupRuns decodes whole groups of the current run, if it is packed, and whole runs, to
// the front of dst and returns how many values. It may stop anywhere. ok is false if there
// is no kernel, or if a code is out of range.
func lookupRuns[T any](d *Codes, dst, dictionary []T) (done int, ok bool) {
	limit := min(uint64(d.limit), 1<<d.width)
	kernel := kernelFor[T](limit, lookupFew4AVX512, lookupFew8AVX512, lookup4AVX2, lookup8AVX2, lookup16AVX2)
	if kernel == nil || !d.hasRunCodes() || limit == 0 || len(dst) == 0 {
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
	at, done, largest := kernel(first(dst), &d.body[src], first(dictionary), groups, n, left, int(d.width), int(limit))
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
	at, m := codeBytesBMI2(&bytes[0], &d.body[d.next], repeated-1, room, left, int(d.width), int(limit))
	if m == 0 || bitpack.Test(outcome, m, bytes[:m], 8, mask) >= d.limit {
		return 0 // the caller goes run by run, and reports which code is too large
	}
	d.next += at
	d.n -= m
	return m
}
