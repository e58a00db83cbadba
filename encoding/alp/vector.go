package alp

import (
	"encoding/binary"
	"math"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bitpack"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/internal/corrupt"
)

// vector is the current vector.
type vector struct {
	n                int // values
	exponent, factor uint8
	width            uint
	frame            uint64
	packed           []byte
	positions, exact []byte // of exceptions
	sorted           bool   // whether positions ascend
}

// enter makes number k the current vector.
func (d *Numbers[T]) enter(k int) error {
	const size = 4
	head, body := d.offset(0), d.body
	d.entered = 0
	at := uint64(headerSize) + uint64(d.offset(k))
	table := uint64(headerSize) + size*uint64(d.vectors)
	header := uint64(5 + encoding.SizeOf[T]())
	if k == 0 && head != uint32(size*d.vectors) {
		return corrupt.At(headerSize, "offset ", head, " of the first of ", d.vectors, " vectors")
	}
	if at < table || at+header > uint64(len(body)) {
		return corrupt.At(headerSize+size*k, "offset ", d.offset(k), " of vector ", k)
	}
	h := body[at:]
	v := vector{n: min(1<<d.log, d.Count-k<<d.log), exponent: h[0], factor: h[1]}
	exceptions := int(binary.LittleEndian.Uint16(h[2:]))
	if encoding.SizeOf[T]() == 4 {
		v.frame, v.width = uint64(binary.LittleEndian.Uint32(h[4:])), uint(h[8])
	} else {
		v.frame, v.width = binary.LittleEndian.Uint64(h[4:]), uint(h[12])
	}
	switch {
	case v.exponent > maxExponent[T]() || v.factor > v.exponent:
		return corrupt.At(int(at), "exponent ", v.exponent, " and factor ", v.factor)
	case int(v.width) > 8*encoding.SizeOf[T]():
		return corrupt.At(int(at+header)-1, "integers of ", uint64(v.width), " bits")
	case exceptions > v.n:
		return corrupt.At(int(at)+2, exceptions, " exceptions among ", v.n, " values")
	}
	packed := bitpack.Size(v.n, v.width)
	end := at + header + uint64(packed) + uint64(exceptions*(2+encoding.SizeOf[T]()))
	if end > uint64(len(body)) {
		return corrupt.At(int(at), "vector of ", end-at, " bytes is cut short")
	}
	if k+1 < d.vectors && end != uint64(headerSize)+uint64(d.offset(k+1)) {
		return corrupt.At(int(at), "vector of ", end-at, " bytes ends elsewhere than the next begins")
	}
	v.packed = h[header:][:packed]
	v.positions = h[int(header)+packed:][:2*exceptions]
	v.exact = h[int(header)+packed+2*exceptions:][:exceptions*encoding.SizeOf[T]()]
	v.sorted = ascend(v.positions)
	for i := range exceptions {
		if v.sorted {
			i = exceptions - 1 // the largest
		}
		if p := v.position(i); p >= v.n {
			return corrupt.At(int(at+header)+packed+2*i, "exception at ", p, " of ", v.n, " values")
		}
		if v.sorted {
			break
		}
	}
	d.vector, d.entered = v, k+1
	return nil
}

// ascend reports whether uint16 numbers ascend, equal ones allowed, and are below
// 2^15. Four at a time are compared with the ones after them: a lane of 16 bits keeps
// its highest bit if the subtraction did not borrow from it.
//
//	numbers[i:]      a b c d e      high | (b c d e)  −  (a b c d)
func ascend(numbers []byte) bool {
	const high = 0x8000800080008000
	for ; len(numbers) >= 10; numbers = numbers[8:] {
		a, b := binary.LittleEndian.Uint64(numbers), binary.LittleEndian.Uint64(numbers[2:])
		if (a|b)&high != 0 || ((b|high)-a)&high != high {
			return false
		}
	}
	for ; len(numbers) >= 4; numbers = numbers[2:] {
		if binary.LittleEndian.Uint16(numbers) > binary.LittleEndian.Uint16(numbers[2:]) {
			return false
		}
	}
	return true
}

// offset returns where vector k is, counted from byte headerSize.
func (d *Numbers[T]) offset(k int) uint32 { return binary.LittleEndian.Uint32(d.body[headerSize+4*k:]) }

// position returns the position of exception i.
func (v *vector) position(i int) int { return int(binary.LittleEndian.Uint16(v.positions[2*i:])) }

// between returns a range of exceptions that contains all those with positions in
// [from, to). It contains others only if positions are not sorted.
func (v *vector) between(from, to int) (first, last int) {
	last = len(v.positions) / 2
	if last == 0 || !v.sorted || from == 0 && to == v.n {
		return 0, last
	}
	return v.search(from), v.search(to)
}

