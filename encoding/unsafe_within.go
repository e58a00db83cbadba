package encoding

import (
	"encoding/binary"
	mathbits "math/bits"
	"unsafe"

	"github.com/winnow-scan/winnow/encoding/bits"
)

// as returns x as a type of the same size, for which every bit pattern is a value.
func as[U, T Number](x T) U { return *(*U)(unsafe.Pointer(&x)) }

// word32 and word64 load a number in the machine's byte order, or in the other if swapped, which only a big-endian machine needs.
func word32(b []byte, swapped bool) uint32 {
	if swapped && bits.BigEndian {
		return binary.LittleEndian.Uint32(b)
	}
	return binary.NativeEndian.Uint32(b)
}

func word64(b []byte, swapped bool) uint64 {
	if swapped && bits.BigEndian {
		return binary.LittleEndian.Uint64(b)
	}
	return binary.NativeEndian.Uint64(b)
}

// WithinBytes is Within for the first values of a body in PLAIN, 64 for each word of sel. They need be neither aligned
// nor in the machine's byte order.
func WithinBytes[T Number](sel []uint64, body []byte, lo, hi T) {
	if !(lo <= hi) {
		clear(sel)
		return
	}
	withinMemory(sel, body, lo, hi, bits.BigEndian)
}

// withinMemory is Within for values in the machine's byte order, or in the other if swapped, and lo <= hi.
func withinMemory[T Number](sel []uint64, values []byte, lo, hi T, swapped bool) {
	switch any(lo).(type) {
	case float32, float64:
		withinFloats(sel, values, lo, hi, swapped)
	case int32, uint32:
		withinInts[[4]byte](sel, values, uint64(as[uint32](lo)), uint64(as[uint32](hi)), swapped)
	default:
		withinInts[[8]byte](sel, values, as[uint64](lo), as[uint64](hi), swapped)
	}
}

// withinInts needs one comparison: with wrap-around, x is within lo and hi if x - lo <= hi - lo.
func withinInts[G [4]byte | [8]byte](sel []uint64, values []byte, lo, hi uint64, swapped bool) {
	size := int(unsafe.Sizeof(*new(G)))
	more := ^(hi - lo)
	if size == 4 {
		more = ^uint64(uint32(hi - lo))
	}
	for i := range sel {
		if sel[i] != 0 {
			sel[i] &^= outside((*[64]G)(unsafe.Pointer(unsafe.SliceData(values[i*64*size:][:64*size]))), lo, more, swapped)
		}
	}
}

// outside returns a bit for each value of which x - lo is more than hi - lo. more is the complement of hi - lo: the sum
// carries for such values, and the carry goes into a word. These are two instructions; setting a register on a condition takes five.
func outside[G [4]byte | [8]byte](values *[64]G, lo, more uint64, swapped bool) (w uint64) {
	behind := func(b uint64, g *G) uint64 {
		var x uint64
		if unsafe.Sizeof(*g) == 4 {
			x = uint64(word32((*[4]byte)(unsafe.Pointer(g))[:], swapped) - uint32(lo))
		} else {
			x = word64((*[8]byte)(unsafe.Pointer(g))[:], swapped) - lo
		}
		_, c := mathbits.Add64(x, more, 0)
		b, _ = mathbits.Add64(b, b, c)
		return b
	}
	for i := 0; i < len(values); i += 8 { // in the order of addresses, which the prefetcher recognizes
		v := (*[8]G)(values[i:])
		b := behind(0, &v[0])
		b = behind(b, &v[1])
		b = behind(b, &v[2])
		b = behind(b, &v[3])
		b = behind(b, &v[4])
		b = behind(b, &v[5])
		b = behind(b, &v[6])
		b = behind(b, &v[7])
		w = w<<8 | b
	}
	return mathbits.Reverse64(w)
}

// withinFloats is withinMemory for numbers that need both comparisons.
func withinFloats[T Number](sel []uint64, values []byte, lo, hi T, swapped bool) {
	size := int(unsafe.Sizeof(lo))
	in := func(b []byte) uint64 {
		var x T
		if size == 4 {
			x = as[T](word32(b, swapped))
		} else {
			x = as[T](word64(b, swapped))
		}
		return oneIf(x >= lo) & oneIf(x <= hi)
	}
	for i := range sel {
		if sel[i] == 0 {
			continue
		}
		var w uint64
		word := values[i*64*size:][:64*size]
		for j := 0; j < 64; j += 8 {
			b := word[j*size:][:8*size]
			w |= (in(b) | in(b[size:])<<1 | in(b[2*size:])<<2 | in(b[3*size:])<<3 |
				in(b[4*size:])<<4 | in(b[5*size:])<<5 | in(b[6*size:])<<6 | in(b[7*size:])<<7) << j
		}
		sel[i] &= w
	}
}
