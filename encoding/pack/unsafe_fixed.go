package pack

import (
	mathbits "math/bits"
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// Fixed is Values for values of width bytes each, back to back.
func Fixed(dst, src []byte, width int, sel []uint64) int {
	return moverOf(width).pack(dst, src, width, sel)
}

// LookUpFixed is LookUp for entries of width bytes each, back to back.
func LookUpFixed(dst, entries []byte, width int, codes []uint32) {
	moverOf(width).lookUp(dst, entries, width, codes)
}

// A mover moves values of a width. Its methods are one indirect call for a batch or a word of bits.
// spread stores values in the slots, up to 64, whose bits are set, and zeroes the others; slots and values do not overlap.
type mover interface {
	pack(dst, src []byte, width int, sel []uint64) int
	spread(slots, values []byte, width int, to uint64)
	lookUp(dst, entries []byte, width int, codes []uint32)
}

func moverOf(width int) mover {
	switch width {
	case 1:
		return array[[1]byte]{}
	case 2:
		return array[[2]byte]{}
	case 3:
		return array[[3]byte]{}
	case 4:
		return array[[4]byte]{}
	case 5:
		return array[[5]byte]{}
	case 6:
		return array[[6]byte]{}
	case 7:
		return array[[7]byte]{}
	case 8:
		return array[[8]byte]{}
	case 9:
		return array[[9]byte]{}
	case 10:
		return array[[10]byte]{}
	case 11:
		return array[[11]byte]{}
	case 12:
		return array[[12]byte]{}
	case 13:
		return array[[13]byte]{}
	case 14:
		return array[[14]byte]{}
	case 15:
		return array[[15]byte]{}
	case 16:
		return array[[16]byte]{}
	}
	return wide{}
}

// array moves values that are a T, an array of bytes, by loads and stores.
type array[T any] struct{}

// wide moves values of any width by calls of copy.
type wide struct{}

// groups returns b as values of type T, an array of bytes.
func groups[T any](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(*new(T))))
}

func (array[T]) pack(dst, src []byte, _ int, sel []uint64) int {
	switch unsafe.Sizeof(*new(T)) {
	case 1, 4, 8, 16: // there may be a kernel
		return Values(groups[T](dst), groups[T](src), sel)
	}
	return rest(groups[T](dst), groups[T](src), sel)
}

// dense is from how many values in 64 slots on all slots are filled, and those of NULLs zeroed, instead of finding the slots
// of the values. Measured on an Emerald Rapids, by BenchmarkFixed: with 90 % of 8 bytes 0.62 ns a slot instead of 0.89; 48
// does the same. Measure again when Go finds bits faster.
const dense = 40

func (array[T]) spread(slotBytes, valueBytes []byte, _ int, to uint64) {
	slots, values := groups[T](slotBytes), groups[T](valueBytes)
	if len(slots) == 64 && mathbits.OnesCount64(to) >= dense {
		fillSlots((*[64]T)(slots), unsafe.SliceData(values), to)
		var zero T
		for nulls := ^to; nulls != 0; nulls &= nulls - 1 {
			slots[mathbits.TrailingZeros64(nulls)] = zero
		}
		return
	}
	clear(slots)
	for _, x := range values {
		slots[mathbits.TrailingZeros64(to)] = x
		to &= to - 1
	}
}

// fillSlots stores in each slot the value whose place is the number of bits set below it. It reads as many values as bits
// are set, and the one after them.
func fillSlots[T any](slots *[64]T, values *T, to uint64) {
	from, size := unsafe.Pointer(values), unsafe.Sizeof(*values)
	w, k := mathbits.Reverse64(to), uint64(0)
	for i := 0; i < 64; i += 4 {
		v := (*[4]T)(slots[i:])
		v[0] = *(*T)(unsafe.Add(from, uintptr(k)*size))
		w, k = bits.Shift(w, k)
		v[1] = *(*T)(unsafe.Add(from, uintptr(k)*size))
		w, k = bits.Shift(w, k)
		v[2] = *(*T)(unsafe.Add(from, uintptr(k)*size))
		w, k = bits.Shift(w, k)
		v[3] = *(*T)(unsafe.Add(from, uintptr(k)*size))
		w, k = bits.Shift(w, k)
	}
}

func (array[T]) lookUp(dst, entries []byte, _ int, codes []uint32) {
	LookUp(groups[T](dst), groups[T](entries), codes)
}

func (wide) pack(dst, src []byte, width int, sel []uint64) (kept int) {
	for from, to := range bits.Runs(sel, len(src)/max(width, 1)) {
		copy(dst[kept*width:], src[from*width:to*width])
		kept += to - from
	}
	return kept
}

func (wide) spread(slots, values []byte, width int, to uint64) {
	clear(slots)
	for ; to != 0; to &= to - 1 {
		copy(slots[mathbits.TrailingZeros64(to)*width:], values[:width])
		values = values[width:]
	}
}

func (wide) lookUp(dst, entries []byte, width int, codes []uint32) {
	for i, c := range codes {
		copy(dst[i*width:][:width], entries[int(c)*width:])
	}
}
