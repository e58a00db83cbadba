//go:build !purego

package rle

import (
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// narrow is what codes of up to 8 and up to 16 bits become before something is done with them, whatever
// runs they stand in: 64 bytes are checked at once, and those that are not wanted dropped.
type narrow interface{ uint8 | uint16 }

// narrowKernels are those for codes of some bytes.
type narrowKernels struct {
	runs    func(dst, src *byte, longest, n, left, width, limit int) (at, done int)
	packed  func(dst, src *byte, sixtyFours, width int)
	largest func(codes *byte, n int) uint32
	keep    func(codes *byte, sel *uint64, n int) (kept int, largest uint32)
	read    int // bytes that may be read behind those of codes
}

var narrowKernelsOf = [...]narrowKernels{
	1: {codeBytesVBMI, packedBytesVBMI, largestByteAVX512, keepBytesVBMI2, bytesRead},
	2: {codeWordsVBMI, packedWordsVBMI, largestWordAVX512, keepWordsVBMI2, wordsRead},
}

// narrowUpTo returns how often a code may be repeated in a run for codes to become narrow before they are
// looked up: with a few entries, which are in registers, that takes next to no time. It is 0 where other
// ways take less: where entries are waited for, unless codes are dropped, which is next to
// nothing here.
func narrowUpTo[T any](d *Codes, drops bool) int {
	const (
		rarely = 32
		near   = 16 << 10 // bytes of entries that stay in the first cache, beside codes and values
	)
	entry := unsafe.Sizeof(*new(T))
	switch any(*new(T)).(type) {
	case int32, uint32, float32, int64, uint64, float64, bits.View:
	default:
		return 0
	}
	switch {
	case !hasNarrow || d.limit == 0 || d.width == 0 || d.width > 16:
	case d.width <= 8 && uintptr(d.limit) <= min(lookupFew, 128/entry):
		return repeated - 1
	case entry == 16 && d.width > 8:
	case drops || entry < 16 && uintptr(d.limit)*entry <= near:
		return rarely
	}
	return 0
}

// lookupNarrow decodes the next values by way of narrow codes, see narrowCodes, and returns how many.
func lookupNarrow[T any](d *Codes, dst, dictionary []T, longest int) int {
	if d.width <= 8 {
		return translateNarrow(dst, checkedCodes[uint8](d, len(dst), longest), dictionary)
	}
	return translateNarrow(dst, checkedCodes[uint16](d, len(dst), longest), dictionary)
}

// keepNarrow is lookupNarrow for those of n values whose bits in sel, from position at on, are set. It returns how many
// it stepped over, and how many it stored.
func keepNarrow[T any](d *Codes, dst, dictionary []T, sel []uint64, at, n, longest int) (done, kept int) {
	if d.width <= 8 {
		done, codes := keptCodes[uint8](d, sel, at, n, longest)
		return done, translateNarrow(dst, codes, dictionary)
	}
	done, codes := keptCodes[uint16](d, sel, at, n, longest)
	return done, translateNarrow(dst, codes, dictionary)
}

// checkedCodes is narrowCodes for codes below the limit.
func checkedCodes[C narrow](d *Codes, n, longest int) []C {
	before := d.state
	codes := narrowCodes[C](d, n, longest)
	if len(codes) == 0 || d.limited() && uint64(kernelsOf[C]().largest(first(codes), len(codes))) >= uint64(d.limit) {
		d.state = before // who goes run by run says in which
		return nil
	}
	return codes
}

// keptCodes is checkedCodes for those that are wanted. done is over how many it stepped.
func keptCodes[C narrow](d *Codes, sel []uint64, at, n, longest int) (done int, codes []C) {
	before := d.state
	if codes = narrowCodes[C](d, n, longest); len(codes) == 0 {
		return 0, nil
	}
	words := d.words(sel, at, len(codes))
	_ = words[bits.Words(len(codes))-1]
	kept, largest := kernelsOf[C]().keep(first(codes), &words[0], len(codes))
	if d.limited() && uint64(largest) >= uint64(d.limit) {
		d.state = before
		return 0, nil
	}
	return len(codes), codes[:kept]
}

func kernelsOf[C narrow]() *narrowKernels { return &narrowKernelsOf[unsafe.Sizeof(*new(C))] }

// narrowCodes decodes the next codes, up to n; they are d's until the next call. It stops in front of what there
// is no kernel for: a run in which one code is repeated more often than longest, what stands near the end of
// memory, and anything that is wrong, but for packed codes out of range.
func narrowCodes[C narrow](d *Codes, n, longest int) []C {
	if longest == 0 {
		return nil
	}
	size := unsafe.Sizeof(*new(C))
	kernels, room := kernelsOf[C](), d.space().codes[:]
	codes := unsafe.Slice((*C)(unsafe.Pointer(&room[0])), len(room)*int(4/size))
	limit := min(uint64(d.limit), 1<<d.width)
	n = min(n, d.n, testBlock/int(size))
	_ = codes[testBlock/size+lookupRoom+8-1]
	done := 0
	for done < n {
		if d.left == 0 {
			if readable := min(len(d.body), cap(d.body)-kernels.read) - d.next; readable > 0 {
				at, m := kernels.runs(first(codes[done:]), &d.body[d.next], longest, readable, n-done, int(d.width), int(limit))
				d.next += at
				d.n -= m
				done += m
			}
			if done == n {
				break
			}
		}
		m := narrowPart(d, codes[done:], n-done, longest, kernels)
		if m == 0 {
			break
		}
		done += m
	}
	return codes[:done]
}

// narrowPart decodes up to n codes of the current run, or the next, and may write up to 71 behind them: what
// begins or ends within eight codes is unpacked with all of these.
func narrowPart[C narrow](d *Codes, dst []C, n, longest int, kernels *narrowKernels) int {
	before := d.state
	if d.left == 0 && !d.loadShort() {
		return 0
	}
	n = min(n, d.left)
	if !d.packed && d.left <= longest {
		fill(dst[:n], C(d.value))
		d.step(n)
		return n
	}
	lead := d.first % 8
	src, count := d.start+d.first/8*int(d.width), lead+n
	if !d.packed || src+(count+7)/8*int(d.width) > cap(d.body)-kernels.read {
		d.state = before // who is next may have a kernel for whole runs
		return 0
	}
	kernels.packed(first(dst), &d.body[src], (count+63)/64, int(d.width))
	if lead > 0 {
		copy(dst[:n], dst[lead:])
	}
	d.step(n)
	return n
}

// translateNarrow replaces codes by their entries, and returns how many. All must have been found to be
// below len(dictionary).
func translateNarrow[T any, C narrow](dst []T, codes []C, dictionary []T) int {
	dst = dst[:len(codes)]
	done, limit := 0, uint64(len(dictionary))
	if len(codes) >= 16 {
		var kernel func(dst, codes, dictionary *byte, sixteens, limit int)
		if unsafe.Sizeof(*new(C)) == 1 {
			few16 := lookupBytesFew16AVX512
			if limit > lookupFew/2 {
				few16 = lookupBytes16AVX2
			}
			kernel = kernelFor[T](limit, lookupBytesFew4AVX512, lookupBytesFew8AVX512, lookupBytes4AVX2, lookupBytes8AVX2, few16)
		} else {
			kernel = kernelFor[T](limit, lookupWords4AVX2, lookupWords8AVX2, lookupWords4AVX2, lookupWords8AVX2, lookupWords16AVX2)
		}
		some := func(sixteens int) {
			kernel(first(dst[done:]), (*byte)(unsafe.Pointer(&codes[done])), first(dictionary), sixteens, len(dictionary))
		}
		// What is stored across two lines takes longer: begin where one does, some values once more.
		some(1)
		done = int(-uintptr(unsafe.Pointer(&dst[0])) % 64 / unsafe.Sizeof(dst[0]))
		if n := (len(codes) - done) / 16; n > 0 {
			some(n)
			done += n * 16
		} else {
			done = 16
		}
	}
	for ; done < len(codes); done++ {
		dst[done] = dictionary[codes[done]]
	}
	return len(codes)
}
