//go:build !purego && (386 || amd64 || arm || arm64 || loong64 || mips64le || mipsle || ppc64le || riscv64 || wasm)

package plain

import (
	"unsafe"

	"github.com/winnow-scan/winnow/encoding"
)

// load fills dst with the values at the front of body, which may be unaligned.
func load[T encoding.Number](dst []T, body []byte) {
	size := len(dst) * sizeOf[T]()
	// dst's own memory, seen as bytes: the machine's byte order is the format's.
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), size), body[:size])
}

// littleEndian says that words loaded little-endian are what memory holds.
const littleEndian = true
