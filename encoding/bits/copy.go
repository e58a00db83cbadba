package bits

import "encoding/binary"

// Extract returns the 64 bits of b from position at on, 0 <= at < 64*len(b).
// Bits after the end of b read as 0.
func Extract(b []uint64, at int) uint64 {
	i, shift := uint(at)/64, uint(at)%64
	w := b[i] >> shift
	if i+1 < uint(len(b)) {
		w |= b[i+1] << 1 << (63 - shift)
	}
	return w
}

// Insert replaces the n bits of b from position at on by the n lowest bits of w,
// 0 <= n <= 64.
func Insert(b []uint64, at int, w uint64, n int) {
	if n <= 0 {
		return
	}
	keep := Low(n)
	w &= keep
	i, shift := uint(at)/64, uint(at)%64
	b[i] = b[i]&^(keep<<shift) | w<<shift
	if high := keep >> 1 >> (63 - shift); high != 0 {
		b[i+1] = b[i+1]&^high | w>>1>>(63-shift)
	}
}

// AndWord clears those of the n bits of b from position at on that are clear in
// w, 0 <= n <= 64.
func AndWord(b []uint64, at int, w uint64, n int) {
	if n <= 0 {
		return
	}
	drop := ^w & Low(n)
	i, shift := uint(at)/64, uint(at)%64
	b[i] &^= drop << shift
	if high := drop >> 1 >> (63 - shift); high != 0 {
		b[i+1] &^= high
	}
}

// AndBits clears those of the n bits of b from position at on that are clear
// in the first n bits of src.
func AndBits(b []uint64, at int, src []uint64, n int) {
	out, shift := b[uint(at)/64:], uint(at)%64
	full := n / 64
	if shift == 0 {
		And(out[:full], src[:full])
	} else if full > 0 {
		// Each word of src straddles two words of out.
		out := out[:full+1]
		low := out[0]
		for i, w := range src[:full] {
			w = ^w
			out[i] = low &^ (w << shift)
			low = out[i+1] &^ (w >> (64 - shift))
		}
		out[full] = low
	}
	if rest := n % 64; rest > 0 {
		AndWord(b, at+full*64, src[full], rest)
	}
}

// Copy copies the n bits of src from position from on to dst from position at
// on. The two must not overlap.
func Copy(dst []uint64, at int, src []uint64, from, n int) {
	if n <= 0 {
		return
	}
	if head := 64 - at%64; at%64 != 0 {
		head = min(head, n)
		Insert(dst, at, Extract(src, from), head)
		at, from, n = at+head, from+head, n-head
	}
	full := n / 64
	out := dst[at/64:]
	if from%64 == 0 {
		copy(out[:full], src[from/64:])
	} else if full > 0 {
		// The last full word ends inside src[full] of these.
		shift(out[:full], src[from/64:][:full+1], uint(from)%64)
	}
	if rest := n % 64; rest > 0 {
		Insert(dst, at+full*64, Extract(src, from+full*64), rest)
	}
}

// shift sets dst to the bits of src from bit by on, 0 < by < 64. src has one word more than dst.
func shift(dst, src []uint64, by uint) {
	low := src[0]
	for i, high := range src[1:][:len(dst)] {
		dst[i] = low>>by | high<<(64-by)
		low = high
	}
}

// FromBytes copies the n bits of src from bit from on to dst from position at on.
// Bytes have their least significant bit first.
func FromBytes(dst []uint64, at int, src []byte, from, n int) {
	if n <= 0 {
		return
	}
	src = src[from/8 : (from+n-1)/8+1]
	from %= 8
	if head := 64 - at%64; at%64 != 0 {
		head = min(head, n)
		Insert(dst, at, extractBytes(src, from), head)
		at, from, n = at+head, from+head, n-head
	}
	out := dst[at/64:]
	full := n / 64
	switch shift := uint(from) % 8; {
	case full == 0:
	case shift == 0:
		in := src[from/8:][:full*8]
		for i := range out[:full] {
			out[i] = binary.LittleEndian.Uint64(in)
			in = in[8:]
		}
	default:
		in := src[from/8:][:full*8+1]
		for i := range out[:full] {
			out[i] = binary.LittleEndian.Uint64(in)>>shift | uint64(in[8])<<(64-shift)
			in = in[8:]
		}
	}
	if rest := n % 64; rest > 0 {
		Insert(dst, at+full*64, extractBytes(src, from+full*64), rest)
	}
}

// extractBytes is Extract for a bitmap in bytes.
func extractBytes(src []byte, at int) uint64 {
	src = src[at/8:]
	shift := uint(at) % 8
	if len(src) > 8 {
		return binary.LittleEndian.Uint64(src)>>shift | uint64(src[8])<<1<<(63-shift)
	}
	var w uint64
	for i := len(src) - 1; i >= 0; i-- {
		w = w<<8 | uint64(src[i])
	}
	return w >> shift
}
