package plain

import (
	"encoding/binary"
	"unsafe"

	"github.com/winnow-scan/winnow/encoding"
)

// sizeOf is 4 or 8, a constant in each instance.
func sizeOf[T encoding.Number]() int {
	var x T
	return int(unsafe.Sizeof(x))
}

// number returns value i of body.
func number[T encoding.Number](body []byte, i int) T {
	if sizeOf[T]() == 4 {
		u := binary.LittleEndian.Uint32(body[i*4:])
		return *(*T)(unsafe.Pointer(&u)) // same size, any bits are a value
	}
	u := binary.LittleEndian.Uint64(body[i*8:])
	return *(*T)(unsafe.Pointer(&u))
}
