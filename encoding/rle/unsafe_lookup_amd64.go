//go:build !purego

package rle

import (
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// kernelFor returns the kernel for so many entries of a type, nil if there is none.
func kernelFor[T any](entries uint64) func(dst, src, dictionary *byte, groups, n, left, width, limit int) (at, done int, largest uint32) {
	few := hasFew && entries <= lookupFew
	switch any(*new(T)).(type) {
	case int32, uint32, float32:
		if few {
			return lookupFew4AVX512
		}
		return lookup4AVX2
	case int64, uint64, float64:
		if few {
			return lookupFew8AVX512
		}
		return lookup8AVX2
	case bits.View:
		return lookup16AVX2
	}
	return nil
}

// translateKernelFor is kernelFor of codes that are unpacked.
func translateKernelFor[T any](entries int) func(dst *byte, codes *uint32, dictionary *byte, eights, limit int) {
	if !hasFew || entries > lookupFew {
		return nil
	}
	switch any(*new(T)).(type) {
	case int32, uint32, float32:
		return translateFew4AVX512
	case int64, uint64, float64:
		return translateFew8AVX512
	}
	return nil
}

// translateEights replaces codes by their entries, eight by eight, if there is a
// kernel, and returns how many. All must have been found to be below len(dictionary).
func translateEights[T any](dst []T, codes []uint32, dictionary []T) int {
	kernel := translateKernelFor[T](len(dictionary))
	n := len(codes) / 8
	if n < fewestEights || kernel == nil {
		return 0
	}
	_ = dst[n*8-1]
	kernel(first(dst), &codes[0], first(dictionary), n, len(dictionary))
	return n * 8
}

func first[T any](v []T) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(v))) }

// lookupRuns decodes whole groups of the current run, if it is packed, and whole
// runs, to the front of dst and returns how many values. It may stop anywhere. ok is
// false if there is no kernel, or it met a code out of range.
func lookupRuns[T any](d *Codes, dst, dictionary []T) (done int, ok bool) {
	limit := min(uint64(d.limit), 1<<d.width)
	kernel := kernelFor[T](limit)
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
		return 0, false // who goes run by run says in which
	}
	if done == groups*8 {
		d.step(done)
		return done, true
	}
	d.left, d.next = 0, src+at
	d.n -= done
	return done, true
}