// search returns the first exception with a position of at least p.
func (v *vector) search(p int) int {
	low, high := 0, len(v.positions)/2
	for low < high {
		if mid := (low + high) / 2; v.position(mid) < p {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// exception returns exception i.
func exception[T number](v *vector, i int) T {
	if encoding.SizeOf[T]() == 4 {
		return T(math.Float32frombits(binary.LittleEndian.Uint32(v.exact[4*i:])))
	}
	return T(math.Float64frombits(binary.LittleEndian.Uint64(v.exact[8*i:])))
}

// decode decodes the values from number at on.
func decode[T number](v *vector, dst []T, at int) {
	up, down := powers[T](v.factor, v.exponent)
	all, from := dst, at
	// Kernels start on a byte.
	for ; len(dst) > 0 && at%8 != 0; at++ {
		dst[0] = one(v, at, up, down)
		dst = dst[1:]
	}
	packed := v.packed[bitpack.Size(at, v.width):]
	if encoding.SizeOf[T]() == 4 {
		u := encoding.As[uint32](dst)
		bitpack.Unpack32(u, packed, v.width)
		scale[T, uint32, int32](dst, u, uint32(v.frame), up, down)
	} else {
		u := encoding.As[uint64](dst)
		bitpack.Unpack64(u, packed, v.width)
		scale[T, uint64, int64](dst, u, v.frame, up, down)
	}
	first, last := v.between(from, from+len(all))
	for i := first; i < last; i++ {
		if p := v.position(i) - from; uint(p) < uint(len(all)) {
			all[p] = exception[T](v, i)
		}
	}
}

// one decodes value i, which is not an exception.
func one[T number](v *vector, i int, up, down T) T {
	x := bitpack.Get(v.packed, i, v.width) + v.frame
	if encoding.SizeOf[T]() == 4 {
		return T(T(int32(uint32(x)))*up) * down
	}
	return T(T(int64(x))*up) * down
}

// pick decodes the values at positions. These are where bits of sel[p, p+m) are
// set, where bit p stands for the value number at.
func pick[T number](v *vector, dst []T, at int, sel []uint64, p, m int, positions []uint32) {
	up, down := powers[T](v.factor, v.exponent)
	if encoding.SizeOf[T]() == 4 {
		u := encoding.As[uint32](dst)
		bitpack.Pick32(u, v.packed, v.width, positions, at-p)
		scale[T, uint32, int32](dst, u, uint32(v.frame), up, down)
	} else {
		u := encoding.As[uint64](dst)
		pick64(u, v.packed, v.width, positions, at-p)
		scale[T, uint64, int64](dst, u, v.frame, up, down)
	}
	first, last := v.between(at, at+m)
	for i := first; i < last; i++ {
		if q := v.position(i) - at; uint(q) < uint(m) && bits.Get(sel, p+q) {
			dst[bits.Count(sel, p, p+q)] = exception[T](v, i)
		}
	}
}

// pick64 unpacks the values with numbers first+positions[k].
func pick64(dst []uint64, packed []byte, width uint, positions []uint32, first int) {
	dst = dst[:len(positions)]
	mask := uint64(1)<<width - 1
	for k, q := range positions {
		bit := uint64(first+int(q)) * uint64(width)
		if i := bit / 8; width <= 57 && i+8 <= uint64(len(packed)) {
			dst[k] = binary.LittleEndian.Uint64(packed[i:]) >> (bit % 8) & mask
		} else {
			dst[k] = bitpack.Get(packed, first+int(q), width)
		}
	}
}

// compress is pick for a selection with many of the m bits set.
func compress[T number](v *vector, dst []T, at int, sel []uint64, p, m int) {
	var all [few]T
	var positions [few + 66]uint32
	for ; m > 0; m -= few {
		part := all[:min(m, few)]
		decode(v, part, at)
		n := bits.Positions(positions[:], sel, p, p+len(part))
		for k, q := range positions[:n] {
			dst[k] = part[int(q)-p]
		}
		dst = dst[n:]
		at += len(part)
		p += len(part)
	}
}

// bounds returns bounds of all values except exceptions. ok is false if integers
// wrap around.
func bounds[T number](v *vector) (lo, hi T, ok bool) {
	up, down := powers[T](v.factor, v.exponent)
	if int(v.width) >= 8*encoding.SizeOf[T]() {
		return 0, 0, false
	}
	least := int64(v.frame)
	if encoding.SizeOf[T]() == 4 {
		least = int64(int32(uint32(v.frame)))
	}
	most := least + int64(uint64(1)<<v.width-1)
	if most < least || encoding.SizeOf[T]() == 4 && most > math.MaxInt32 {
		return 0, 0, false
	}
	return T(T(least)*up) * down, T(T(most)*up) * down, true
}
