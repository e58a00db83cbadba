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

// denseKernelFor is kernelFor of codes of which most are wanted.
func denseKernelFor[T any](entries uint64) func(dst, src, dictionary, sel *byte, first, n, count, gap, width, limit int) (kept int, largest uint32) {
	few := entries <= lookupFew
	switch any(*new(T)).(type) {
	case int32, uint32, float32:
		if few {
			return keepLookupFew4AVX512
		}
		return keepLookup4AVX512
	case int64, uint64, float64:
		if few {
			return keepLookupFew8AVX512
		}
		return keepLookup8AVX512
	case bits.View:
		return keepLookup16AVX512
	}
	return nil
}

// lookupDense decodes those of the next n codes whose bits in sel, from position at on, are
// set, if most are, and as long as they stand in packed runs that are alike. It returns over
// how many codes it stepped, and how many values it stored.
func lookupDense[T any](d *Codes, dst, dictionary []T, sel []uint64, at, n int) (done, kept int) {
	const fewest = 64
	limit := min(uint64(d.limit), 1<<d.width)
	kernel := denseKernelFor[T](limit)
	if kernel == nil || !hasDense || !d.hasRunCodes() || limit == 0 {
		return 0, 0
	}
	m, count, gap := d.packedAhead(min(n, len(dst)-denseRoom))
	m &^= 7
	if m < fewest {
		return 0, 0
	}
	words := d.words(sel, at, m)
	wanted, most := bits.Count(words, 0, m), 2
	if size := unsafe.Sizeof(*new(T)); size < 16 && limit > lookupFew && d.Keeps() {
		most = 16 // what is not wanted need not be looked up, once codes are in memory
	}
	if most*(m-wanted) > m {
		return 0, 0
	}
	before, src, inRun := d.state, d.start+d.first/8*int(d.width), d.left/8
	d.stepAlike(m, count, gap)
	if d.start+d.first/8*int(d.width) > cap(d.body)-lookupRead {
		d.state = before
		return 0, 0
	}
	_ = dictionary[limit-1]
	kept, largest := kernel(first(dst), &d.body[src], first(dictionary), (*byte)(unsafe.Pointer(&words[0])), inRun, m/8, count/8, gap, int(d.width), int(limit))
	if uint64(largest) >= limit {
		d.state = before // who goes run by run says in which
		return 0, 0
	}
	return m, kept
}

// translateKernelFor is kernelFor of codes that are unpacked: Go takes twice as long
// for views, and for entries of 4 and 8 bytes where these fit registers.
func translateKernelFor[T any](entries int) func(dst *byte, codes *uint32, dictionary *byte, eights, limit int) {
	few := hasFew && entries <= lookupFew
	switch any(*new(T)).(type) {
	case int32, uint32, float32:
		if few {
			return translateFew4AVX512
		}
	case int64, uint64, float64:
		if few {
			return translateFew8AVX512
		}
	case bits.View:
		if hasLookup {
			return translate16AVX2
		}
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
