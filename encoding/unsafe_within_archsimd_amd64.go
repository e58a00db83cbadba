//go:build archsimd && !purego

package encoding

import (
	"simd/archsimd"
	"unsafe"
)

// With the tag archsimd, these kernels take the place of those in zwithin_amd64.s. Such a build fails without
// GOEXPERIMENT=simd. They test all vectors of a word in one expression: the compiler unrolls no loops, and a loop over
// the vectors takes twice as long.

func within32AVX2(sel *uint64, values *uint32, words int, lo, span uint32) {
	low, width := archsimd.BroadcastUint32x8(lo), archsimd.BroadcastUint32x8(span)
	in := func(x archsimd.Uint32x8) uint64 {
		x = x.Sub(low)
		return uint64(x.Min(width).Equal(x).ToBits())
	}
	masks, vectors := unsafe.Slice(sel, words), unsafe.Slice((*[8]archsimd.Uint32x8)(unsafe.Pointer(values)), words)
	for i := range masks {
		v := &vectors[i]
		masks[i] &= in(v[0]) | in(v[1])<<8 | in(v[2])<<16 | in(v[3])<<24 |
			in(v[4])<<32 | in(v[5])<<40 | in(v[6])<<48 | in(v[7])<<56
	}
	archsimd.ClearAVXUpperBits()
}

func within64AVX2(sel *uint64, values *uint64, words int, lo, span uint64) {
	const sign = 1 << 63 // moves both sides, for a comparison of signed numbers
	low, width := archsimd.BroadcastInt64x4(int64(lo^sign)), archsimd.BroadcastInt64x4(int64(span^sign))
	out := func(x, y archsimd.Int64x4) uint64 {
		return uint64(x.Sub(low).Greater(width).ToBits() | y.Sub(low).Greater(width).ToBits()<<4)
	}
	masks, vectors := unsafe.Slice(sel, words), unsafe.Slice((*[16]archsimd.Int64x4)(unsafe.Pointer(values)), words)
	for i := range masks {
		v := &vectors[i]
		masks[i] &^= out(v[0], v[1]) | out(v[2], v[3])<<8 | out(v[4], v[5])<<16 | out(v[6], v[7])<<24 |
			out(v[8], v[9])<<32 | out(v[10], v[11])<<40 | out(v[12], v[13])<<48 | out(v[14], v[15])<<56
	}
	archsimd.ClearAVXUpperBits()
}

func withinFloat32AVX2(sel *uint64, values *float32, words int, lo, hi float32) {
	low, high := archsimd.BroadcastFloat32x8(lo), archsimd.BroadcastFloat32x8(hi)
	in := func(x archsimd.Float32x8) uint64 {
		return uint64(x.GreaterEqual(low).And(x.LessEqual(high)).ToBits())
	}
	masks, vectors := unsafe.Slice(sel, words), unsafe.Slice((*[8]archsimd.Float32x8)(unsafe.Pointer(values)), words)
	for i := range masks {
		v := &vectors[i]
		masks[i] &= in(v[0]) | in(v[1])<<8 | in(v[2])<<16 | in(v[3])<<24 |
			in(v[4])<<32 | in(v[5])<<40 | in(v[6])<<48 | in(v[7])<<56
	}
	archsimd.ClearAVXUpperBits()
}

func withinFloat64AVX2(sel *uint64, values *float64, words int, lo, hi float64) {
	low, high := archsimd.BroadcastFloat64x4(lo), archsimd.BroadcastFloat64x4(hi)
	in := func(x, y archsimd.Float64x4) uint64 {
		return uint64(x.GreaterEqual(low).And(x.LessEqual(high)).ToBits() | y.GreaterEqual(low).And(y.LessEqual(high)).ToBits()<<4)
	}
	masks, vectors := unsafe.Slice(sel, words), unsafe.Slice((*[16]archsimd.Float64x4)(unsafe.Pointer(values)), words)
	for i := range masks {
		v := &vectors[i]
		masks[i] &= in(v[0], v[1]) | in(v[2], v[3])<<8 | in(v[4], v[5])<<16 | in(v[6], v[7])<<24 |
			in(v[8], v[9])<<32 | in(v[10], v[11])<<40 | in(v[12], v[13])<<48 | in(v[14], v[15])<<56
	}
	archsimd.ClearAVXUpperBits()
}

func pairsAVX2(a, b *byte, words int, x, y byte) (found uint64, left int) {
	first, second := archsimd.BroadcastUint8x32(x), archsimd.BroadcastUint8x32(y)
	vectors := func(p *byte) [][2]archsimd.Uint8x32 {
		return unsafe.Slice((*[2]archsimd.Uint8x32)(unsafe.Pointer(p)), words)
	}
	as, bs := vectors(a), vectors(b)
	for i := range as {
		v, w := &as[i], &bs[i]
		low, high := v[0].Equal(first).And(w[0].Equal(second)), v[1].Equal(first).And(w[1].Equal(second))
		if low.Or(high).ToBits() != 0 {
			found, left = uint64(low.ToBits())|uint64(high.ToBits())<<32, words-i
			break
		}
	}
	archsimd.ClearAVXUpperBits()
	return found, left
}
