package moves

import (
	"encoding/binary"
	"unsafe"
)

// Load8 loads 8 bytes from byte at on, as a little-endian number.
func Load8(p unsafe.Pointer, at int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, at))[:])
}

// Store8 stores what Load8 loads.
func Store8(p unsafe.Pointer, at int, v uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(p, at))[:], v)
}

// Move8 moves 8 bytes within p.
func Move8(p unsafe.Pointer, at, from int) {
	*(*[8]byte)(unsafe.Add(p, at)) = *(*[8]byte)(unsafe.Add(p, from))
}

// Move16 moves 16 bytes from byte from of one memory to byte at of another, or of the same.
func Move16(to unsafe.Pointer, at int, of unsafe.Pointer, from int) {
	*(*[16]byte)(unsafe.Add(to, at)) = *(*[16]byte)(unsafe.Add(of, from))
}

// Repeat fills dst, which follows pattern, with the pattern's bytes over and over.
func Repeat(dst, pattern []byte) {
	for n := copy(dst, pattern); n < len(dst); {
		n += copy(dst[n:], dst[:n])
	}
}
