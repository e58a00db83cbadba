//go:build 386 || amd64 || arm || arm64 || loong64 || mips64le || mipsle || ppc64le || riscv64 || wasm

package plain

import "github.com/winnow-scan/winnow/encoding"

// InPlace reports that values have the same bytes in memory as in a body.
const InPlace = littleEndian

// load fills dst with the values at the front of body, which may be unaligned.
func load[T encoding.Number](dst []T, body []byte) {
	memory := encoding.Memory(dst) // a copy is enough: the machine's byte order is the format's
	copy(memory, body[:len(memory)])
}

// littleEndian reports that memory holds words in little-endian order.
const littleEndian = true
