package encoding

import (
	"encoding/binary"
	"unsafe"

	"github.com/winnow-scan/winnow/internal/invariants"
)

// eightBytes returns 8 bytes from byte at of body on, as a little-endian number. They must be
// there: Texts.loadable checks that for all strings at once.
func eightBytes(body []byte, at int) uint64 {
	if invariants.On {
		_ = body[at:][:8]
	}
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(body)), at))[:])
}
