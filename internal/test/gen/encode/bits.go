package encode

import "math/bits"

// bitWriter appends bits to dst, one at a time. Its two orders are not to be
// mixed within one byte.
type bitWriter struct {
	dst  []byte
	used int // bits of the last byte that are taken; 0 and 8 both mean: start another
}

func (w *bitWriter) room() {
	if w.used %= 8; w.used == 0 {
		w.dst = append(w.dst, 0)
	}
}

// lsb appends the width low bits of v, lowest first, into each byte from its
// least significant end.
func (w *bitWriter) lsb(v uint64, width int) {
	for i := range width {
		w.room()
		w.dst[len(w.dst)-1] |= byte(v>>i&1) << w.used
		w.used++
	}
}

// msb appends the width low bits of v, highest first, into each byte from its
// most significant end.
func (w *bitWriter) msb(v uint64, width int) {
	for i := width - 1; i >= 0; i-- {
		w.room()
		w.dst[len(w.dst)-1] |= byte(v>>i&1) << (7 - w.used)
		w.used++
	}
}

// BitPackedMSB appends values in the deprecated BIT_PACKED encoding: from the
// most significant bit of each byte on, the last byte filled with zeros.
func BitPackedMSB(dst []byte, width int, v []uint32) []byte {
	w := bitWriter{dst: dst}
	for _, x := range v {
		w.msb(fit(uint64(x), width), width)
	}
	return w.dst
}

// BitPackedLSB appends values in the order of the RLE hybrid's groups, without
// any header: what some old writers put where BIT_PACKED was declared.
func BitPackedLSB(dst []byte, width int, v []uint32) []byte {
	w := bitWriter{dst: dst}
	for _, x := range v {
		w.lsb(fit(uint64(x), width), width)
	}
	return w.dst
}

// fit returns v if it has no more than width bits.
func fit(v uint64, width int) uint64 {
	if bits.Len64(v) > width {
		panic("encode: value is wider than the bit width")
	}
	return v
}
