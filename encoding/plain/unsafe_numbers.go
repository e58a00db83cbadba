package plain

import (
	"encoding/binary"
	"unsafe"

	"github.com/winnow-scan/winnow/encoding"
	"github.com/winnow-scan/winnow/encoding/bits"
	"github.com/winnow-scan/winnow/encoding/pack"
)

// number returns value i of body.
func number[T encoding.Number](body []byte, i int) T {
	if encoding.SizeOf[T]() == 4 {
		u := binary.LittleEndian.Uint32(body[i*4:])
		return *(*T)(unsafe.Pointer(&u)) // same size, and every bit pattern is a value
	}
	u := binary.LittleEndian.Uint64(body[i*8:])
	return *(*T)(unsafe.Pointer(&u))
}

// gather stores the values of body whose bits are set in sel, and returns how many they are. It moves them as bytes, which
// need no alignment, and then converts them to the machine's byte order.
func gather[T encoding.Number](dst []T, body []byte, sel []uint64) (kept int) {
	kept = pack.Fixed(encoding.Memory(dst), body, encoding.SizeOf[T](), sel)
	if bits.BigEndian {
		for i := range dst[:kept] {
			dst[i] = number[T](unsafe.Slice((*byte)(unsafe.Pointer(&dst[i])), encoding.SizeOf[T]()), 0)
		}
	}
	return kept
}
