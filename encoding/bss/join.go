package bss

import "encoding/binary"

// swap exchanges the high part of each lane of a with the low part of that of
// b; mask covers the low part, of shift bits.
func swap(a, b, mask uint64, shift uint) (uint64, uint64) {
	t := (a>>shift ^ b) & mask
	return a ^ t<<shift, b ^ t
}

const (
	bytes = 0x00ff00ff00ff00ff
	pairs = 0x0000ffff0000ffff
	fours = 0x00000000ffffffff
)

// join4 assembles values: the first byte of each is at the front of src, the others
// follow stride bytes apart. There is at least one value.
func join4(dst []uint32, src []byte, stride int) {
	n := vectorOfWords(dst, src, stride)
	dst = dst[n:]
	s0, s1, s2, s3 := src[n:], src[stride+n:], src[2*stride+n:], src[3*stride+n:]
	for len(dst) >= 8 && len(s3) >= 8 {
		a, b := binary.LittleEndian.Uint64(s0), binary.LittleEndian.Uint64(s1)
		c, d := binary.LittleEndian.Uint64(s2), binary.LittleEndian.Uint64(s3)
		a, b = swap(a, b, bytes, 8)
		c, d = swap(c, d, bytes, 8)
		a, c = swap(a, c, pairs, 16)
		b, d = swap(b, d, pairs, 16)
		v := dst[:8]
		v[0], v[1], v[2], v[3] = uint32(a), uint32(b), uint32(c), uint32(d)
		v[4], v[5], v[6], v[7] = uint32(a>>32), uint32(b>>32), uint32(c>>32), uint32(d>>32)
		dst, s0, s1, s2, s3 = dst[8:], s0[8:], s1[8:], s2[8:], s3[8:]
	}
	for i := range dst {
		dst[i] = uint32(s0[i]) | uint32(s1[i])<<8 | uint32(s2[i])<<16 | uint32(s3[i])<<24
	}
}

// square transposes a square of 8 times 8 bytes.
func square(w *[8]uint64) {
	a, b, c, d, e, f, g, h := w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
	a, b = swap(a, b, bytes, 8)
	c, d = swap(c, d, bytes, 8)
	e, f = swap(e, f, bytes, 8)
	g, h = swap(g, h, bytes, 8)
	a, c = swap(a, c, pairs, 16)
	b, d = swap(b, d, pairs, 16)
	e, g = swap(e, g, pairs, 16)
	f, h = swap(f, h, pairs, 16)
	a, e = swap(a, e, fours, 32)
	b, f = swap(b, f, fours, 32)
	c, g = swap(c, g, fours, 32)
	d, h = swap(d, h, fours, 32)
	w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7] = a, b, c, d, e, f, g, h
}

// join8 is join4 for values of eight bytes.
func join8(dst []uint64, src []byte, stride int) {
	n := vectorOfWords(dst, src, stride)
	for ; len(dst)-n >= 8; n += 8 {
		w := (*[8]uint64)(dst[n:])
		for k := range w {
			w[k] = binary.LittleEndian.Uint64(src[k*stride+n:])
		}
		square(w)
	}
	for ; n < len(dst); n++ {
		var v uint64
		for k := 7; k >= 0; k-- {
			v = v<<8 | uint64(src[k*stride+n])
		}
		dst[n] = v
	}
}

// spoilt is how many values of two bytes the seven bytes written too many can reach.
const spoilt = 4

// joinBytes is join4 for values of size bytes, stored back to back in dst.
func joinBytes(dst []byte, size int, src []byte, stride int) {
	n, count := 0, len(dst)/size
	if size == 1 {
		n = copy(dst, src)
	}
	n += vectorBytes(dst[n*size:], size, src[n:], stride)
	// Each store writes eight bytes, the last ones of a value first. What it writes too
	// much is in the next value, which is stored later. The loop leaves enough values
	// for the code below, so that no store goes beyond dst.
	for ; count-n >= 8+spoilt; n += 8 {
		out := dst[n*size:]
		for k := (size - 1) &^ 7; k >= 0; k -= 8 {
			var w [8]uint64
			for j := range min(8, size-k) {
				w[j] = binary.LittleEndian.Uint64(src[(k+j)*stride+n:])
			}
			square(&w)
			for i, v := range w {
				binary.LittleEndian.PutUint64(out[i*size+k:], v)
			}
		}
	}
	for ; n < count; n++ {
		for k := range size {
			dst[n*size+k] = src[k*stride+n]
		}
	}
}
