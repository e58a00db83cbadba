package rle

import (
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// narrow is the type of narrow codes: those of up to 8 bits are unpacked to uint8, those of up to 16 bits to uint16,
// whatever runs they stand in. Kernels then check, or drop, 64 bytes of them at once.
type narrow interface{ uint8 | uint16 }

// narrowRead is bytesRead or wordsRead.
func narrowRead[C narrow]() int {
	if unsafe.Sizeof(*new(C)) == 1 {
		return bytesRead
	}
	return wordsRead
}

// narrowUpTo returns the longest repeated run that becomes narrow codes before the look-up; 0 if other ways are
// faster. A few entries are in registers, so their look-up takes next to no time. More entries must be in the first
// cache, unless codes are dropped before the look-up.
func narrowUpTo[T any](d *Codes, drops bool) int {
	const (
		rarely = 32
		near   = 16 << 10 // bytes of entries that stay in the first cache together with codes and values
	)
	entry := unsafe.Sizeof(*new(T))
	switch {
	case !hasNarrow || !looksUp[T]() || d.limit == 0 || d.width == 0 || d.width > 16:
	case d.width <= 8 && uintptr(d.limit) <= min(lookupFew, 128/entry):
		return repeated - 1
	case entry == 16 && d.width > 8:
	case drops || entry < 16 && uintptr(d.limit)*entry <= near:
		return rarely
	}
	return 0
}

// looksUp says whether kernels that look entries up know the type.
func looksUp[T any]() bool {
	switch any(*new(T)).(type) {
	case int32, uint32, float32, int64, uint64, float64, bits.View, [16]byte:
		return true
	}
	return false
}

// lookupNarrow decodes the next values by way of narrow codes, see narrowCodes, and returns how many.
func lookupNarrow[T any](d *Codes, dst, dictionary []T, longest int) int {
	if d.width <= 8 {
		return translateNarrow(dst, checkedCodes[uint8](d, len(dst), longest), dictionary)
	}
	return translateNarrow(dst, checkedCodes[uint16](d, len(dst), longest), dictionary)
}

// keepNarrow is lookupNarrow for the values, of n, whose bits in sel from position at on are set. It returns how many
// values it passed, and how many it stored.
func keepNarrow[T any](d *Codes, dst, dictionary []T, sel []uint64, at, n, longest int) (done, kept int) {
	if d.width <= 8 {
		done, codes := keptCodes[uint8](d, sel, at, n, longest)
		return done, translateNarrow(dst, codes, dictionary)
	}
	done, codes := keptCodes[uint16](d, sel, at, n, longest)
	return done, translateNarrow(dst, codes, dictionary)
}

// checkedCodes is narrowCodes that returns no codes if one is out of range.
func checkedCodes[C narrow](d *Codes, n, longest int) []C {
	before := d.state
	codes := narrowCodes[C](d, n, longest)
	if len(codes) == 0 || d.limited() && uint64(largestCode(codes)) >= uint64(d.limit) {
		d.state = before // the caller goes run by run, and reports which code is too large
		return nil
	}
	return codes
}

// keptCodes is checkedCodes for wanted codes only. done is how many codes it passed.
func keptCodes[C narrow](d *Codes, sel []uint64, at, n, longest int) (done int, codes []C) {
	before := d.state
	if codes = narrowCodes[C](d, n, longest); len(codes) == 0 {
		return 0, nil
	}
	words := d.words(sel, at, len(codes))
	_ = words[bits.Words(len(codes))-1]
	kept, largest := keepCodes(codes[:len(codes)+narrowRoom], words, len(codes))
	if d.limited() && uint64(largest) >= uint64(d.limit) {
		d.state = before
		return 0, nil
	}
	return len(codes), codes[:kept]
}

// narrowCodes decodes the next codes, up to n; they belong to d and are valid until the next call. It stops before
// runs without a kernel: runs that repeat a code more often than longest, codes too near the end of memory, and invalid
// runs. It does not check packed codes against the limit.
func narrowCodes[C narrow](d *Codes, n, longest int) []C {
	if longest == 0 {
		return nil
	}
	size := unsafe.Sizeof(*new(C))
	room := d.space().codes[:]
	codes := unsafe.Slice((*C)(unsafe.Pointer(&room[0])), len(room)*int(4/size))
	limit := min(uint64(d.limit), 1<<d.width)
	n = min(n, d.n, testBlock/int(size))
	_ = codes[testBlock/size+narrowRoom+8-1]
	done := 0
	for done < n {
		if d.left == 0 {
			if readable := min(len(d.body), cap(d.body)-narrowRead[C]()) - d.next; readable > 0 {
				at, m := narrowRuns(codes[done:], d.body[d.next:cap(d.body)], longest, readable, n-done, int(d.width), int(limit))
				d.next += at
				d.n -= m
				done += m
			}
			if done == n {
				break
			}
		}
		m := narrowPart(d, codes[done:], n-done, longest)
		if m == 0 {
			break
		}
		done += m
	}
	return codes[:done]
}

// narrowPart decodes up to n codes of the current run, or the next, and may write up to 71 after them: if the part
// begins or ends within a group of eight codes, it unpacks the whole group.
func narrowPart[C narrow](d *Codes, dst []C, n, longest int) int {
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
	if !d.packed || src+(count+7)/8*int(d.width) > cap(d.body)-narrowRead[C]() {
		d.state = before // the caller may have a kernel for whole runs
		return 0
	}
	packedCodes(dst, d.body[src:cap(d.body)], (count+63)/64, int(d.width))
	if lead > 0 {
		copy(dst[:n], dst[lead:])
	}
	d.step(n)
	return n
}

// runBytes decodes whole valid runs to the front of dst, a byte each, while there is room for 64 more. It returns how many
// codes it decoded: 0 without a kernel.
func (d *Codes) runBytes(dst []uint8) int {
	room, left := min(len(d.body), cap(d.body)-bytesRead)-d.next, min(d.n, len(dst)-narrowRoom)
	if !hasNarrow || d.width == 0 || d.width > 8 || room <= 0 || left <= 0 {
		return 0
	}
	limit := min(uint64(d.limit), 1<<d.width)
	at, done := narrowRuns(dst, d.body[d.next:cap(d.body)], left, room, left, int(d.width), int(limit))
	if done > 0 && d.limited() && uint64(largestCode(dst[:done])) >= limit {
		return 0 // the caller goes run by run, and reports which code is too large
	}
	d.next += at
	d.n -= done
	return done
}

// translateNarrow replaces codes by their entries, and returns how many. The caller has checked that all codes are
// below len(dictionary).
func translateNarrow[T any, C narrow](dst []T, codes []C, dictionary []T) int {
	dst = dst[:len(codes)]
	done := 0
	if hasNarrow && looksUp[T]() && len(codes) >= 16 {
		// Stores across two cache lines take longer: begin at a line, which stores some values twice.
		translateSome16(dst, codes, dictionary, 1)
		done = int(-uintptr(unsafe.Pointer(&dst[0])) % 64 / unsafe.Sizeof(dst[0]))
		if n := (len(codes) - done) / 16; n > 0 {
			translateSome16(dst[done:], codes[done:], dictionary, n)
			done += n * 16
		} else {
			done = 16
		}
	}
	translateGo(dst[done:], codes[done:], dictionary)
	return len(codes)
}
