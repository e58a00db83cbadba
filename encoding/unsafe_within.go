package encoding

import (
	"encoding/binary"
	"unsafe"
)

// WithinBytes is Within for the first values of a body, as PLAIN has them, 64 for each word of sel. They may stand
// anywhere in memory, and need not be in the machine's byte order.
func WithinBytes[T Number](sel []uint64, body []byte, lo, hi T) {
	size := int(unsafe.Sizeof(lo))
	in := func(b []byte) uint64 {
		var x T // same size as what is loaded, any bits are a value
		if size == 4 {
			u := binary.LittleEndian.Uint32(b)
			x = *(*T)(unsafe.Pointer(&u))
		} else {
			u := binary.LittleEndian.Uint64(b)
			x = *(*T)(unsafe.Pointer(&u))
		}
		return oneIf(x >= lo) & oneIf(x <= hi)
	}
	for i := range sel {
		if sel[i] == 0 {
			continue
		}
		var w uint64
		word := body[i*64*size:][:64*size]
		for j := 0; j < 64; j += 8 {
			b := word[j*size:][:8*size]
			w |= (in(b) | in(b[size:])<<1 | in(b[2*size:])<<2 | in(b[3*size:])<<3 |
				in(b[4*size:])<<4 | in(b[5*size:])<<5 | in(b[6*size:])<<6 | in(b[7*size:])<<7) << j
		}
		sel[i] &= w
	}
}
